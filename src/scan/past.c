/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/past.h"

#include <stdlib.h>

void past_add(struct past *p, const struct past_op *o)
{
    struct past_event call = {o->op.called, p->ops.n, false}, ret = {o->op.returned, p->ops.n, true};
    vec_push(p->mem, &p->ops, *o);
    vec_push(p->mem, &p->events, call);
    if (o->op.returned != ONLINE_NEVER)
        vec_push(p->mem, &p->events, ret);
}

static int by_step(const void *a, const void *b)
{
    uint64_t x = ((const struct past_event *)a)->step, y = ((const struct past_event *)b)->step;
    return x < y ? -1 : x > y;
}

void past_sort(struct past *p)
{
    if (p->events.n)
        qsort(p->events.at, p->events.n, sizeof *p->events.at, by_step);
}

void past_free(struct past *p)
{
    vec_free(p->mem, &p->ops);
    vec_free(p->mem, &p->events);
    vec_free(p->mem, &p->init);
}

struct online_setup past_setup(const struct past *p, const struct online_setup *s)
{
    struct online_setup first = *s;
    first.setting = (assay_setting){s->setting.parameter, p->init.at, p->init.n};
    return first;
}

/* The events after `until` that a sequel has: returns of operations that were open. */
static bool go_on(const struct past *p, uint64_t until, const struct past_sequel *sequel, void *checker)
{
    bool is_next = true;
    for (uint32_t i = 0; i < p->events.n; i++) {
        const struct past_op *o = &p->ops.at[p->events.at[i].op];
        if (p->events.at[i].step <= until || !p->events.at[i].returns || o->op.called > until || o->foreign)
            continue;
        struct value result = is_next && o->op.arg.kind == ASSAY_NONE ? sequel->next : o->op.result;
        bool never = is_next ? sequel->next.kind == ASSAY_NONE : sequel->without_suspects && o->suspect;
        is_next = false;
        if (!never && !holdback_ret(checker, o->slot, o->op.returned, result))
            return false;
    }
    return true;
}

bool past_show(const struct past *p, uint64_t until, const struct past_sequel *sequel, void *checker)
{
    for (uint32_t i = 0; i < p->events.n && p->events.at[i].step <= until; i++) {
        const struct past_op *o = &p->ops.at[p->events.at[i].op];
        const struct value *args = o->arity > 1 ? o->args : &o->op.arg;
        if (o->foreign && o->op.returned <= until)
            continue;
        if (!p->events.at[i].returns)
            holdback_call(checker, o->slot, o->op.called, o->op.method, args, o->arity);
        else if (!holdback_ret(checker, o->slot, o->op.returned, o->op.result))
            return false;
    }
    return !sequel || go_on(p, until, sequel, checker);
}
