/* SPDX-License-Identifier: Apache-2.0 */
/* Free choices of the last versions of variables, in a set P of transactions that one order explains.
 *
 * Several writers of x may be the last one of P: its candidates. The choice is free if each candidate is the last
 * writer of x in some order that explains P, for each choice of the other variables.
 *
 * Idea. Take the graph of an order that explains P: base order, wr, ww, rw. The candidates of x and their readers are
 * contracted to one node. If the graph stays acyclic, the transactions of a contracted node can stand side by side, and
 * the others do not depend on their order. Within it a candidate can come last, with its readers behind it, if no edge
 * but those of x leads from these to the others.
 *
 * Of a list the choice is the order of versions that no read shows. It is free if every order is possible that contains
 * the orders which are forced between them.
 *
 * A choice that fails this test may still be free: the test errs on the safe side. */
#ifndef ASSAY_TRANSACTION_FREE_CHOICE_H
#define ASSAY_TRANSACTION_FREE_CHOICE_H

#include "transaction/txn_events.h"

struct last_choice {
    uint32_t key;
    bool list;
    uint32_t from, n; /* the candidates are writes[from] .. */
    bool free;        /* the answer */
};

struct choosing_last { /* the question */
    const struct txn_events *s;
    const bool *past;     /* of a transaction: is it in P? */
    const uint32_t *rank; /* of an event: its place in an order that explains P */
    struct last_choice *choices;
    uint32_t count;
    const uint32_t *writes;
    bool (*before)(void *arg, uint32_t t, uint32_t u); /* does it come before the other in every order? */
    void *arg;
};

/* Memory from m. */
void free_choices(const struct choosing_last *q, struct mem *m);

#endif
