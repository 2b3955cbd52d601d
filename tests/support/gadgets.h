/* SPDX-License-Identifier: Apache-2.0 */
/* Random variations of histories that lie on the borders between models, where random histories
 * hardly ever do: those of support/printed.h, above all the ones that no store order explains although
 * none is forced into a cycle. */
#ifndef ASSAY_TESTS_SUPPORT_GADGETS_H
#define ASSAY_TESTS_SUPPORT_GADGETS_H

#include "support/sketch.h"

/* The history of a text that shorthand() reads, too. */
struct sketch sketch_of(const char *text);

/* Merges threads, removes and adds operations, a few of each or none. */
void gadget_vary(struct sketch *s, struct rng *rng);

struct sketch gadget_any(struct rng *rng);

#endif
