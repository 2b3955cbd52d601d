/* SPDX-License-Identifier: Apache-2.0 */
/* Chains are joined as they meet at keys. Transactions are looked at by their places in their chains. So chains that
 * share keys are soon joined, and the rest need not be looked at if all of them are. */
#include "transaction/apart.h"

#include "base/disjoint.h"
#include "transaction/part.h"

enum { MOST_PARTS = 16 }; /* a part costs time for each key of the history, so small ones go together */

struct meeting {
    const struct txn_view *v;
    uint32_t *parent;
    uint32_t *first; /* of a key: the first chain that was seen there */
    uint32_t apart;  /* sets of chains that have transactions */
};

static void join(struct meeting *x, uint32_t chain, uint32_t other)
{
    x->apart -= disjoint_join(x->parent, chain, other);
}

static void meet(struct meeting *x, uint32_t chain, uint32_t key)
{
    if (x->first[key] == ID_NONE)
        x->first[key] = chain;
    else
        join(x, chain, x->first[key]);
}

static void meet_all(struct meeting *x, uint32_t t)
{
    const struct txn_view *v = x->v;
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        meet(x, v->chain[t], v->reads[i].key);
    for (uint32_t w = v->writes_at[t]; w < v->writes_at[t + 1]; w++)
        meet(x, v->chain[t], v->write_key[w]);
    for (uint32_t i = v->before.at ? v->before.at[t] : 0; v->before.at && i < v->before.at[t + 1]; i++)
        join(x, v->chain[t], v->chain[v->before.list[i]]);
}

static void join_chains(struct meeting *x)
{
    const struct txn_view *v = x->v;
    bool more = true;
    for (uint32_t place = 0; more && x->apart > 1; place++) {
        more = false;
        for (uint32_t c = 0; c < v->k && x->apart > 1; c++)
            if (place < v->base[c + 1] - v->base[c]) {
                meet_all(x, v->base[c] + place);
                more = true;
            }
    }
}

struct txn_apart txn_apart(const struct txn_view *v, struct mem *m)
{
    struct txn_apart a = {.count = 1};
    struct meeting x = {.v = v, .parent = disjoint_new(v->k, m), .first = mem_new_ids(m, (size_t)v->d + 1)};
    for (uint32_t c = 0; c < v->k; c++)
        x.apart += v->base[c + 1] > v->base[c];
    if (v->ended_before)
        x.apart = 1;
    join_chains(&x);
    if (x.apart > 1) {
        uint32_t *number = mem_new_ids(m, (size_t)v->k + 1), *part = mem_new_ids(m, (size_t)v->k + 1), n = 0;
        for (uint32_t c = 0; c < v->k; c++) {
            uint32_t root = disjoint_root(x.parent, c);
            if (v->base[c + 1] == v->base[c])
                continue;
            if (number[root] == ID_NONE)
                number[root] = n++ % MOST_PARTS;
            part[c] = number[root];
        }
        a.count = n < MOST_PARTS ? n : MOST_PARTS;
        a.chains = group_by(part, v->k, a.count, m);
        mem_free(m, number);
        mem_free(m, part);
    }
    mem_free(m, x.parent);
    mem_free(m, x.first);
    return a;
}

struct txn_view *txn_apart_view(const struct txn_view *v, const struct txn_apart *a, uint32_t part, struct mem *m)
{
    uint32_t from = a->chains.at[part], k = a->chains.at[part + 1] - from, n = 0;
    struct groups chains = {.at = mem_new(m, uint32_t, (size_t)k + 1), .list = mem_new(m, uint32_t, (size_t)v->n + 1)};
    for (uint32_t i = 0; i < k; i++) {
        uint32_t c = a->chains.list[from + i];
        chains.at[i] = n;
        for (uint32_t t = v->base[c]; t < v->base[c + 1]; t++)
            chains.list[n++] = t;
    }
    chains.at[k] = n;
    struct txn_view *out = txn_part(v, &chains, k, m);
    groups_free(&chains, m);
    return out;
}
