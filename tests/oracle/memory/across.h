/* SPDX-License-Identifier: Apache-2.0 */
/* Program order across threads: `# @po after`. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_ACROSS_H
#define ASSAY_TESTS_ORACLE_MEMORY_ACROSS_H

#include "oracle/memory/history.h"

#include <stdbool.h>

/* Operations come after some of other threads: along the order in which they were drawn, or along another one. */
void draw_after(struct history *h, bool as_drawn);

void draw_across(struct history *h);

/* A history with and without its header, so that proofs of one are tried on the other. */
void across_family(int forge);

/* An order that leads back to its start is an error and no verdict. */
void check_circular(void);

#endif
