/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/part_events.h"

#include "base/radix.h"

#include <string.h>

struct part_events part_events_open(struct job *job)
{
    struct part_events r = {.job = job};
    for (int w = 0; w < ONLINE_WORDS; w++)
        r.words[w] = names_find(&job->h->names, online_words[w], strlen(online_words[w]));
    return r;
}

struct value part_events_value(const struct part_events *r, struct value v)
{
    if (!kind_is_text(v.kind))
        return v;
    for (int w = 0; w < ONLINE_WORDS && v.kind == ASSAY_WORD; w++)
        if (v.bits == (int64_t)r->words[w])
            return (struct value){w, v.kind};
    return (struct value){v.bits + ONLINE_WORDS, v.kind};
}

struct online_op part_events_op(const struct part_events *r, uint32_t op)
{
    const struct calls *c = r->job->calls;
    const history *h = r->job->h;
    uint64_t returned = c->ret ? c->ret[op] + 1ull : 0;
    return (struct online_op){
        .called = c->call ? c->call[op] + 1ull : 0,
        .returned = history_pending(h, op) ? ONLINE_NEVER : returned,
        .method = calls_method(c, op),
        .arg = history_arity(h, op) ? part_events_value(r, history_arg(h, op, 0)) : (struct value){0},
        .result = part_events_value(r, history_result(h, op)),
    };
}

uint32_t part_events_at(const struct part_events *r, uint64_t step)
{
    const uint32_t *ops = r->job->part->ops, *call = r->job->calls->call;
    uint32_t low = 0, high = r->job->part->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(call[ops[middle]] < step ? &low : &high) = middle;
    }
    return ops[low];
}

/* ---- events ---- */

struct feeding {
    const struct part_events *r;
    part_event *ret;
    void *state;
    VEC(struct scan_op) open; /* operations that have not returned, at their numbers */
    VEC(uint32_t) free;       /* numbers */
    uint32_t *number;         /* of each operation, by its place in the part */
    uint64_t *due; /* operations that return, by return: the rank in the upper half, the place in the lower */
    uint32_t due_n, returned;
};

static void sort_returns(struct feeding *f)
{
    const struct job *job = f->r->job;
    const struct part *part = job->part;
    f->due = mem_new(job->mem, uint64_t, part->n + 1);
    for (uint32_t i = 0; i < part->n; i++)
        if (job->calls->ret[part->ops[i]] != CALLS_NEVER)
            f->due[f->due_n++] = (uint64_t)job->calls->ret[part->ops[i]] << 32 | i;
    radix_sort(f->due, f->due_n, job->mem);
}

/* Shows the returns before the rank. */
static uint32_t pass_returns(struct feeding *f, uint32_t rank)
{
    for (; f->returned < f->due_n && f->due[f->returned] >> 32 < rank; f->returned++) {
        uint32_t i = (uint32_t)f->due[f->returned];
        if (!f->ret(f->state, &f->open.at[f->number[i]]))
            return f->r->job->part->ops[i];
        vec_push(f->r->job->mem, &f->free, f->number[i]);
    }
    return ID_NONE;
}

static struct scan_op *open_op(struct feeding *f, uint32_t i)
{
    uint32_t op = f->r->job->part->ops[i], at = f->open.n;
    if (f->free.n)
        at = vec_pop(&f->free);
    else
        vec_push(f->r->job->mem, &f->open, ((struct scan_op){.args = NULL}));
    struct scan_op *o = &f->open.at[at];
    o->op = part_events_op(f->r, op);
    f->number[i] = o->mark = at;
    o->arity = history_arity(f->r->job->h, op);
    if (o->arity > 1 && !o->args)
        o->args = mem_new(f->r->job->mem, struct value, UINT8_MAX);
    for (uint32_t a = 0; o->arity > 1 && a < o->arity; a++)
        o->args[a] = part_events_value(f->r, history_arg(f->r->job->h, op, a));
    return o;
}

uint32_t part_events_feed(const struct part_events *r, part_event *call, part_event *ret, void *state)
{
    const struct part *part = r->job->part;
    struct feeding f = {.r = r, .ret = ret, .state = state, .number = mem_new(r->job->mem, uint32_t, part->n + 1)};
    sort_returns(&f);
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t wrong = pass_returns(&f, r->job->calls->call[part->ops[i]]);
        budget_tick(r->job->budget);
        if (wrong != ID_NONE)
            return wrong;
        if (!call(state, open_op(&f, i)))
            return part->ops[i];
    }
    return pass_returns(&f, CALLS_NEVER);
}
