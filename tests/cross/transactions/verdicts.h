/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of all engines on a sketch, against each other and against the definitions. */
#ifndef ASSAY_TESTS_TRANSACTIONS_VERDICTS_H
#define ASSAY_TESTS_TRANSACTIONS_VERDICTS_H

#include "cross/transactions/sketch.h"
#include "model/model.h"

enum { TXN_MODELS = 21 };

struct counts {
    uint64_t histories, verdicts, rechecked, proofs, mutants, accepted, memories, objects, shrunk, cuts;
    uint64_t holds[TXN_MODELS];
    uint64_t between[4]; /* the rare classes of the ladder: see verdicts.c */
};

struct judging {
    struct counts *counts; /* NULL: while shrinking */
    const char *only;      /* this model alone; NULL: all */
    struct rng rng;        /* which proofs are damaged */
    uint32_t damage;       /* one of so many proofs is; 0: none */
    char why[4000];
};

const struct model *txn_model(unsigned i); /* of the registry's models of transactions; NULL past the end */

/* Is all well? Else why says what is not. */
bool verdicts_agree(const struct tx_sketch *s, struct judging *j);
/* The same; a disagreement is shrunk and printed, and ends the program. */
void judge_sketch(const struct tx_sketch *s, struct judging *j);

/* By brute force: does the model hold? */
bool brute_holds(const assay_history *h, const char *model, int64_t skew);

#endif
