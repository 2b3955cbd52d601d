/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions whose values repeat. A source is chosen for each read of a register that has several candidates, and an
 * engine judges the history with these sources. Its refutation rests on some of them, which are not chosen together
 * again. A SAT solver finds the next choice. There is none left: no choice of sources satisfies the level.
 *
 * The first choice is a guess (read_candidates.h): few writes of the key were recorded between the source and the
 * read. At first a choice that fails is mended: of the sources that its refutation rests on, the one with the best
 * substitute is replaced. A history of a store that is right, recorded as it happened, mostly needs no more than that.
 *
 * A refutation rests on its wr steps, on the reads of its reasons, and on the unknown transactions in it. These count
 * because a transaction that counts read from them, so their readers are named, too. So the clause holds for every
 * choice, and recheck can follow it: the evidence has each refutation with the sources that it assumes.
 *
 * Every level but rc demands that the reads of one key in one transaction have one source. So those that return the
 * same value are one choice.
 * Source: memory/sourced.h does this for memories; hyper-polygraphs of isolation checkers have the same choice. */
#ifndef ASSAY_TRANSACTION_SOURCED_H
#define ASSAY_TRANSACTION_SOURCED_H

#include "engine/engine.h"

/* The whole run; `complete` decides a view that is complete. It is asked at once if there is nothing to choose. */
void txn_sourced_run(struct job *job, void (*complete)(struct job *job));

#endif
