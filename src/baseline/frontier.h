/* SPDX-License-Identifier: Apache-2.0 */
/* Plain frontier search: depth first over the positions of the threads, with a memo of the positions that failed.
 *
 * The state of an execution is the position of each lane. A write is never executed while the value that it overwrites
 * has readers left. So the current value of a variable matters only if it has readers left, and then it is determined
 * by the positions. Reads go at once, and so do writes whose readers can follow at once (see serialize.h for the
 * reason). Only other writes are tried one after another. For k threads with W_i writes there are at most the product
 * of (W_i + 1) states.
 *
 * The lanes and their constraints are a forced order's first graph. Without forced edges this is the bounded-thread
 * algorithm of Biswas-Enea and of Abdulla et al.; for TSO it is that of Bui and others. A closed forced order adds the
 * forced store orders as constraints. It gives a witness, but no proof when it fails. */
#ifndef ASSAY_BASELINE_FRONTIER_H
#define ASSAY_BASELINE_FRONTIER_H

#include "memory/serialize.h"

/* True: s->order explains the history. The serialize must be fresh; its assumptions are not used. */
bool frontier_search(struct serialize *s);

#endif
