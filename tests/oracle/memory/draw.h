/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories: runs of simulated memories, and what may be changed in them. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_DRAW_H
#define ASSAY_TESTS_ORACLE_MEMORY_DRAW_H

#include "oracle/memory/history.h"
#include "oracle/memory/machine.h"

/* Another value for a read: of some write of its variable, the initial one, or one that nobody wrote */
void bend_read(struct history *h);

void make_pending(struct history *h, int percent);

/* Runs a machine of this shape on variables of its own; the caller frees what it held at the end. */
struct memory *draw_run(struct history *h, const struct shape *s);

/* Last values, and values of other kinds */
void decorate(struct history *h);

void draw_small(struct history *h);

#endif
