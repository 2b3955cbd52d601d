/* SPDX-License-Identifier: Apache-2.0 */
#include "order/path.h"

#include <assert.h>

/* Effort after which a search for something shorter is given up, in events looked at. */
enum { EFFORT = 4 * 1000 * 1000 };

void paths_init(struct paths *p, const struct rw *v, struct mem *m)
{
    p->v = v;
    p->m = m;
    p->reach = mem_new(m, uint32_t, v->k);
}

void path_offer(struct paths *p, uint32_t from, uint32_t to)
{
    uint32_t t = p->v->thread[from], position = from - p->v->base[t];
    /* Positions below reach[t] have been reached with no more edges than this one needs. */
    if (position < p->reach[t])
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
    const struct rw *v = p->v;
    for (uint32_t t = 0; t < v->k; t++)
        p->reach[t] = p->floor ? p->floor[t] : 0;
    vec_clear(&p->records);
    struct path_record start = {to, ID_NONE, ID_NONE, 0};
    vec_push(p->m, &p->records, start);
    for (uint32_t i = 0; i < p->records.n; i++) {
        struct path_record record = p->records.at[i];
        uint32_t t = v->thread[record.from], end = record.from - v->base[t] + 1;
        bool first_of_cycle = i == 0 && from == to;
        if (t == v->thread[from] && record.from >= from && !first_of_cycle) {
            collect(p, i);
            return true;
        }
        if (end <= p->reach[t] || record.edges >= most)
            continue;
        uint32_t begin = p->reach[t];
        p->reach[t] = end - first_of_cycle; /* a cycle may come back to exactly its start */
        p->current = i;
        for (uint32_t position = end; position-- > begin;)
            p->causes(p->arg, p, v->base[t] + position);
        p->looked_at += end - begin;
    }
    return false;
}

void cycle_find(struct paths *p, const uint32_t *done, uint32_t on_cycle)
{
    const struct rw *v = p->v;
    VEC(struct path_edge) best = {0};
    uint64_t start = p->looked_at;
    uint32_t most = UINT32_MAX, next = 0, t = 0;
    p->floor = done; /* what could be placed is on no cycle */
    for (uint32_t e = on_cycle; p->looked_at - start < EFFORT;) {
        if (path_find(p, e, e, most)) {
            vec_clear(&best);
            for (uint32_t i = 0; i < p->found.n; i++)
                vec_push(p->m, &best, p->found.at[i]);
            most = best.n - 1;
        }
        while (t < v->k && v->base[t] + done[t] + next >= v->base[t + 1]) {
            t++;
            next = 0;
        }
        if (t == v->k)
            break;
        e = v->base[t] + done[t] + next++;
        p->looked_at++; /* even a search that stops at once is some effort */
    }
    assert(best.n);
    p->floor = NULL;
    vec_clear(&p->found);
    for (uint32_t i = 0; i < best.n; i++)
        vec_push(p->m, &p->found, best.at[i]);
    vec_free(p->m, &best);
}
