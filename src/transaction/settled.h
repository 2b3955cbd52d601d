/* SPDX-License-Identifier: Apache-2.0 */
/* The settled past of a stream of transactions: those that a monitor can forget without changing any later verdict.
 *
 * Let S be the transactions so far, explained by some order, and F any later ones. A set P of S is settled with a state
 * s if the following holds for every F. S and F together can be explained iff the others, S - P and F, can be explained
 * from the state s. P is settled if
 *   - each transaction of P comes before all of F (it is certain), and no other one of S comes before one of P;
 *   - the last writers of P come before each other transaction of S that writes the variable;
 *   - each other transaction that reads from P reads the last version, and that is behind all others of P;
 *   - the last version of each variable is forced, or the choice among the last ones is free (free_choice.h).
 * An old choice is accepted in any case, and marked. Later verdicts stay exact if reads find the last versions of the
 * given order. Else a violation may be missed.
 * Proof. Let an order explain S and F. Its part without P starts from the last versions that P has in this order. These
 * are forced, or there is an order of P with these choices, by freedom. By the second and third rule the part reads and
 * overwrites nothing else of P. So P in that order and then the part explains everything, and the part is an
 * explanation from s. Conversely, an order of P and then an explanation from s is an explanation of all. For si,
 * "before" is from the commit to the begin, and the proof is the same.
 *
 * "Comes before" is the forced order (memory/forced_order.h): session order, real time, wr, and all they imply. A read
 * of a list shows all its versions. So their order must be forced, or free within blocks of versions.
 *
 * Invariant: P is a beginning of each chain of the view, cut[c] long. The rules only shorten it.
 * Source: the rule is this project's own. Forgetting of sources of a conflict graph goes back to schedulers that test
 * the serialization graph. */
#ifndef ASSAY_TRANSACTION_SETTLED_H
#define ASSAY_TRANSACTION_SETTLED_H

#include "base/budget.h"
#include "transaction/view.h"

struct settling { /* the question */
    const history *h;
    const struct txn_view *v;  /* without anomaly */
    unsigned level;            /* COND_SER or COND_SI; some order explains the view */
    const struct order *order; /* that order: the operations, of si each one twice, ops[order->at] .. */
    const uint32_t *ops;
    /* Every later transaction begins at this time or later; INT64_MIN: unknown. */
    int64_t horizon;
    /* So many sessions go on, and each later transaction is of one of them; 0: unknown. over: of a thread of the
     * history, it does not go on. */
    uint32_t sessions;
    const bool *over;
    /* Of an operation: it is old. A choice among old writers is accepted although it may not be free. */
    const bool *old;
    const bool *waits; /* of an operation: an unknown transaction that does not count, but may be read from yet */
};

enum { SETTLED_OPEN = 31 }; /* versions of a block, at most */

struct settled_key {
    uint32_t key;
    bool list;
    bool unproved; /* there is a choice, and perhaps only the one of the given order is possible. That one is the first
                    * candidate, and the order of the versions */
    /* Of a register: the last version, or the candidates for it. Of a list: the next block of its versions, whose order
     * is open. Writes of the view, versions[from] .. */
    uint32_t from, n;
    uint32_t before[SETTLED_OPEN]; /* of a list: the versions of the block before each of them, a bit a version. They
                                    * have smaller numbers */
};

struct settled {
    bool *certain; /* of a transaction of the view: it comes before all later ones */
    bool *past;    /* it is settled */
    uint32_t count;
    VEC(struct settled_key) keys; /* that P writes; of a list one for each block */
    VEC(uint32_t) versions;
};

/* Memory from m; may escape. */
struct settled settle(const struct settling *q, struct mem *m, struct budget *budget);

#endif
