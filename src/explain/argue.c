/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/argue.h"

#include "explain/argue_orders.h"
#include "history/value_ids.h"
#include "search/calls.h"
#include "search/plain_part.h"
#include "spec/roles.h"

#include <string.h>

enum { MOST_OPERATIONS = 14 };

struct core {
    struct job *job;
    const struct evidence *ev;
    struct argue_orders *a;
    struct argue_state s;
    struct value_ids values;
    struct value empty, full, no;
    bool two_ends, queue, bounded, greatest;
    bool fits;
    uint32_t ops[MOST_OPERATIONS], n;
};

static bool is_for(const struct job *job)
{
    const struct evidence *ev = &job->out->evidence;
    if (!job->part->object || ev->whole || !(job->model->conditions & COND_LIN) || job->calls->order == CALLS_PROGRAM)
        return false;
    return plain_is(job, "queue") || plain_is(job, "bounded-queue") || plain_is(job, "stack") ||
           plain_is(job, "deque") || plain_is(job, "pqueue");
}

/* ---- the order in time ---- */

static bool precedes(const struct calls *c, uint32_t x, uint32_t y)
{
    const history *h = c->h;
    if (c->order == CALLS_AFTER)
        return c->index[x] < c->past[(size_t)y * h->threads.n + h->thread[x]];
    bool in_thread = c->order == CALLS_TIED && h->thread[x] == h->thread[y] && x < y && !history_pending(h, x);
    return in_thread || (c->ret[x] != CALLS_NEVER && c->ret[x] < c->call[y]);
}

/* Only the events up to the culprit's return count, where the proof says so. */
static bool is_open(const struct core *x, uint32_t op)
{
    const struct calls *c = x->job->calls;
    if (history_pending(x->job->h, op))
        return true;
    return x->ev->prefix && c->ret && c->ret[op] > c->ret[x->ev->culprit];
}

/* ---- the calls ---- */

static struct argue_node *new_node(struct core *x)
{
    static struct argue_node spare;
    x->fits &= x->a->n < ARGUE_NODES;
    return x->fits ? &x->a->node[x->a->n++] : &spare;
}

static unsigned role(const struct core *x, uint32_t op)
{
    return calls_method(x->job->calls, op) >> x->two_ends;
}

/* Of a queue the values enter at the back, and leave at the front; of a stack they leave at the back. */
static uint8_t end_of(const struct core *x, uint32_t op)
{
    if (x->two_ends)
        return calls_method(x->job->calls, op) % 2;
    return role(x, op) == COLLECTION_ADD || !x->queue;
}

static int64_t priority_of(const struct core *x, struct value v)
{
    return v.kind != ASSAY_INT ? 0 : x->greatest ? v.bits : -(v.bits + 1);
}

/* An enq of a bounded queue that has put nothing in. Without such calls it is a queue. */
static bool found_full(const struct core *x, uint32_t op)
{
    const history *h = x->job->h;
    return x->bounded && role(x, op) == COLLECTION_ADD && !history_pending(h, op) &&
           (value_same(history_result(h, op), x->full) || value_same(history_result(h, op), x->no));
}

static void enter(struct core *x, uint32_t op)
{
    const history *h = x->job->h;
    if (found_full(x, op))
        return;
    unsigned r = role(x, op);
    bool open = is_open(x, op), pending = history_pending(h, op), adds = r == COLLECTION_ADD;
    struct value v = adds ? history_arg(h, op, 0) : pending ? (struct value){0} : history_result(h, op);
    bool empty = !adds && !pending && value_same(v, x->empty);
    if ((open && (r == COLLECTION_PEEK || empty)) || (!adds && !pending && !empty && v.kind == ASSAY_NONE))
        return; /* it need not have been there */
    struct argue_node *node = new_node(x);
    *node = (struct argue_node){.kind = adds                   ? ARGUE_ADD
                                        : empty                ? ARGUE_EMPTY
                                        : r == COLLECTION_PEEK ? ARGUE_PEEK
                                                               : ARGUE_TAKE,
                                .op = op,
                                .value = empty || (pending && !adds) ? ID_NONE : value_id(x->job->mem, &x->values, v),
                                .shown = adds ? history_written(h, op, 0) : history_written_result(h, op),
                                .end = end_of(x, op),
                                .open = open && !adds,
                                .priority = priority_of(x, v)};
}

