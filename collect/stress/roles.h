/* SPDX-License-Identifier: Apache-2.0 */
/* Roles: which threads call which methods. A queue for one producer and one consumer is right only if one thread
 * enqueues and one dequeues: `enq=0,deq=1`. Threads are numbers, ranges and open ranges, joined by +: `0`, `1-3`, `2-`,
 * `0+2-`. A method without a role is called by all. */
#ifndef ASSAY_COLLECT_ROLES_H
#define ASSAY_COLLECT_ROLES_H

#include "assay_adapter.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t role; /* a bit for each thread */
#define ROLE_OF_ALL UINT64_MAX

static inline bool role_has(role r, unsigned thread)
{
    return r >> thread & 1;
}

/* The role of the next item of METHOD=THREADS,..., whose method has so many letters; *at moves behind it. False: it
 * cannot be read. */
bool roles_next(const char **at, const char **method, size_t *length, role *out);

#endif
