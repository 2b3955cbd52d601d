/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/read_candidates.h"

static void group_accesses(struct txn_candidates *c, const struct gathered *g)
{
    const history *h = g->h;
    uint32_t accesses = history_accesses(h, h->n), *first = mem_new_ids(c->m, (size_t)accesses + 1);
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t a = history_accesses(h, op); a < history_accesses(h, op + 1); a++)
            if ((uint32_t)h->value_bits[3 * a + op] != g->word_read)
                first[a] = gathered_find(g, g->access_key[a], history_value(h, 3 * a + op + 2));
    c->same = group_by(first, accesses, accesses, c->m);
    mem_free(c->m, first);
}

static void group_writes(struct txn_candidates *c, const struct gathered *g)
{
    uint32_t *key = mem_new(c->m, uint32_t, (size_t)g->writes.n + 1);
    for (uint32_t w = 0; w < g->writes.n; w++)
        key[w] = g->writes.at[w].key;
    c->of_key = group_by(key, g->writes.n, g->keys.n, c->m);
    c->place = key; /* of each write instead */
    for (uint32_t x = 0; x < g->keys.n; x++)
        for (uint32_t i = c->of_key.at[x]; i < c->of_key.at[x + 1]; i++)
            c->place[c->of_key.list[i]] = i - c->of_key.at[x];
}

static uint32_t writer_of(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].op;
}

static bool is_last(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].last == access;
}

static void add(struct txn_candidates *c, uint32_t source, uint32_t cost)
{
    vec_push(c->m, &c->found, source);
    vec_push(c->m, &c->cost, cost);
}

static void add_if_candidate(struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access,
                             uint32_t cost)
{
    uint32_t writer = writer_of(g, access);
    if (writer != op && g->outcome[writer] != OUTCOME_ABORTED && is_last(g, access))
        add(c, g->access_write[access], cost);
}

/* Of ascending numbers: the first that is not below `least`. */
static uint32_t first_from(const uint32_t *list, uint32_t low, uint32_t high, uint32_t least)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list[middle] < least)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Two candidates are compared by the writes of the key between them and the read, as they were recorded. Accesses and
 * writes are numbered by operation. */
void txn_candidates_find(struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access, bool initial,
                         uint32_t most)
{
    if (!c->same.at) {
        group_accesses(c, g);
        group_writes(c, g);
    }
    uint32_t key = g->access_key[access], from = c->same.at[access], end = c->same.at[access + 1];
    uint32_t behind = first_from(c->same.list, from, end, history_accesses(g->h, op)), before = behind;
    uint32_t here = first_from(c->of_key.list, c->of_key.at[key], c->of_key.at[key + 1], g->writes_at[op]) -
                    c->of_key.at[key];
    vec_clear(&c->found);
    vec_clear(&c->cost);
    while ((before > from || behind < end || initial) && c->found.n < most) {
        uint32_t past = before > from ? here - 1 - c->place[g->access_write[c->same.list[before - 1]]]
                        : initial     ? here
                                      : UINT32_MAX;
        uint32_t future = behind < end ? c->place[g->access_write[c->same.list[behind]]] - here + 1 : UINT32_MAX;
        if (future < past) {
            add_if_candidate(c, g, op, c->same.list[behind++], future);
        } else if (before > from) {
            add_if_candidate(c, g, op, c->same.list[--before], past);
        } else {
            add(c, TXN_INIT, past);
            initial = false;
        }
    }
}

void txn_candidates_free(struct txn_candidates *c)
{
    groups_free(&c->same, c->m);
    groups_free(&c->of_key, c->m);
    mem_free(c->m, c->place);
    vec_free(c->m, &c->found);
    vec_free(c->m, &c->cost);
}

enum pattern txn_candidates_lack(const struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access,
                                 uint32_t *writer)
{
    enum pattern p = PATTERN_NONE;
    for (uint32_t i = c->same.at[access]; i < c->same.at[access + 1]; i++) {
        uint32_t by = writer_of(g, c->same.list[i]);
        enum pattern here = by == op                            ? PATTERN_FutureRead
                            : g->outcome[by] == OUTCOME_ABORTED ? PATTERN_AbortedRead
                                                                : PATTERN_IntermediateRead;
        if (p == PATTERN_NONE || here == PATTERN_FutureRead) {
            p = here;
            *writer = by;
        }
    }
    return p;
}
