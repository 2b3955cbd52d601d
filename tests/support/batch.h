/* SPDX-License-Identifier: Apache-2.0 */
/* Many histories in one run of the logic program: starting it takes longer than what it does. */
#ifndef ASSAY_TESTS_SUPPORT_BATCH_H
#define ASSAY_TESTS_SUPPORT_BATCH_H

#include "support/verdicts.h"

#define CAUSAL_MODELS "cc ccv cm"
#define BATCH_MODELS CAUSAL_MODELS " ccm wsc wccm wtso" /* those that it decides */

struct batch;

struct batch *batch_new(unsigned models); /* of these, it judges those that it decides */
void batch_free(struct batch *b);
size_t batch_size(const struct batch *b);
/* `satisfied`: as the other engines say; models that the logic program does not decide are left aside. */
void batch_add(struct batch *b, const assay_history *h, unsigned satisfied);

/* Solves what was added and forgets it. `differs` is called for each history (in the order of
 * adding, from 0) of which a variant says something else. */
void batch_solve(struct batch *b, void (*differs)(void *arg, size_t number, const char *variant, unsigned says),
                 void *arg);

#endif
