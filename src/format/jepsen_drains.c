/* SPDX-License-Identifier: Apache-2.0 */
/* A drain dequeues until it finds the queue empty. It is no single operation: others may enqueue and dequeue meanwhile.
 * So a drain that returned is a dequeue of each of its values and, as its last one, a dequeue that found nothing.
 *
 * No history of threads with overlapping calls can say that these came one after another, at moments which the log does
 * not have. So each dequeue is by a thread of its own, at any moment of the drain. Which value came first is not kept.
 * That the empty dequeue came last is kept, by its interval: it begins when all of the drain's values are known to have
 * been offered, that is, at the last of the calls that enqueued them.
 *
 * That is exact where values are enqueued once. Let the queue be empty at a moment t of the interval in some
 * linearization. Each value that the drain takes out behind t was enqueued behind t, by a call from before t. So these
 * enqueues and dequeues can be moved, in pairs, to just before t, where the queue is empty. The rest is a linearization
 * as before, and all dequeues of the drain come before t. Where a value is enqueued more than once, the first call
 * counts, which forbids less.
 *
 * A drain without an outcome may have taken out any number of values. It is as many pending dequeues as values are
 * left: enqueued, perhaps without an outcome, and not dequeued. The first such drain may take all that others take. */
#include "format/jepsen_drains.h"

#include "format/jepsen_values.h"
#include "history/value_ids.h"

#include <inttypes.h>

/* ---- the values of a drain ---- */

/* A copy of the drain, by a thread of its own. */
static void add_dequeue(struct jepsen *s, struct call dequeue)
{
    s->scratch.n = 0;
    text_printf(&s->scratch, "drain%" PRIu32, ++s->drained);
    dequeue.process = calls_process(&s->calls, s->scratch.at, s->scratch.n);
    vec_push(&s->h->mem, &s->calls.all, dequeue);
}

void jepsen_drained(struct jepsen *s, uint32_t index, const struct jepsen_event *event, uint32_t value)
{
    const struct edn *e = &s->edn;
    uint32_t list = jepsen_is_nil(s, value) ? ID_NONE : edn_untag(e, value);
    if (list == ID_NONE || (!edn_is_sequence(e, list) && e->nodes.at[list].kind != EDN_SET))
        EDN_FAULT(e, value == ID_NONE ? event->whole : value, "expected the values that were drained, as in [1 2 3]");
    s->calls.all.at[index].state = CALL_RETURNED;
    struct call dequeue = s->calls.all.at[index];
    struct drain drain = {.empty = index, .first = s->calls.all.n};
    for (uint32_t i = list + 1; i < e->nodes.at[list].end; i = e->nodes.at[i].end) {
        dequeue.result = jepsen_element(s, i);
        add_dequeue(s, dequeue);
    }
    s->calls.all.at[index].result = jepsen_word(s, "empty");
    drain.end = s->calls.all.n;
    vec_push(&s->h->mem, &s->drains, drain);
}

/* ---- what was enqueued ---- */

struct offered {    /* a value of a queue */
    uint32_t first; /* call that enqueued it, or ID_NONE */
    uint32_t in, out;
    uint32_t queue;
};

struct offers {
    struct value_ids values;
    struct idmap of_queue, place; /* name of the queue -> its number; queue and value -> `all` */
    VEC(struct offered) all;
    VEC(uint32_t) left; /* by queue: values that nobody dequeued, or only calls without an outcome */
};

/* Of this value in the call's queue. */
static struct offered *offered(struct jepsen *s, struct offers *o, const struct call *call, struct value value)
{
    struct mem *m = &s->h->mem;
    uint32_t *queue = idmap_at(m, &o->of_queue, call->object);
    if (*queue == ID_NONE) {
        *queue = o->left.n;
        vec_push(m, &o->left, 0);
    }
    uint32_t number = *queue;
    uint32_t *at = idmap_at(m, &o->place, (uint64_t)number << 32 | value_id(m, &o->values, value));
    if (*at == ID_NONE) {
        *at = o->all.n;
        vec_push(m, &o->all, ((struct offered){.first = ID_NONE, .queue = number}));
    }
    return &o->all.at[*at];
}

static void count_offers(struct jepsen *s, struct offers *o)
{
    for (uint32_t i = 0; i < s->calls.all.n; i++) {
        const struct call *call = &s->calls.all.at[i];
        const struct jepsen_function *f = &jepsen_functions[call->kind];
        if (call->state == CALL_DROPPED || !(f->families & JEPSEN_QUEUE))
            continue;
        if (f->shape == SHAPE_WRITE && call->arity) {
            struct offered *x = offered(s, o, call, s->calls.values.at[call->values_at]);
            x->first = x->in++ ? x->first : i;
        } else if (f->shape != SHAPE_OTHER && call->result.kind != ASSAY_NONE) {
            offered(s, o, call, call->result)->out++;
        }
    }
    for (uint32_t i = 0; i < o->all.n; i++) {
        const struct offered *x = &o->all.at[i];
        o->left.at[x->queue] += x->in > x->out ? x->in - x->out : 0;
    }
}

/* ---- settling ---- */

/* Its values were offered before it found nothing. One that was offered when it had returned is a violation anyway. */
static void find_empty_behind(struct jepsen *s, struct offers *o, const struct drain *drain)
{
    struct call *empty = &s->calls.all.at[drain->empty];
    for (uint32_t i = drain->first; i < drain->end; i++) {
        const struct call *dequeue = &s->calls.all.at[i];
        uint32_t first = offered(s, o, dequeue, dequeue->result)->first;
        const struct call *enqueue = first == ID_NONE ? empty : &s->calls.all.at[first];
        if (enqueue->called_event <= empty->called_event || enqueue->called_event > empty->returned_event)
            continue;
        empty->called_event = enqueue->called_event;
        empty->called = enqueue->called;
    }
}

static void take_any(struct jepsen *s, struct offers *o, uint32_t index)
{
    struct call dequeue = s->calls.all.at[index];
    uint32_t queue = idmap_get(&o->of_queue, dequeue.object);
    uint32_t left = queue == ID_NONE ? 0 : o->left.at[queue];
    if (!left) {
        s->calls.all.at[index].state = CALL_DROPPED;
        return;
    }
    o->left.at[queue] = 0; /* this drain serves for those behind it */
    for (uint32_t i = 1; i < left; i++)
        add_dequeue(s, dequeue);
}

void jepsen_settle_drains(struct jepsen *s)
{
    uint32_t calls = s->calls.all.n;
    bool open = false;
    for (uint32_t i = 0; i < calls && !open; i++)
        open = s->calls.all.at[i].state == CALL_OPEN && jepsen_functions[s->calls.all.at[i].kind].shape == SHAPE_DRAIN;
    if (!open && !s->drains.n)
        return;
    struct offers o = {.of_queue = {0}};
    count_offers(s, &o);
    for (uint32_t i = 0; i < s->drains.n; i++)
        find_empty_behind(s, &o, &s->drains.at[i]);
    for (uint32_t i = 0; open && i < calls; i++)
        if (s->calls.all.at[i].state == CALL_OPEN && jepsen_functions[s->calls.all.at[i].kind].shape == SHAPE_DRAIN)
            take_any(s, &o, i);
    value_ids_free(&s->h->mem, &o.values);
    idmap_free(&s->h->mem, &o.of_queue);
    idmap_free(&s->h->mem, &o.place);
    vec_free(&s->h->mem, &o.all);
    vec_free(&s->h->mem, &o.left);
    vec_free(&s->h->mem, &s->drains);
}
