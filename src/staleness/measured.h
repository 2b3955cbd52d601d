/* SPDX-License-Identifier: Apache-2.0 */
/* The reads and writes whose staleness is measured: of memories, registers and maps (of_objects.c), and of transactions
 * (of_transactions.c).
 *
 * A content is a variable with a value. Contents are numbered, so that a read and its candidate sources have the same
 * number. */
#ifndef ASSAY_STALENESS_ACCESSES_H
#define ASSAY_STALENESS_ACCESSES_H

#include "base/budget.h"
#include "base/vec.h"
#include "history/history.h"
#include "history/value_ids.h"
#include "spec/spec.h"

struct stale_write {
    uint32_t op, var, content;
    bool last; /* it is a version: the last write of the operation to the variable */
};

struct stale_read {
    uint32_t op, var, content;
    uint32_t access; /* its place among the accesses of a transaction; else 0 */
};

struct owner {
    uint32_t var, content;
};

struct contents {
    struct value_ids values;
    VEC(struct owner) first; /* of a value: the variable that was the first to have it; often it is the only one */
    struct idmap others;     /* variable and number of a value -> content */
    uint32_t n;
};

struct accesses_measured {
    VEC(struct stale_write) writes;
    VEC(struct stale_read) reads;
    VEC(uint32_t) initial; /* of a variable: its initial content */
    struct contents contents;
};

/* The content of the variable with this value; a value of no kind is one, too. */
uint32_t content_of(struct contents *c, uint32_t var, struct value v, struct mem *m);

/* Memory from m; both may escape, with an error in e if the history has no reads and writes to measure. */
void accesses_of_objects(struct accesses_measured *a, const history *h, const struct objects *objects, struct mem *m,
                         struct budget *b, assay_error *e);
void accesses_of_transactions(struct accesses_measured *a, const history *h, struct mem *m, struct budget *b,
                              assay_error *e);

#endif
