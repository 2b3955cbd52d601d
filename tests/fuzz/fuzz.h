/* SPDX-License-Identifier: Apache-2.0 */
/* What a fuzz target offers and what it may ask of its input. */
#ifndef ASSAY_TESTS_FUZZ_H
#define ASSAY_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property of every input; stays in optimised builds. */
#define FUZZ_ASSERT(condition, ...)                                                                                    \
    ((condition) ? (void)0                                                                                             \
                 : (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), \
                    abort()))

#endif
