/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/candidates.h"

bool txn_value_repeats(const struct gathered *g, uint32_t access, bool initial)
{
    return access != ID_NONE && (initial || (g->again.n && idmap_get(&g->again, access) != ID_NONE));
}

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

static uint32_t writer_of(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].op;
}

static bool is_last(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].last == access;
}

static void add_if_candidate(struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access)
{
    uint32_t writer = writer_of(g, access);
    if (writer != op && g->outcome[writer] != OUTCOME_ABORTED && is_last(g, access))
        vec_push(c->m, &c->found, g->access_write[access]);
}

void txn_candidates_find(struct txn_candidates *c, const struct gathered *g, uint32_t op, uint32_t access, bool initial)
{
    if (!c->same.at)
        group_accesses(c, g);
    const uint32_t *at = c->same.at, *list = c->same.list;
    uint32_t later = at[access]; /* the first access of this operation or of one behind it */
    while (later < at[access + 1] && writer_of(g, list[later]) < op)
        later++;
    vec_clear(&c->found);
    for (uint32_t i = later; i-- > at[access];)
        add_if_candidate(c, g, op, list[i]);
    if (initial)
        vec_push(c->m, &c->found, TXN_INIT);
    for (uint32_t i = later; i < at[access + 1]; i++)
        add_if_candidate(c, g, op, list[i]);
}

void txn_candidates_free(struct txn_candidates *c)
{
    groups_free(&c->same, c->m);
    vec_free(c->m, &c->found);
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
