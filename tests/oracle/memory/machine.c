/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/machine.h"

#include "oracle/memory/history.h"
#include "support/chance.h"

#include <stdbool.h>
#include <string.h>

static void flush_one(struct memory *m, int t, int k)
{
    m->store[m->queue[t][k][0]] = m->queue[t][k][1];
    m->queued[t]--;
    memmove(m->queue[t][k], m->queue[t][k + 1], sizeof m->queue[t][0] * (size_t)(m->queued[t] - k));
}

static void flush_some(struct memory *m, int threads)
{
    for (int i = below(3); i > 0; i--) {
        int t = below(threads);
        if (!m->queued[t])
            continue;
        int k = m->machine == PARTIAL ? below(m->queued[t]) : 0;
        for (int j = 0; j < k; j++) /* writes of one variable stay in order */
            if (m->queue[t][j][0] == m->queue[t][k][0])
                k = j;
        flush_one(m, t, k);
    }
}

static void flush_all(struct memory *m, int t)
{
    while (m->queued[t])
        flush_one(m, t, 0);
}

static void deliver_some(struct memory *m, int threads)
{
    for (int i = below(4); i > 0 && m->sent_count; i--) {
        int t = below(threads), k = below(m->sent_count), from = m->sent[k].from, number = 0;
        for (int j = 0; j < k; j++)
            number += m->sent[j].from == from;
        bool ready = from != t && m->got[t][from] == number;
        for (int u = 0; u < threads; u++)
            ready = ready && (u == from || m->got[t][u] >= m->sent[k].needs[u]);
        if (!ready)
            continue;
        m->seen[t][m->sent[k].var] = m->sent[k].val;
        m->got[t][from]++;
    }
}

static void store_value(struct memory *m, int t, int var, int val)
{
    if (m->machine == SEQUENTIAL || m->machine == DICE) {
        m->store[var] = val;
    } else if (m->machine == REPLICAS) {
        m->seen[t][var] = val;
        m->sent[m->sent_count].var = var;
        m->sent[m->sent_count].val = val;
        m->sent[m->sent_count].from = t;
        memcpy(m->sent[m->sent_count++].needs, m->got[t], sizeof m->got[t]);
        m->got[t][t]++;
    } else {
        m->queue[t][m->queued[t]][0] = var;
        m->queue[t][m->queued[t]++][1] = val;
    }
}

static int load_value(struct memory *m, int t, int var)
{
    if (m->machine == REPLICAS)
        return m->seen[t][var];
    for (int k = m->queued[t] - 1; k >= 0; k--)
        if (m->queue[t][k][0] == var)
            return m->queue[t][k][1];
    return m->store[var];
}

static int pick_value(const struct history *h, int var, int alphabet)
{
    if (alphabet) {
        int v = below(alphabet);
        return v == 0 ? h->vars[var].init : v < 3 ? v : FRESH + v;
    }
    return FRESH + h->n;
}

void run_machine(struct history *h, const struct shape *s, struct memory *m)
{
    for (int v = 0; v < h->var_count; v++) {
        m->store[v] = h->vars[v].init;
        for (int t = 0; t < s->threads; t++)
            m->seen[t][v] = h->vars[v].init;
    }
    while (h->n < s->ops) {
        struct op *o = &h->ops[h->n];
        *o = (struct op){
            .thread = below(s->threads), .var = below(s->vars), .kind = READ, .old = NOTHING, .val = NOTHING};
        int dice = below(100);
        if (dice < s->rmw)
            o->kind = RMW;
        else if (dice < s->rmw + s->fence)
            o->kind = FENCE;
        else if (dice < s->rmw + s->fence + s->write)
            o->kind = WRITE;
        if (o->kind == RMW || o->kind == FENCE)
            flush_all(m, o->thread);
        if (reads(o))
            o->old = load_value(m, o->thread, o->var);
        if (writes(o)) {
            o->val = pick_value(h, o->var, s->alphabet);
            store_value(m, o->thread, o->var, o->val);
        }
        if (o->kind == RMW)
            flush_all(m, o->thread);
        h->n++;
        flush_some(m, s->threads);
        deliver_some(m, s->threads);
    }
}
