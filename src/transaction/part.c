/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/part.h"

struct parting {
    const struct txn_view *v; /* the whole */
    struct txn_view *part;
    const uint32_t *list;  /* the transactions of the part, as numbers of the whole */
    uint32_t *txn, *write; /* of a transaction and of a write of the whole: its number in the part, or ID_NONE */
    struct mem *m;
};

/* ---- numbers ---- */

static void number(struct parting *x, const struct groups *chains, uint32_t k)
{
    struct txn_view *p = x->part;
    p->k = k;
    p->n = chains->at[k];
    p->base = mem_new(x->m, uint32_t, (size_t)k + 1);
    p->chain = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    p->op = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    for (uint32_t c = 0; c < k; c++) {
        p->base[c] = chains->at[c];
        for (uint32_t t = chains->at[c]; t < chains->at[c + 1]; t++) {
            p->chain[t] = c;
            p->op[t] = x->v->op[chains->list[t]];
            x->txn[chains->list[t]] = t;
        }
    }
    p->base[k] = p->n;
}

/* ---- accesses ---- */

static void take_writes(struct parting *x)
{
    const struct txn_view *v = x->v;
    struct txn_view *p = x->part;
    uint32_t n = 0, most = 0;
    for (uint32_t t = 0; t < p->n; t++)
        most += v->writes_at[x->list[t] + 1] - v->writes_at[x->list[t]];
    p->writes_at = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    p->write_key = mem_new(x->m, uint32_t, (size_t)most + 1);
    p->writer = mem_new(x->m, uint32_t, (size_t)most + 1);
    for (uint32_t t = 0; t < p->n; t++) {
        p->writes_at[t] = n;
        for (uint32_t w = v->writes_at[x->list[t]]; w < v->writes_at[x->list[t] + 1]; w++, n++) {
            x->write[w] = n;
            p->write_key[n] = v->write_key[w];
            p->writer[n] = t;
        }
    }
    p->writes_at[p->n] = n;
}

static void take_reads(struct parting *x)
{
    const struct txn_view *v = x->v;
    struct txn_view *p = x->part;
    uint32_t n = 0, most = 0;
    for (uint32_t t = 0; t < p->n; t++)
        most += v->reads_at[x->list[t] + 1] - v->reads_at[x->list[t]];
    p->reads_at = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    p->reads = mem_new(x->m, struct txn_read, (size_t)most + 1);
    p->chosen = v->chosen ? mem_new(x->m, bool, (size_t)most + 1) : NULL;
    for (uint32_t t = 0; t < p->n; t++) {
        p->reads_at[t] = n;
        for (uint32_t i = v->reads_at[x->list[t]]; i < v->reads_at[x->list[t] + 1]; i++) {
            struct txn_read r = v->reads[i];
            r.source = r.source == TXN_INIT ? TXN_INIT : x->write[r.source];
            if (p->chosen)
                p->chosen[n] = v->chosen[i];
            p->reads[n++] = r;
        }
    }
    p->reads_at[p->n] = n;
}

static void take_versions(struct parting *x)
{
    const struct txn_view *v = x->v;
    struct txn_view *p = x->part;
    uint32_t n = 0;
    p->version = mem_new_ids(x->m, (size_t)p->writes_at[p->n] + 1);
    p->observed.at = mem_new(x->m, uint32_t, (size_t)v->d + 1);
    p->observed.list = mem_new(x->m, uint32_t, (size_t)p->writes_at[p->n] + 1);
    for (uint32_t y = 0; y < v->d; y++) {
        p->observed.at[y] = n;
        for (uint32_t i = v->observed.at[y]; i < v->observed.at[y + 1]; i++) {
            uint32_t w = x->write[v->observed.list[i]];
            if (w == ID_NONE)
                continue;
            p->version[w] = n - p->observed.at[y];
            p->observed.list[n++] = w;
        }
    }
    p->observed.at[v->d] = n;
}

/* ---- base order beside the chains ---- */

