/* SPDX-License-Identifier: Apache-2.0 */
/* An argument that a person can follow: why a few calls of a queue (bounded or not), stack, deque or
 * priority queue have no order.
 *
 * A refutation by a core says that these calls have no linearization, and recheck confirms it by a search. A reader
 * wants a derivation: 1 was put in before 2, so it left before 2, but 2 left first. So the order of calls is derived
 * step by step, from the order in time and from the rules of the object:
 *     a value is put in before it is found, and found before it is taken out;
 *     a call that found nothing: what was put in before it had been taken out before it;
 *     a call at one end that found a: b had been taken out before it, if b lay nearer to that end. So lay b if it was
 *     put in at that end after a, or if a was put in at the other end after b. A queue and a stack are deques whose
 *     calls use one end each;
 *     a call of a priority queue that found a: a greater b that was put in before it had been taken out before it.
 * A rule is a clause of up to three orders: one must hold. If the others are excluded, the last one follows.
 * Where nothing follows any more, there are two cases: of two calls either may come first; and of values that repeat, a
 * call may have found any of them. A pair of which one case fails at once is tried first. Where an argument would be
 * long there is none.
 *
 * Invariant: the argument is about the calls of evidence.kept alone. It is told, and the proof is the core. The
 * clauses are those of deque.c; to search for a short derivation among them is this project's own. */
#ifndef ASSAY_EXPLAIN_ARGUE_H
#define ASSAY_EXPLAIN_ARGUE_H

#include "engine/engine.h"

/* The job's part has been refuted. Adds lines to the explanation if the core is small. */
void argue(struct job *job);

#endif
