/* SPDX-License-Identifier: Apache-2.0 */
/* Random plays of single collections, made around the lives of values: who adds a value, and who takes it out. Each
 * operation has a thread of its own. */
#ifndef ASSAY_TESTS_SUPPORT_LIVES_H
#define ASSAY_TESTS_SUPPORT_LIVES_H

#include "support/play.h"

enum { LIVES_MOST = 12, LIVES_KINDS = 4 };

struct lives_kind {
    const char *object, *engine; /* the engine that is made for it */
    const char *add, *remove;    /* and peek */
};

extern const struct lives_kind lives_kinds[LIVES_KINDS]; /* queue, stack, pqueue and pqueue(min) */

/* A run of the object with few results and times changed; or, of one play in three, values that are fine by themselves,
 * whatever the object: it is together that they are not. Up to LIVES_MOST operations. */
struct play play_lives(const struct lives_kind *kind, uint64_t i, struct rng *rng);

/* May the kind's engine decline the play? It may where values come twice, and where a pending remove may take any of them. */
bool lives_may_decline(const struct lives_kind *kind, const struct play *p);

#endif