static void take_before(struct parting *x)
{
    const struct txn_view *v = x->v;
    struct txn_view *p = x->part;
    uint32_t n = 0, most = 0;
    for (uint32_t t = 0; t < p->n; t++)
        most += v->before.at[x->list[t] + 1] - v->before.at[x->list[t]];
    p->before.at = mem_new(x->m, uint32_t, (size_t)p->n + 2);
    p->before.list = mem_new(x->m, uint32_t, (size_t)most + 1);
    for (uint32_t t = 0; t < p->n; t++) {
        p->before.at[t] = n;
        for (uint32_t i = v->before.at[x->list[t]]; i < v->before.at[x->list[t] + 1]; i++)
            if (x->txn[v->before.list[i]] != ID_NONE)
                p->before.list[n++] = x->txn[v->before.list[i]];
    }
    p->before.at[p->n] = n;
}

static void take_ended(struct parting *x)
{
    const struct txn_view *v = x->v;
    struct txn_view *p = x->part;
    uint32_t *count = mem_new(x->m, uint32_t, (size_t)v->ended_count + 1); /* of those of the part among the first */
    p->ended = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    p->ended_before = mem_new(x->m, uint32_t, (size_t)p->n + 1);
    for (uint32_t i = 0; i < v->ended_count; i++) {
        uint32_t t = x->txn[v->ended[i]];
        count[i] = p->ended_count;
        if (t != ID_NONE)
            p->ended[p->ended_count++] = t;
    }
    count[v->ended_count] = p->ended_count;
    for (uint32_t t = 0; t < p->n; t++)
        p->ended_before[t] = count[v->ended_before[x->list[t]]];
    mem_free(x->m, count);
}

/* ---- all of it ---- */

struct txn_view *txn_part(const struct txn_view *v, const struct groups *chains, uint32_t k, struct mem *m)
{
    struct txn_view *p = mem_new_zero(m, struct txn_view, 1);
    struct parting x = {.v = v,
                        .part = p,
                        .list = chains->list,
                        .txn = mem_new_ids(m, (size_t)v->n + 1),
                        .write = mem_new_ids(m, (size_t)v->writes_at[v->n] + 1),
                        .m = m};
    p->part = true;
    p->d = v->d;
    p->key_at = v->key_at;
    p->anomalous = p->at = p->opposite = p->twice[0] = p->twice[1] = ID_NONE;
    number(&x, chains, k);
    take_writes(&x);
    take_reads(&x);
    if (v->version)
        take_versions(&x);
    if (v->before.at)
        take_before(&x);
    if (v->ended_before)
        take_ended(&x);
    mem_free(m, x.txn);
    mem_free(m, x.write);
    return p;
}

uint32_t txn_part_close(const struct txn_view *v, uint32_t *length, struct mem *m)
{
    uint32_t sum = 0, *closed = mem_new_zero(m, uint32_t, v->k);
    for (bool grows = true; grows;) {
        grows = false;
        for (uint32_t c = 0; c < v->k; c++)
            for (; closed[c] < length[c]; closed[c]++, sum++) {
                uint32_t t = v->base[c] + closed[c];
                for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++) {
                    if (v->reads[i].source == TXN_INIT)
                        continue;
                    uint32_t source = v->writer[v->reads[i].source], of = v->chain[source];
                    if (source - v->base[of] < length[of])
                        continue;
                    length[of] = source - v->base[of] + 1;
                    grows = true;
                }
            }
    }
    mem_free(m, closed);
    return sum;
}

struct txn_view *txn_part_beginning(const struct txn_view *v, const uint32_t *length, struct mem *m)
{
    struct groups chains = {.at = mem_new(m, uint32_t, (size_t)v->k + 1),
                            .list = mem_new(m, uint32_t, (size_t)v->n + 1)};
    uint32_t n = 0;
    for (uint32_t c = 0; c < v->k; c++) {
        chains.at[c] = n;
        for (uint32_t i = 0; i < length[c]; i++)
            chains.list[n++] = v->base[c] + i;
    }
    chains.at[v->k] = n;
    struct txn_view *part = txn_part(v, &chains, v->k, m);
    groups_free(&chains, m);
    return part;
}
