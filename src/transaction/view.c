/* SPDX-License-Identifier: Apache-2.0 */
/* The view in four steps, each in linear time:
 * - the accesses by operation (gather.c);
 * - the sources of the reads, and the transactions that count (sources.c, list_orders.c);
 * - their numbers and base order (sessions.c, real_time.c);
 * - the reads and writes laid out by these numbers. */
#include "transaction/view.h"

#include "transaction/sessions.h"
#include "transaction/sources.h"

#include <string.h>

static bool counts(const struct gathered *g, uint32_t op)
{
    return g->outcome[op] == OUTCOME_COMMITTED || g->outcome[op] == OUTCOME_TAKEN;
}

/* The first of a transaction that counts. */
static void choose_anomaly(const struct gathered *g, struct txn_view *v)
{
    for (uint32_t i = 0; i < g->anomalies.n; i++) {
        const struct anomaly *a = &g->anomalies.at[i];
        bool first = !v->anomaly || a->op < v->anomalous || (a->op == v->anomalous && a->access < v->at);
        if (!counts(g, a->op) || !first)
            continue;
        v->anomaly = a->pattern;
        v->anomalous = a->op;
        v->at = a->access;
        v->opposite = a->opposite;
    }
}

static void place_writes(const struct gathered *g, struct txn_view *v, uint32_t *moved)
{
    uint32_t n = 0;
    v->writes_at = mem_new(g->m, uint32_t, (size_t)v->n + 1);
    v->write_key = mem_new(g->m, uint32_t, (size_t)g->writes.n + 1);
    v->writer = mem_new(g->m, uint32_t, (size_t)g->writes.n + 1);
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t op = v->op[t];
        v->writes_at[t] = n;
        for (uint32_t w = g->writes_at[op]; w < g->writes_at[op + 1]; w++, n++) {
            moved[w] = n;
            v->writer[n] = t;
            v->write_key[n] = g->writes.at[w].key;
        }
    }
    v->writes_at[v->n] = n;
}

static void place_reads(const struct gathered *g, struct txn_view *v, const uint32_t *moved)
{
    uint32_t n = 0;
    v->reads_at = mem_new(g->m, uint32_t, (size_t)v->n + 1);
    v->reads = mem_new(g->m, struct txn_read, (size_t)g->reads.n + 1);
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t op = v->op[t];
        v->reads_at[t] = n;
        for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
            const struct gathered_read *r = &g->reads.at[i];
            uint32_t source = r->source == TXN_INIT ? TXN_INIT : moved[r->source];
            v->reads[n++] = (struct txn_read){r->key, source, r->access};
        }
    }
    v->reads_at[v->n] = n;
}

/* The writes that the lists of each key show: a write once, although it may have several elements. */
static void place_observed(const struct sources *s, struct txn_view *v, const uint32_t *moved)
{
    const struct gathered *g = s->g;
    v->version = mem_new_ids(g->m, (size_t)g->writes.n + 1);
    v->observed.at = mem_new_zero(g->m, uint32_t, (size_t)v->d + 2);
    v->observed.list = mem_new(g->m, uint32_t, (size_t)g->writes.n + 1);
    uint32_t n = 0;
    for (uint32_t x = 0; x < v->d; x++) {
        const struct list_order *o = &s->lists[x];
        v->observed.at[x] = n;
        for (uint32_t i = o->initial, last = ID_NONE; i < o->at.n; i++) {
            uint32_t w = moved[g->access_write[o->at.at[i].access]];
            if (w == last)
                continue;
            last = w;
            v->version[w] = n - v->observed.at[x];
            v->observed.list[n++] = w;
        }
    }
    v->observed.at[v->d] = n;
}

static void lay_out(const struct sources *s, enum base base, int64_t skew, struct txn_view *v)
{
    const struct gathered *g = s->g;
    uint32_t *txn_of = sessions_number(g, base, v), *moved = mem_new_ids(g->m, (size_t)g->writes.n + 1);
    sessions_before(g, base, txn_of, v);
    if (base == BASE_REALTIME && g->h->call)
        sessions_ended(g, skew, v);
    v->d = g->keys.n;
    v->key_at = mem_new(g->m, uint32_t, (size_t)v->d + 1);
    for (uint32_t x = 0; x < v->d; x++)
        v->key_at[x] = g->keys.at[x].at;
    place_writes(g, v, moved);
    place_reads(g, v, moved);
    if (s->lists)
        place_observed(s, v, moved);
    mem_free(g->m, moved);
    mem_free(g->m, txn_of);
}

bool txn_view_refutes(const struct txn_view *v, result *out)
{
    if (!v->anomaly)
        return false;
    out->verdict = ASSAY_VIOLATION;
    out->evidence.pattern = v->anomaly;
    out->evidence.culprit = v->anomalous;
    out->evidence.access = v->at;
    out->evidence.opposite = v->opposite;
    return true;
}

static void sources_free(struct sources *s)
{
    struct mem *m = s->g->m;
    for (uint32_t x = 0; s->lists && x < s->g->keys.n; x++)
        vec_free(m, &s->lists[x].at);
    mem_free(m, s->lists);
    mem_free(m, s->position);
    vec_free(m, &s->waiting);
}

struct txn_view *txn_view_of(struct gathered *g, struct sources *s, enum base base, int64_t skew)
{
    struct txn_view *v = mem_new_zero(g->m, struct txn_view, 1);
    sources_find(s);
    v->anomalous = v->at = v->opposite = ID_NONE;
    choose_anomaly(g, v);
    memcpy(v->twice, s->twice, sizeof v->twice);
    v->lists_repeat = s->lists_repeat;
    v->open = s->open;
    v->chosen = s->chosen;
    if (txn_view_complete(v))
        lay_out(s, base, skew, v);
    sources_free(s);
    return v;
}

struct txn_view *txn_view(const history *h, enum base base, int64_t skew, struct mem *m, assay_error *e)
{
    struct gathered g = {.h = h, .m = m, .e = e};
    struct sources s = {.g = &g, .candidates.m = m};
    gather(&g);
    struct txn_view *v = txn_view_of(&g, &s, base, skew);
    txn_candidates_free(&s.candidates);
    gathered_free(&g);
    return v;
}

uint32_t *txn_view_by_operation(const struct txn_view *v, struct mem *m)
{
    uint32_t most = 0;
    for (uint32_t t = 0; t < v->n; t++)
        most = v->op[t] > most ? v->op[t] : most;
    uint32_t *txn = mem_new(m, uint32_t, (size_t)most + 1);
    for (uint32_t t = 0; t < v->n; t++)
        txn[v->op[t]] = t;
    return txn;
}
