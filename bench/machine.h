/* SPDX-License-Identifier: Apache-2.0 */
/* The machine, the compiler and the source that a figure depends on. */
#ifndef ASSAY_BENCH_MACHINE_H
#define ASSAY_BENCH_MACHINE_H

enum { MACHINE_TEXT = 128 };

#if defined(__clang__)
#define MACHINE_COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define MACHINE_COMPILER "gcc " __VERSION__
#else
#define MACHINE_COMPILER "unknown"
#endif

extern const char machine_commit[]; /* of the source, or "unknown"; cmake/commit.cmake writes it */

/* Fills in and returns `out`: the processor's name, or "unknown". */
const char *machine_processor(char out[MACHINE_TEXT]);

#endif
