/* SPDX-License-Identifier: Apache-2.0 */
/* When transactions seem to have happened, by real time and the sources of reads.
 *
 * Each event has a span between a start and an end, at first those of its transaction. It narrows along edges: an
 * event does not start before one that precedes it, and does not end after one that follows. It narrows by reads, too.
 * If a write of x ends before another write starts, its readers end before the other one does. If a write ends before a
 * reader of another one starts, it ends before that other one does. The starts likewise. When nothing more follows, all
 * spans are narrowed a little around their middles, and more follows from that. This is a guess, and a span that
 * would vanish stays.
 *
 * Per pass, and there are a few: sorting the writes of each variable by their starts and ends.
 * Source: propagation of bounds, as in scheduling with time windows; narrowing by degrees is this project's own. */
#ifndef ASSAY_TRANSACTION_GUESSED_TIMES_H
#define ASSAY_TRANSACTION_GUESSED_TIMES_H

#include "transaction/txn_events_order.h"

/* Of each event: the time that it seems to have happened at. Begins of transactions come late, since a snapshot that is
 * taken late holds locks for a shorter time. The view has real time. Memory from m. */
uint32_t *guessed_times(const struct txn_events *s, const struct txn_events_order *sorted, struct mem *m,
                        struct budget *budget);

#endif
