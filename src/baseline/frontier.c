/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/frontier.h"

#include "base/rows.h"

struct attempt { /* a state, and which of its lanes is tried next */
    uint32_t executed, lane;
};

bool frontier_search(struct serialize *s)
{
    const struct rw *v = s->w->v;
    uint32_t lanes = s->w->graph[0].lanes;
    VEC(struct attempt) stack = {0};
    struct rows seen = {0}; /* positions in the lanes */
    for (;;) {
        serialize_reads(s);
        serialize_advance(s);
        if (s->executed == v->n)
            return true;
        budget_look(s->w->budget);
        bool new = rows_add(&seen, s->m, s->done, lanes * sizeof *s->done);
        struct attempt next = {s->executed, new ? 0 : lanes};
        vec_push(s->m, &stack, next);
        s->choices++;
        for (;;) { /* the next lane to try, of the latest state that has one */
            struct attempt *top = &vec_last(&stack);
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
