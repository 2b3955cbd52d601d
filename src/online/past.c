/* SPDX-License-Identifier: Apache-2.0 */
#include "online/past.h"

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
}

bool past_show(const struct past *p, uint64_t until, void *checker)
{
    for (uint32_t i = 0; i < p->events.n && p->events.at[i].step <= until; i++) {
        const struct past_op *o = &p->ops.at[p->events.at[i].op];
        const struct value *args = o->arity > 1 ? o->args : &o->op.arg;
        if (o->foreign && o->op.returned <= until)
            continue;
        if (!p->events.at[i].returns)
            lag_call(checker, o->slot, o->op.called, o->op.method, args, o->arity);
        else if (!lag_ret(checker, o->slot, o->op.returned, o->op.result))
            return false;
    }
    return true;
}

static enum online_verdict verdict(const struct past *p, const struct scan *scan, const struct online_setup *s,
                                   uint64_t until)
{
    void *checker = lag_open_apart(scan, s);
    enum online_verdict v = past_show(p, until, checker) ? lag_finish(checker) : ONLINE_VIOLATION;
    if (v == ONLINE_FINE && lag_weakened(checker))
        v = ONLINE_OPEN;
    lag_close(checker);
    return v;
}

static bool is_wrong(const struct past *p, const struct scan *scan, const struct online_setup *s, uint64_t until, bool *told)
{
    enum online_verdict v = verdict(p, scan, s, until);
    if (v == ONLINE_OPEN && s->spec->create && scan != &scan_jit)
        v = verdict(p, &scan_jit, s, until);
    *told = v != ONLINE_OPEN;
    return v == ONLINE_VIOLATION;
}

/* What is wrong stays wrong. So steps from the end backwards, twice as far each time, and then halves. */
uint64_t past_completes(const struct past *p, const struct scan *scan, const struct online_setup *s, uint64_t last, bool *exact)
{
    uint32_t wrong = p->events.n, fine = 0; /* so many events, and those before them */
    bool told;
    *exact = false;
    struct online_setup bounded = *s;
    bounded.most = PAST_FEW;
    if (!wrong || !is_wrong(p, scan, &bounded, ONLINE_NEVER - 1, &told))
        return last;
    *exact = true;
    for (uint32_t back = 1; wrong > fine + 1; back *= 2) {
        uint32_t at = wrong - fine > back ? wrong - back : fine + 1;
        if (!is_wrong(p, scan, &bounded, p->events.at[at - 1].step, &told)) {
            fine = at;
            *exact = told;
            break;
        }
        wrong = at;
    }
    while (wrong - fine > 1) {
        uint32_t middle = fine + (wrong - fine) / 2;
        if (is_wrong(p, scan, &bounded, p->events.at[middle - 1].step, &told)) {
            wrong = middle;
        } else {
            fine = middle;
            *exact = told;
        }
    }
    return p->events.at[wrong - 1].step;
}
