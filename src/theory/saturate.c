/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `saturate`: unit propagation over the axioms of the object's theory, and nothing else. Each report
 * is a violation. saturate_matched.c (the matching is known) and saturate_unmatched.c (it is not) describe the facts
 * that it derives. "+r" forgets matches once all facts about them have been derived. Source: Emmi et al., PLDI
 * 2015, SATURATE. */
#include "theory/saturate.h"

struct saturate {
    const struct online *way;
    void *state; /* of that */
    struct mem *mem;
};

static void *open_saturate(const struct online_setup *s)
{
    struct saturate *x = mem_new_zero(s->mem, struct saturate, 1);
    x->way = online_theory(s->spec)->ambiguous ? &saturate_unmatched : &saturate_matched;
    x->state = x->way->open(s);
    x->mem = s->mem;
    return x;
}

static void close_saturate(void *state)
{
    struct saturate *x = state;
    x->way->close(x->state);
    mem_free(x->mem, x);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct saturate *x = state;
    x->way->call(x->state, slot, step, method, args, arity);
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct saturate *x = state;
    return x->way->ret(x->state, slot, step, result);
}

static enum online_verdict finish(void *state)
{
    (void)state; /* all consequences of the returns have been derived, and open calls need not have happened */
    return ONLINE_FINE;
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct saturate *x = state;
    x->way->explain(x->state, out, m);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct saturate *x = state;
    x->way->each_value(x->state, visit, arg);
}

static uint64_t live(const void *state)
{
    const struct saturate *x = state;
    return x->way->live(x->state);
}

const struct online online_saturate = {
    .name = "saturate",
    .title = "unit propagation over the object's theory; +r forgets matches",
    .variants = (const char *const[]){"+r", NULL},
    .guarantee = ONLINE_SOUND,
    .declines = online_without_theory,
    .open = open_saturate,
    .close = close_saturate,
    .call = call,
    .ret = ret,
    .finish = finish,
    .explain = explain,
    .each_value = each_value,
    .live = live,
};
