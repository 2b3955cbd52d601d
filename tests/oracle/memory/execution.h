/* SPDX-License-Identifier: Apache-2.0 */
/* What happened: operations that took part, with sources chosen, and the relations of the definitions. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_EXECUTION_H
#define ASSAY_TESTS_ORACLE_MEMORY_EXECUTION_H

#include "oracle/memory/history.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>

struct execution { /* what happened, with sources chosen */
    const struct history *h;
    int n, inits;            /* nodes; the first `inits` are initial writes, one per variable */
    int op[SMALL_NODES];     /* NOTHING: initial */
    int source[SMALL_NODES]; /* node; NOTHING: it does not read */
    rel po, ppo, pso, loc, wr, wr_e;
};

int var_of(const struct execution *x, int a);
bool node_writes(const struct execution *x, int a);
int value_of(const struct execution *x, int a); /* written */
bool same_var(const struct execution *x, int a, int b);
bool rival_writes(const struct execution *x, int a, int b);
rel pairs_of_writes(const struct execution *x, const rel *r);

/* rw[R]: a read before the writes that R puts behind its source */
rel rw(const struct execution *x, const rel *r);

/* cf[R]: a write that R puts before a read, before that read's source */
rel cf(const struct execution *x, const rel *r, bool external_only);

void sources_to_relations(struct execution *x);

/* The operations that took part: the completed ones, and of the pending writes those in `set` */
struct execution take_part(const struct history *h, int set);

#endif
