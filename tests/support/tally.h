/* SPDX-License-Identifier: Apache-2.0 */
/* What a cross test has seen: sketches are judged by the engines, some also by the logic program,
 * and the first disagreement ends the test after the history has been shrunk and printed. */
#ifndef ASSAY_TESTS_SUPPORT_TALLY_H
#define ASSAY_TESTS_SUPPORT_TALLY_H

#include "support/sketch.h"
#include "support/verdicts.h"

enum { TALLY_CLASSES = 256 };

struct tally {
    struct poll poll; /* the models that are judged, and counts of verdicts */
    uint32_t every;   /* so many histories apart, all engines are asked */
    uint64_t histories;
    struct tally_class {
        uint64_t histories;
        unsigned satisfied;
    } class[TALLY_CLASSES];
    uint32_t classes;
    uint64_t by_datalog;
    struct batch *batch; /* NULL: the solver is not here */
    struct sketch *batched;
};

void tally_start(struct tally *t, unsigned models, uint32_t every);

/* Engines against each other, evidence, implications. Returns the set of models that it satisfies. */
unsigned tally_judge(struct tally *t, const struct sketch *s);

/* The same for the logic program; the answer comes when enough histories have gathered. */
void tally_datalog(struct tally *t, const struct sketch *s, unsigned satisfied);

/* How many satisfied all of these and none of those? */
uint64_t tally_between(const struct tally *t, unsigned all_of, unsigned none_of);

/* Fails if `broken` still says of smaller and smaller histories that something is wrong. It fills
 * in why. */
typedef bool sketch_fault(const struct sketch *s, void *arg, struct complaint *why);
_Noreturn void tally_fail(const struct sketch *s, sketch_fault *broken, void *arg);

/* Solves what is left and prints the counts, which can be asked for until the next start. */
void tally_finish(struct tally *t, const char *title);

#endif
