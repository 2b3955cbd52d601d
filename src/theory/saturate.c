/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `saturate`: unit propagation over the axioms of the object's theory, and nothing else. Each report
 * is a violation. saturate_matched.c (the matching is known) and saturate_unmatched.c (it is not) describe the facts
 * that it derives. "+r" forgets matches once all facts about them have been derived. Source: Bouajjani et al., PLDI
 * 2015, SATURATE. */
#include "theory/saturate_matched.h"
#include "theory/saturate_unmatched.h"

struct saturate {
    struct mem *mem;
    struct matched *pairs; /* one of these */
    struct unmatched *few;
};

static const char *declines(const struct online_setup *s)
{
    return online_theory(s->spec) ? NULL : "the object has no theory";
}

static void *open_saturate(const struct online_setup *s)
{
    struct saturate *x = mem_new_zero(s->mem, struct saturate, 1);
    const struct theory *t = online_theory(s->spec);
    x->mem = s->mem;
    if (t->ambiguous)
        x->few = unmatched_open(s, t, s->variant != NULL);
    else
        x->pairs = matched_open(s, t, s->variant != NULL);
    return x;
}

static void close_saturate(void *state)
{
    struct saturate *x = state;
    if (x->pairs)
        matched_close(x->pairs);
    else
        unmatched_close(x->few);
    mem_free(x->mem, x);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct saturate *x = state;
    struct value arg = arity ? args[0] : (struct value){0};
    if (x->pairs)
        matched_call(x->pairs, slot, step, method, arg);
    else
        unmatched_call(x->few, slot, step, method, arg);
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct saturate *x = state;
    return x->pairs ? matched_return(x->pairs, slot, step, result) : unmatched_return(x->few, slot, step, result);
}

static enum online_verdict finish(void *state)
{
    (void)state; /* all consequences of the returns have been derived, and open calls need not have happened */
    return ONLINE_FINE;
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    struct saturate *x = state;
    if (x->pairs)
        matched_explain(x->pairs, out, m);
    else
        unmatched_explain(x->few, out, m);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct saturate *x = state;
    if (x->pairs)
        matched_each_value(x->pairs, visit, arg);
    else
        unmatched_each_value(x->few, visit, arg);
}

static uint64_t live(const void *state)
{
    const struct saturate *x = state;
    return x->pairs ? matched_live(x->pairs) : unmatched_live(x->few);
}

const struct online online_saturate = {
    .name = "saturate",
    .title = "unit propagation over the object's theory; +r forgets matches",
    .variants = (const char *const[]){"+r", NULL},
    .guarantee = ONLINE_SOUND,
    .declines = declines,
    .open = open_saturate,
    .close = close_saturate,
    .call = call,
    .ret = ret,
    .finish = finish,
    .explain = explain,
    .each_value = each_value,
    .live = live,
};
