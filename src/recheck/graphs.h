/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of steps: paths of reasons, cycles and lemmas, and in which graphs they may run.
 *
 * A graph is a set of rules. The orders of a model decide which graphs there are. Sequential consistency has one. tso
 * has two: of the order that a store buffer preserves, and of the operations on one variable. A chain must stay within
 * one of them. */
#ifndef ASSAY_RECHECK_GRAPHS_H
#define ASSAY_RECHECK_GRAPHS_H

#include "recheck/recheck.h"

/* Where chains may run: sets of graphs. */
struct ruleset {
    unsigned hb, cf, rw, ww; /* the paths of the reasons with this rule; 0: there are none */
    unsigned cycle;
    bool cases;    /* store orders may be assumed */
    bool pso;      /* writes of different variables may be reordered */
    bool external; /* cf goes through reads of other threads' writes only */
};

extern const struct ruleset ruleset_causal; /* cc, ccv, cm: the cycle's shape is to be checked, too */
extern const struct ruleset ruleset_ccm, ruleset_wccm, ruleset_sc, ruleset_tso, ruleset_pso;

/* Is the program order of two operations, the first of them earlier, preserved? */
bool preserved(const struct recheck *x, bool pso, uint32_t from, uint32_t to);

/* All reasons hold. */
bool check_reasons(struct recheck *x, const struct ruleset *t);

/* The steps of the lemma, or of the cycle if that is ID_NONE. They hold, lie in one of the graphs, and lead back to
 * where they start. */
bool check_cycle(const struct recheck *x, const struct ruleset *t, uint32_t lemma);

#endif
