/* SPDX-License-Identifier: Apache-2.0 */
/* The engines that decide memories, with their variants. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_ENGINES_H
#define ASSAY_TESTS_ORACLE_MEMORY_ENGINES_H

enum { MAX_ENGINES = 80 };

extern char engines[MAX_ENGINES][64];
extern int engines_found;

void find_engines(void);

#endif
