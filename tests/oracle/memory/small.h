/* SPDX-License-Identifier: Apache-2.0 */
/* One small history, from all sides. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_SMALL_H
#define ASSAY_TESTS_ORACLE_MEMORY_SMALL_H

#include "oracle/memory/history.h"
#include "oracle/memory/models.h"

#include <stdbool.h>

extern char *last_lines[MODELS]; /* proofs about a neighbour */

extern int slow_percent; /* so many of 100 histories go to engines that start a program */

void free_lines(char *lines[MODELS]);
bool is_slow(const char *engine);
void check_small(const struct history *h, int forge);

/* A history and a few neighbours of it: proofs of one are tried on the next. */
void small_family(int forge);

#endif
