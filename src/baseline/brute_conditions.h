/* SPDX-License-Identifier: Apache-2.0 */
/* The models' conditions for the engine `brute`, each as it is defined in docs/reference/models-formal.md. They
 * return the pattern that breaks the condition, or PATTERN_NONE. */
#ifndef ASSAY_BASELINE_BRUTE_CONDITIONS_H
#define ASSAY_BASELINE_BRUTE_CONDITIONS_H

#include "baseline/brute_graph.h"

/* brute_causal.c */
enum pattern brute_causal(const struct graph *g);
enum pattern brute_convergent(const struct graph *g);
enum pattern brute_per_thread(const struct graph *g);

/* hb_o in the view, whose (order U wr)+ is co: the least transitive relation with two rules. (1) It contains co on the
 * past of o. (2) It has w1 before w2 when some read of w2, o itself or before o in the view's order, comes after w1.
 * True: by (2) some write comes before an initial one. */
bool brute_observe(const struct graph *g, const struct view *view, const set *co, uint32_t o, set *hb);

/* brute_partial.c: CCM in one view, with all reads; wCCM in two, with the external ones. */
enum pattern brute_partial(const struct graph *g, const struct views *views, set reads);

/* brute_forced.c: wSC in one view, wTSO in two. */
enum pattern brute_forced(const struct graph *g, const struct views *views);

/* brute_store.c: SC in one view, TSO and PSO in two. */
enum pattern brute_store(const struct graph *g, const struct views *views, struct budget *budget);

#endif
