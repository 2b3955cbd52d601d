/* SPDX-License-Identifier: Apache-2.0 */
#include "order/frontier.h"

#include "base/hash.h"
#include "base/memo.h"

struct try { /* a state, and which of its lanes is tried next */
    uint32_t executed, lane;
};

/* Two independent hashes of the positions: a wrong match needs both to collide. */
static struct memo_key state_key(const struct serialize *s)
{
    struct memo_key key = {1, 2};
    for (uint32_t l = 0; l < s->w->graph[0].lanes; l++) {
        key.a = hash_join(key.a, s->done[l]);
        key.b = hash_mix(key.b * 0x9E3779B97F4A7C15u + s->done[l]);
    }
    return key;
}

bool frontier_search(struct serialize *s)
{
    const struct rw *v = s->w->v;
    uint32_t lanes = s->w->graph[0].lanes;
    VEC(struct try) stack = {0};
    struct memo memo = {0};
    for (;;) {
        serialize_settle(s);
        serialize_advance(s);
        if (s->executed == v->n)
            return true;
        budget_look(s->w->budget);
        struct try next = {s->executed, memo_add(&memo, s->m, state_key(s)) ? 0 : lanes};
        vec_push(s->m, &stack, next);
        s->choices++;
        for (;;) { /* the next lane to try, of the latest state that has one */
            struct try *top = &vec_last(&stack);
            serialize_roll_back(s, top->executed);
            while (top->lane < lanes && !serialize_can_write(s, top->lane))
                top->lane++;
            if (top->lane < lanes)
                break;
            s->conflicts++;
            stack.n--;
            if (!stack.n)
                return false;
        }
        serialize_write(s, vec_last(&stack).lane++);
    }
}
