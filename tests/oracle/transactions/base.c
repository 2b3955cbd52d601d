/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/base.h"

bool in(set s, int t)
{
    return s >> t & 1;
}

set with_outcome(const struct history *h, enum outcome outcome)
{
    set s = 0;
    for (int t = 0; t < h->n; t++)
        s |= (set)(h->txns[t].outcome == outcome) << t;
    return s;
}

/* Is t among the first of its session that u knows of? */
static bool known(const struct history *h, int t, int u)
{
    int before = 0;
    for (int i = 0; i < t; i++)
        before += h->txns[i].session == h->txns[t].session;
    return before < h->knows[u * h->session_count + h->txns[t].session];
}

static bool ended_before(const struct history *h, int t, int u)
{
    if (h->timing == TIMED)
        return h->txns[t].end < h->txns[u].begin;
    return h->timing == KNOWLEDGE && known(h, t, u);
}

void base_order(const struct history *h, enum base b, set base[MOST_TXNS])
{
    for (int u = 0; u < h->n; u++) {
        base[u] = 0;
        for (int t = 0; t < h->n; t++) {
            bool so = t < u && h->txns[t].session == h->txns[u].session;
            bool before = b != PLAIN && (so || (b == STRICT && t != u && ended_before(h, t, u)));
            if (before && h->txns[t].outcome != MAYBE)
                base[u] |= 1u << t;
        }
    }
    for (int k = 0; k < h->n; k++)
        for (int u = 0; u < h->n; u++)
            if (in(base[u], k))
                base[u] |= base[k];
}
