/* SPDX-License-Identifier: Apache-2.0 */
#include "order/frontier.h"

#include "base/hash.h"

struct try { /* a state, and which of its lanes is tried next */
    uint32_t executed, lane;
};

struct memo { /* keys of failed states: 128 bits each, kept as a set */
    struct {
        uint64_t a, b;
    } *slots;
    size_t mask, n;
};

struct key {
    uint64_t a, b;
};

/* Two independent hashes of the positions: a wrong match needs both to collide. */
static struct key state_key(const struct serialize *s)
{
    struct key key = {1, 2};
    for (uint32_t l = 0; l < s->w->graph[0].lanes; l++) {
        key.a = hash_join(key.a, s->done[l]);
        key.b = hash_mix(key.b * 0x9E3779B97F4A7C15u + s->done[l]);
    }
    key.a |= 1; /* 0 marks a free slot */
    return key;
}

/* False: it was there. */
static bool memo_add(struct memo *memo, struct mem *m, struct key key)
{
    if (memo->n * 2 >= memo->mask) {
        size_t mask = memo->slots ? memo->mask * 2 + 1 : 1023;
        struct memo larger = {mem_zero(m, (mask + 1) * sizeof *memo->slots), mask, 0};
        for (size_t i = 0; memo->slots && i <= memo->mask; i++)
            if (memo->slots[i].a)
                memo_add(&larger, m, (struct key){memo->slots[i].a, memo->slots[i].b});
        mem_free(m, memo->slots);
        *memo = larger;
    }
    size_t i = key.b & memo->mask;
    while (memo->slots[i].a) {
        if (memo->slots[i].a == key.a && memo->slots[i].b == key.b)
            return false;
        i = (i + 1) & memo->mask;
    }
    memo->slots[i].a = key.a;
    memo->slots[i].b = key.b;
    memo->n++;
    return true;
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
