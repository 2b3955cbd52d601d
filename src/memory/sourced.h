/* SPDX-License-Identifier: Apache-2.0 */
/* Histories whose values are not unique. A SAT solver chooses the source of each read, and another engine judges the
 * choice. The sources that its refutation names are not chosen together again. `clock` is the judge of the causal
 * models, `auto` that of sc, tso and pso where lazy.h would have too many pairs of writes to order.
 *
 * The refutation says which sources it rests on (judging.h), so the clause holds for every choice.
 *
 * An open operation (memory/pending.h) happened if an operation that happened reads from it, and takes no part
 * otherwise. The solver needs no clause for that: where a refutation has one, a step leads from it to a reader, which
 * is named. */
#ifndef ASSAY_MEMORY_SOURCED_H
#define ASSAY_MEMORY_SOURCED_H

#include "engine/engine.h"
#include "memory/candidates.h"

/* The whole run. For sc, tso and pso there are no declared last values. A witness names the sources; a violation is one
 * that recheck searches for again. */
void sourced_run(struct job *job, const struct candidates *candidates);

#endif
