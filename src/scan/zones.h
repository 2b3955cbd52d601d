/* SPDX-License-Identifier: Apache-2.0 */
/* Zones: operations that stand together in every linearization, as seen from outside.
 *
 * Idea. A cluster is a set of operations with no other cluster's operation in between. Let f be the first return and s
 * the last call of a cluster. Cluster A must come before B iff some operation of A returns before some operation of B
 * is called. This is so iff f(A) < s(B). So the clusters can be put in order iff the relation "must come before" has no
 * cycle.
 * - If there is a cycle, two of its clusters are a cycle of length 2. Let A be the cluster with the least f on the
 *   cycle, P the cluster before A, and Q the cluster before P. P must come before A. And f(A) <= f(Q) < s(P), so A must
 *   come before P.
 * - The zone of a cluster is [f, s] if f < s, and else [s, f]. The zone [f, s] is forward: the cluster was there at all
 *   of these times. The zone [s, f] is backward: any moment in it will do. Two clusters are a cycle in two cases.
 *   Either both zones are forward and overlap, or one zone is backward and lies in the other, forward zone. Two
 *   backward zones are never a cycle.
 * - So the zones are sorted by their left ends, and each zone is compared with the last forward zone to its left only.
 *
 * If there is no cycle, the clusters by the left ends l = min(f, s) are in order. Let A have to come before B, so f(A)
 * < s(B). B need not come before A, so s(A) < f(B): a call and a return have different ranks. If l(B) = s(B), then l(A)
 * <= f(A) < l(B). If l(B) = f(B), then l(A) <= s(A) < l(B).
 *
 * Zone 0 is that of the initial value, whose write is before all times. If it is read, it is forward from there.
 *
 * Source: Gibbons and Korach 1997. The argument above is spelled out for this file. */
#ifndef ASSAY_SCAN_ZONES_H
#define ASSAY_SCAN_ZONES_H

#include "search/calls.h"

enum { ZONE_INITIAL = 0 };

struct zone {
    uint32_t first_return, last_call; /* operations, or ID_NONE */
    uint32_t f, s;                    /* their ranks; f is CALLS_NEVER: the zone is left out */
};

static inline struct zone zone_empty(void)
{
    return (struct zone){.first_return = ID_NONE, .last_call = ID_NONE, .f = CALLS_NEVER};
}

static inline void zone_take(struct zone *z, const struct calls *c, uint32_t op)
{
    if (c->ret[op] < z->f) {
        z->f = c->ret[op];
        z->first_return = op;
    }
    if (z->last_call == ID_NONE || c->call[op] > z->s) {
        z->s = c->call[op];
        z->last_call = op;
    }
}

struct zone_order {
    uint64_t *at; /* (left end, zone): the zone is the lower half. Without the initial one */
    uint32_t n;
};

struct zone_order zones_sort(const struct zone *zones, uint32_t n, struct mem *m);

/* Can they be put in order? False: these two cannot. */
bool zones_fit(const struct zone *zones, const struct zone_order *order, bool initial, struct budget *b,
               uint32_t clash[2]);

#endif
