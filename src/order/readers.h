/* SPDX-License-Identifier: Apache-2.0 */
/* Who reads what: the last reader of each write in each thread. Program order puts a thread's earlier readers
 * before its last one, so that "after all readers" asks for these alone. */
#ifndef ASSAY_ORDER_READERS_H
#define ASSAY_ORDER_READERS_H

#include "base/group.h"
#include "history/rw.h"

/* By write, and behind the n events by variable for its initial value: those of x are at n + x. Memory from m. */
struct groups last_readers(const struct rw *v, struct mem *m);

#endif