/* Initial values whose calls were left out are not there. */
static void enter_initial(struct core *x)
{
    const struct job *job = x->job;
    const assay_setting s = part_setting(job->part);
    for (size_t i = 0; i < s.init_count && x->fits; i++) {
        struct value v = value_internal(s.init[i].value);
        bool whole = true;
        for (uint32_t k = 0; k < job->part->n && whole; k++) {
            uint32_t op = job->part->ops[k];
            bool adds = role(x, op) == COLLECTION_ADD, kept = false;
            if (role(x, op) == COLLECTION_PEEK || (!adds && history_pending(job->h, op)) ||
                !value_same(adds ? history_arg(job->h, op, 0) : history_result(job->h, op), v) ||
                (x->ev->prefix && job->calls->call && job->calls->call[op] > job->calls->ret[x->ev->culprit]))
                continue;
            for (uint32_t n = 0; n < x->n; n++)
                kept |= x->ops[n] == op;
            whole = kept;
        }
        if (whole)
            *new_node(x) = (struct argue_node){.kind = ARGUE_ADD,
                                               .op = ASSAY_NO_OPERATION,
                                               .value = value_id(job->mem, &x->values, v),
                                               .shown = v,
                                               .end = 1,
                                               .priority = priority_of(x, v)};
    }
}

/* For each value that is put in a node that stands for never taking it out. */
static void enter_ends(struct core *x)
{
    uint8_t n = x->a->n;
    for (uint8_t u = 0; u < n; u++)
        if (x->a->node[u].kind == ARGUE_ADD)
            *new_node(x) = (struct argue_node){.kind = ARGUE_NEVER,
                                               .op = ASSAY_NO_OPERATION,
                                               .value = ID_NONE,
                                               .shown = x->a->node[u].shown,
                                               .priority = u};
}

static bool comes_first(const struct core *x, uint8_t i, uint8_t k)
{
    const struct argue_node *a = &x->a->node[i], *b = &x->a->node[k];
    if (a->kind == ARGUE_NEVER || i == k)
        return false;
    if (b->kind == ARGUE_NEVER)
        return true;
    if (b->op == ASSAY_NO_OPERATION)
        return a->op == ASSAY_NO_OPERATION && i < k;
    return a->op == ASSAY_NO_OPERATION || precedes(x->job->calls, a->op, b->op);
}

/* The calls that the proof keeps. If it keeps all, they are few if the part is small. False: they are many. */
static bool gather(struct core *x)
{
    const struct evidence *ev = x->ev;
    const struct part *part = x->job->part;
    const struct calls *c = x->job->calls;
    if (ev->kept.n > MOST_OPERATIONS || (!ev->kept.n && ev->pattern != PATTERN_NoLinearization))
        return false;
    for (uint32_t i = 0; i < ev->kept.n; i++)
        x->ops[x->n++] = ev->kept.at[i];
    for (uint32_t i = 0; i < part->n && !ev->kept.n; i++) {
        if (ev->prefix && c->ret && c->call[part->ops[i]] > c->ret[ev->culprit])
            continue;
        if (x->n == MOST_OPERATIONS)
            return false;
        x->ops[x->n++] = part->ops[i];
    }
    return x->n > 1;
}

static void argue_about(struct core *x)
{
    const struct evidence *ev = x->ev;
    x->a = argue_orders_new(x->job->mem);
    memset(x->s.match, ARGUE_NO, sizeof x->s.match);
    memset(x->s.taker, ARGUE_NO, sizeof x->s.taker);
    x->a->by_priority = plain_is(x->job, "pqueue");
    enter_initial(x);
    for (uint32_t i = 0; i < x->n; i++)
        enter(x, x->ops[i]);
    enter_ends(x);
    for (uint8_t i = 0; x->fits && i < x->a->n; i++)
        for (uint8_t k = 0; k < x->a->n; k++)
            if (comes_first(x, i, k))
                argue_in_time(x->a, &x->s, i, k);
    if (!x->fits || !argue_contradiction(x->a, &x->s, &x->job->out->evidence))
        return;
    for (uint32_t i = 0; i < x->n; i++)
        vec_push(ev->mem, &x->job->out->evidence.argument.ops, x->ops[i]);
}

static struct value word(const history *h, const char *letters)
{
    return (struct value){names_find(&h->names, letters, strlen(letters)), ASSAY_WORD};
}

void argue(struct job *job)
{
    if (!is_for(job))
        return;
    bool bounded = plain_is(job, "bounded-queue");
    struct core *x = mem_new_zero(job->mem, struct core, 1);
    *x = (struct core){.job = job,
                       .ev = &job->out->evidence,
                       .empty = word(job->h, "empty"),
                       .full = word(job->h, "full"),
                       .no = word(job->h, "false"),
                       .bounded = bounded,
                       .two_ends = plain_is(job, "deque"),
                       .queue = bounded || plain_is(job, "queue"),
                       .greatest = !assay_value_same(job->part->object->setting.parameter, assay_word("min")),
                       .fits = true};
    if (gather(x))
        argue_about(x);
}
