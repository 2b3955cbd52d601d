/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/zones.h"

#include "base/radix.h"

struct zone_order zones_sort(const struct zone *zones, uint32_t n, struct mem *m)
{
    struct zone_order order = {.at = mem_new(m, uint64_t, n)};
    for (uint32_t x = ZONE_INITIAL + 1; x < n; x++) {
        const struct zone *z = &zones[x];
        if (z->f != CALLS_NEVER)
            order.at[order.n++] = (uint64_t)(z->f < z->s ? z->f : z->s) << 32 | x;
    }
    radix_sort(order.at, order.n, m);
    return order;
}

bool zones_fit(const struct zone *zones, const struct zone_order *order, bool initial, struct budget *b,
               uint32_t clash[2])
{
    uint32_t forward = initial ? ZONE_INITIAL : ID_NONE;
    for (uint32_t i = 0; i < order->n; i++) {
        uint32_t x = (uint32_t)order->at[i];
        budget_tick(b);
        if (forward != ID_NONE && zones[x].f < zones[forward].s) {
            clash[0] = forward;
            clash[1] = x;
            return false;
        }
        if (zones[x].f < zones[x].s)
            forward = x;
    }
    return true;
}
