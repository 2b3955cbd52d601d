/* SPDX-License-Identifier: Apache-2.0 */
/* The last reader of each write in each thread. Program order puts a thread's earlier readers before its last one, so
 * that "after all readers" asks for these alone. Also the writes that a thread's store buffer offers to its reads. */
#ifndef ASSAY_MEMORY_READERS_H
#define ASSAY_MEMORY_READERS_H

#include "base/group.h"
#include "memory/rw.h"

/* Accesses, by write, and behind the accesses by variable for its initial value: those of x are at v->a + x. Memory
 * from m. */
struct groups last_readers(const struct rw *v, struct mem *m);

/* For each read: the latest write of its thread to the variable before it, or ID_NONE. ID_NONE for other events and for
 * an rmw, which does not read from the buffer. Memory from m. */
uint32_t *own_writes(const struct rw *v, struct mem *m);

#endif
