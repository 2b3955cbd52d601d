/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of steps: the path of a reason, a cycle or a lemma. */
#ifndef ASSAY_RECHECK_CHAIN_H
#define ASSAY_RECHECK_CHAIN_H

#include "recheck/recheck.h"

struct chain {
    char name[40];
    const assay_step *steps;
    uint32_t count;
    uint32_t reasons; /* it may rest on the reasons below this number */
    unsigned may;     /* of memories: the graphs in one of which it must lie; of transactions: its rules */
    unsigned graphs;  /* of memories: those that its steps so far lie in */
};

struct chain chain_of_reason(const struct recheck *x, uint32_t i, unsigned may);
/* The cycle of the evidence if lemma is ID_NONE. */
struct chain chain_of_cycle(const struct recheck *x, uint32_t lemma, unsigned may);

bool chain_refuse(const struct recheck *x, const struct chain *c, uint32_t i, const char *why);

/* Step i is derived: its reason comes before the chain, and is about it. */
bool chain_derived(const struct recheck *x, const struct chain *c, uint32_t i);

#endif
