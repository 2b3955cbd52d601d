/* SPDX-License-Identifier: Apache-2.0 */
/* The states that a search of an engine has visited, each together with other data (the operations linearized there),
 * which have a digest.
 *
 * States are large and a search sees many, so they are not kept: their digests stand for them. Digests of the library's
 * own specifications are 128 bits under a secret key (digest.h). docs/internals/algorithms.md bounds the probability
 * that two states share one. A user's digest has no such bound. If there is a hook `equal`, such states are kept and
 * compared (states.h), and a digest of the number that equal states share stands for them. */
#ifndef ASSAY_SPEC_VISITED_H
#define ASSAY_SPEC_VISITED_H

#include "base/memo.h"
#include "spec/states.h"

struct visited {
    const assay_spec *spec;
    struct mem *mem;
    bool compares;
    struct memo memo;
    struct states states; /* if it compares */
};

/* All memory is the owner's to release. spec NULL: there are no states, only the data that come with them. */
struct visited visited_in(struct mem *m, const assay_spec *spec);
bool visited_has(const struct visited *v, struct memo_key with, const void *state);
bool visited_add(struct visited *v, struct memo_key with, const void *state); /* false: it was there */
/* 128 bits that stand for the state from now on. */
void visited_digest(struct visited *v, const void *state, uint64_t out[2]);

#endif
