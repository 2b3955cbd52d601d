/* SPDX-License-Identifier: Apache-2.0 */
/* Plain frontier search: depth first over the positions of the threads, with a memo of those that failed.
 *
 * The state of an execution is how far each lane has come: a write is never executed while the value that it
 * overwrites has readers left, so the current value of a variable matters only if it has readers left, and then
 * it is determined by the positions. Reads go at once, and so do writes whose readers can follow at once (see
 * serialize.h for why); only other writes are tried one after another. For k threads with W_i writes there are at
 * most the product of (W_i + 1) states.
 *
 * The lanes and what must come first are a forced order's first graph: with nothing but its fixed edges this is the
 * bounded-thread algorithm of Biswas-Enea and of Abdulla et al., and for TSO that of Bui et al.; a closed forced order
 * adds the forced store orders as constraints. It gives a witness, but no proof when it fails. */
#ifndef ASSAY_BASELINE_FRONTIER_H
#define ASSAY_BASELINE_FRONTIER_H

#include "memory/serialize.h"

/* True: s->order explains the history. The serialize must be fresh; its assumptions are not used. */
bool frontier_search(struct serialize *s);

#endif
