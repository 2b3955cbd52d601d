/* SPDX-License-Identifier: Apache-2.0 */
/* What a memory history says, read off its columns a second time.
 *
 * Rechecking must not inherit a mistake of the view that the engines work on, so this one is
 * made in another way: accesses are sorted by variable and value, and whoever stands beside a
 * write of the same value reads from it. It speaks of operations, not events.
 *
 * Who takes part: completed reads, writes and rmws; and a pending write or rmw if something that
 * takes part reads from it. Fences and pending reads never do. */
#ifndef ASSAY_EVIDENCE_RECHECK_MEMORY_H
#define ASSAY_EVIDENCE_RECHECK_MEMORY_H

#include "history/history.h"

#define FROM_INITIAL UINT32_MAX      /* source: the initial value */
#define FROM_NOBODY (UINT32_MAX - 1) /* source: nobody wrote this value */

enum { ROLE_READS = 1, ROLE_WRITES = 2 };

struct memory {
    uint32_t count;   /* operations that take part */
    uint32_t vars;    /* variables */
    uint8_t *role;    /* of an operation; 0: takes no part */
    uint32_t *var;    /* of an operation that reads or writes */
    uint32_t *source; /* of an operation that reads: an operation, FROM_INITIAL, FROM_NOBODY */
    uint32_t *before; /* the thread's previous operation that takes part, or ID_NONE */
    uint32_t *rank;   /* how many of its thread take part before it */
};

/* False, with ASSAY_ERROR_REFUSED, when the operations are not those of a plain memory, or
 * values are not unique. Memory from m; may escape. */
bool recheck_memory(const history *h, struct mem *m, struct memory *out, assay_error *e);

static inline bool is_initial_or_nobody(uint32_t source)
{
    return source >= FROM_NOBODY;
}

#endif
