/* SPDX-License-Identifier: Apache-2.0 */
/* Proof that no gap can be used any more: a small part of the values.
 *
 * Peeling is stuck in a segment under two conditions. Each gap in the segment is covered. And each value whose push and
 * pop are placed has a peek all of whose gaps are covered by other values. So take values that cover the segment. For
 * each taken value with such a peek, take values that cover the peek, and so on. All these values get stuck by
 * themselves. As long as all of them are there, no gap of the segment is used. So no operation of theirs can be placed
 * that was not placed already, and no such peek either. */
#include "scan/nest.h"

struct reach { /* of the values that begin to cover up to some event: the two that reach furthest, or ID_NONE */
    uint32_t first, second;
};

struct proof {
    const struct nest *x;
    uint32_t *close;     /* of each value: the event up to which it covers */
    struct reach *reach; /* of each event of the segment */
    uint32_t *peek;      /* of each value: a peek that is not placed, or ID_NONE */
    bool *values;
    VEC(uint32_t) todo; /* chosen values whose peeks are not covered yet */
};

static void survey(struct proof *p)
{
    const struct nest *x = p->x;
    uint32_t length = x->stuck_to - x->stuck_from;
    p->close = mem_new(x->m, uint32_t, x->values);
    p->peek = mem_new_ids(x->m, x->values);
    p->reach = mem_new(x->m, struct reach, length);
    for (uint32_t i = x->stuck_from; i < x->stuck_to; i++) {
        uint32_t id = nest_id(x->events[i]);
        if (nest_kind(x->events[i]) == NEST_CLOSE)
            p->close[id] = i;
        else if (nest_kind(x->events[i]) == NEST_PEEK_BEGIN && !(x->peek_state[id] & NEST_PEEK_PLACED))
            p->peek[x->owner[id]] = id;
    }
    struct reach r = {ID_NONE, ID_NONE};
    for (uint32_t i = x->stuck_from; i < x->stuck_to; i++) {
        uint32_t v = nest_id(x->events[i]);
        if (nest_kind(x->events[i]) == NEST_OPEN && !(x->state[v] & NEST_TAKEN)) {
            if (r.first == ID_NONE || p->close[v] > p->close[r.first])
                r = (struct reach){v, r.first};
            else if (r.second == ID_NONE || p->close[v] > p->close[r.second])
                r.second = v;
        }
        p->reach[i - x->stuck_from] = r;
    }
}

static void choose(struct proof *p, uint32_t v)
{
    if (!p->values[v])
        vec_push(p->x->m, &p->todo, v);
    p->values[v] = true;
}

static void cover(struct proof *p, uint32_t first, uint32_t last, uint32_t except)
{
    for (uint32_t gap = first; gap <= last;) {
        const struct reach *r = &p->reach[gap - 1 - p->x->stuck_from];
        uint32_t v = r->first == except ? r->second : r->first;
        choose(p, v);
        gap = p->close[v] + 1;
    }
}

void nest_why_stuck(struct nest *x, bool *values, bool *peeks)
{
    enum { PLACED = NEST_PUSH_PLACED | NEST_POP_PLACED };
    struct proof p = {.x = x, .values = values};
    survey(&p);
    cover(&p, x->stuck_from + 1, x->stuck_to - 1, ID_NONE);
    while (p.todo.n) {
        uint32_t v = vec_pop(&p.todo);
        if ((x->state[v] & PLACED) != PLACED)
            continue;
        peeks[p.peek[v]] = true;
        cover(&p, x->peek_begin[p.peek[v]] + 1, x->peek_end[p.peek[v]], v);
    }
    mem_free(x->m, p.close);
    mem_free(x->m, p.peek);
    mem_free(x->m, p.reach);
    mem_free(x->m, p.todo.at);
}
