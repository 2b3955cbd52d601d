/* SPDX-License-Identifier: Apache-2.0 */
/* The causal models under all engines: what each says, and whether they agree.
 *
 * A verdict about all three models is the set of those that the history satisfies. */
#ifndef ASSAY_TESTS_SUPPORT_CAUSAL_H
#define ASSAY_TESTS_SUPPORT_CAUSAL_H

#include "assay.h"

enum { CC = 1, CCV = 2, CM = 4, CAUSAL_SETS = 8, CAUSAL_MODELS = 3 };
extern const char *const causal_model[CAUSAL_MODELS]; /* of bit 0, 1, 2 */

const char *causal_set_name(unsigned set); /* "CC, CM and not CCv", ... */

struct complaint { /* empty: there is none */
    char text[1024];
};

/* What one engine says. Evidence is asked for and, where the engine gives any, rechecked from the
 * line that is written of it; implications between the models must hold. False with a complaint. */
bool causal_verdicts(const assay_history *h, const char *engine, unsigned *satisfied,
                     struct complaint *why);

/* clock, with its evidence, and brute if the history is small enough for it. */
bool causal_agreed(const assay_history *h, unsigned *satisfied, struct complaint *why);

/* ---- many histories in one run of the logic program ---- */

struct batch;

struct batch *batch_new(void);
void batch_free(struct batch *b);
size_t batch_size(const struct batch *b);
void batch_add(struct batch *b, const assay_history *h, unsigned satisfied);

/* Solves what was added and forgets it. `differs` is called for each history (in the order of
 * adding, from 0) of which a variant says something else. */
void batch_solve(struct batch *b,
                 void (*differs)(void *arg, size_t number, const char *variant, unsigned says),
                 void *arg);

#endif
