/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/path.h"

#include <assert.h>

/* Effort after which a search for something shorter is given up, in events looked at. */
enum { EFFORT = 4 * 1000 * 1000 };

void paths_init(struct paths *p, struct chains chains, struct mem *m)
{
    p->chains = chains;
    p->m = m;
    p->reach = mem_new(m, uint32_t, chains.count);
}

void path_offer(struct paths *p, uint32_t from, uint32_t to)
{
    uint32_t chain = p->chains.of[from], position = p->chains.at[from];
    /* Positions below reach[chain] have been reached with no more edges than this one needs. */
    if (position < p->reach[chain])
        return;
    struct path_record record = {from, to, p->current, p->records.at[p->current].edges + 1};
    vec_push(p->m, &p->records, record);
}

static void collect(struct paths *p, uint32_t record)
{
    vec_clear(&p->found);
    for (; p->records.at[record].parent != ID_NONE; record = p->records.at[record].parent) {
        struct path_edge edge = {p->records.at[record].from, p->records.at[record].to};
        vec_push(p->m, &p->found, edge);
    }
}

bool path_find(struct paths *p, uint32_t from, uint32_t to, uint32_t most)
{
    const struct chains *c = &p->chains;
    for (uint32_t chain = 0; chain < c->count; chain++)
        p->reach[chain] = p->floor ? p->floor[chain] : 0;
    vec_clear(&p->records);
    struct path_record start = {to, ID_NONE, ID_NONE, 0};
    vec_push(p->m, &p->records, start);
    for (uint32_t i = 0; i < p->records.n; i++) {
        struct path_record record = p->records.at[i];
        uint32_t chain = c->of[record.from], end = c->at[record.from] + 1;
        bool first_of_cycle = i == 0 && from == to;
        if (chain == c->of[from] && end > c->at[from] && !first_of_cycle) {
            collect(p, i);
            return true;
        }
        if (end <= p->reach[chain] || record.edges >= most)
            continue;
        uint32_t begin = p->reach[chain];
        p->reach[chain] = end - first_of_cycle; /* a cycle may come back to exactly its start */
        p->current = i;
        for (uint32_t position = end; position-- > begin;)
            p->causes(p->arg, p, chain_event(c, chain, position));
        p->looked_at += end - begin;
    }
    return false;
}

void path_must_find(struct paths *p, uint32_t from, uint32_t to)
{
    bool found = path_find(p, from, to, UINT32_MAX);
    assert(found);
    (void)found;
}

void cycle_find(struct paths *p, const uint32_t *done, uint32_t on_cycle)
{
    const struct chains *c = &p->chains;
    VEC(struct path_edge) best = {0};
    uint64_t start = p->looked_at;
    uint32_t most = UINT32_MAX, next = 0, chain = 0;
    p->floor = done; /* placed events are on no cycle */
    for (uint32_t e = on_cycle; p->looked_at - start < EFFORT;) {
        if (path_find(p, e, e, most)) {
            vec_clear(&best);
            for (uint32_t i = 0; i < p->found.n; i++)
                vec_push(p->m, &best, p->found.at[i]);
            most = best.n - 1;
        }
        while (chain < c->count && c->start[chain] + done[chain] + next >= c->start[chain + 1]) {
            chain++;
            next = 0;
        }
        if (chain == c->count)
            break;
        e = chain_event(c, chain, done[chain] + next++);
        p->looked_at++; /* even a search that stops at once is some effort */
    }
    assert(best.n);
    p->floor = NULL;
    vec_clear(&p->found);
    for (uint32_t i = 0; i < best.n; i++)
        vec_push(p->m, &p->found, best.at[i]);
    vec_free(p->m, &best);
}
