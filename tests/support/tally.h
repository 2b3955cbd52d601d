/* SPDX-License-Identifier: Apache-2.0 */
/* What a cross test has seen: sketches are judged by the engines, some also by the logic program,
 * and the first disagreement ends the test after the history has been shrunk and printed. */
#ifndef ASSAY_TESTS_SUPPORT_TALLY_H
#define ASSAY_TESTS_SUPPORT_TALLY_H

#include "support/causal.h"
#include "support/sketch.h"

struct tally {
    uint64_t histories,
        verdicts; /* a verdict is about one history and one model, evidence rechecked */
    uint64_t of_set[CAUSAL_SETS];
    uint64_t by_datalog;
    struct batch *batch; /* NULL: the solver is not here */
    struct sketch *batched;
};

void tally_start(struct tally *t);

/* clock against brute, evidence, implications. Returns the set of models that it satisfies. */
unsigned tally_judge(struct tally *t, const struct sketch *s);

/* The same for the logic program; the answer comes when enough histories have gathered. */
void tally_datalog(struct tally *t, const struct sketch *s, unsigned satisfied);

/* Fails if `broken` still says of smaller and smaller histories that something is wrong. It fills
 * in why. */
typedef bool sketch_fault(const struct sketch *s, void *arg, struct complaint *why);
_Noreturn void tally_fail(const struct sketch *s, sketch_fault *broken, void *arg);

/* Solves what is left and prints the counts. */
void tally_finish(struct tally *t, const char *title);

#endif
