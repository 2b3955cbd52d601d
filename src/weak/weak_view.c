/* SPDX-License-Identifier: Apache-2.0 */
/* The part as input of the search of weak.h: the demands on each operation, orders, keys, and observers. */
#include "history/value_ids.h"
#include "search/plain_part.h"
#include "weak/search.h"

#include <string.h>

static void take_axioms(struct weak *w)
{
    struct mem *m = w->job->mem;
    const struct objects *objects = w->x.c->objects;
    uint32_t n = w->x.n;
    struct visibility parsed;
    bool used[MOST_METHODS] = {0};
    if (!w->task->visibility && !visibility_parse(w->job->model->axioms, w->job->visibility, &parsed, w->job->error))
        escape_raise(ESCAPE_ERROR);
    for (uint32_t o = 0; o < n; o++)
        used[objects->method[w->x.part->ops[o]]] = true;
    demands_take(w->task->visibility ? w->task->visibility : &parsed, w->x.spec, used, &w->d);
    w->demands = mem_new(m, uint32_t, n + 1);
    w->class = mem_new(m, uint32_t, n + 1);
    for (uint32_t o = 0; o < n; o++) {
        w->demands[o] = w->d.of[objects->method[w->x.part->ops[o]]];
        w->class[o] = w->d.class[objects->method[w->x.part->ops[o]]];
    }
    w->asked = w->d.asked;
}

/* The effect of a call may depend on its result. So the specification is asked without the result. */
bool weak_observes(const assay_spec *spec, const assay_method *method, const assay_call *call)
{
    bool whole = method->result == ASSAY_RESULT_REQUIRED || spec == &spec_multi_register; /* that is never blocked */
    return whole && spec_is_observer(spec, call);
}

static void find_observers(struct weak *w)
{
    const struct linear *x = &w->x;
    w->observer = mem_new_zero(w->job->mem, bool, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        w->observer[i] = weak_observes(x->spec, objects_method(x->c->objects, x->part->ops[i]), &x->call[i]);
}

/* Closes happens-before transitively. With ties it is program order and real time together. */
static void close(struct set *before, uint32_t n)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < n; i++)
            SET_EACH (j, &before[i]) {
                grown |= !set_within(&before[j], &before[i]);
                set_join(&before[i], &before[j]);
            }
    }
}

static void take_orders(struct weak *w)
{
    const struct calls *c = w->x.c;
    uint32_t n = w->x.n, k = c->h->threads.n;
    for (int r = 0; r < 2; r++)
        w->before[r] = mem_new_zero(w->job->mem, struct set, n + 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            uint32_t a = w->x.part->ops[j], b = w->x.part->ops[i];
            bool po = c->h->thread[a] == c->h->thread[b] && a < b;
            bool timed = c->call && c->ret[a] < c->call[b];
            bool known = c->past && !history_pending(c->h, a) && c->past[(size_t)b * k + c->h->thread[a]] > c->index[a];
            if (po)
                set_add(&w->before[0][i], j);
            if (po || timed || known)
                set_add(&w->before[1][i], j);
        }
    if (c->order == CALLS_TIED)
        close(w->before[1], n);
}

/* Properties of the library's own objects. */
void weak_take_object(struct weak *w)
{
    static const char *const sequences[] = {"queue", "stack", "deque"};
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        w->alike |= plain_is(w->job, sequences[i]);
    w->apart = plain_is(w->job, "map") || plain_is(w->job, "set");
    w->blank = mem_new(w->job->mem, assay_call, w->x.n + 1);
    for (uint32_t i = 0; i < w->x.n; i++) {
        w->blank[i] = w->x.call[i];
        w->blank[i].args = &w->other;
    }
}

static int key_place(const struct weak *w, uint32_t i)
{
    return objects_method(w->x.c->objects, w->x.part->ops[i])->key;
}

/* Keys count where every call that changes something names one. Calls without a key observe all keys. */
static void take_keys(struct weak *w)
{
    const struct linear *x = &w->x;
    struct value_ids numbers = {0};
    w->key = mem_new_zero(w->job->mem, uint64_t, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        if (!w->observer[i] && key_place(w, i) < 0)
            return;
    for (uint32_t i = 0; i < x->n; i++)
        if (key_place(w, i) >= 0) {
            struct value key = value_internal(x->call[i].args[key_place(w, i)]);
            w->key[i] = 1 + value_id(w->job->mem, &numbers, key);
        }
}

/* The value that a queue's call adds or removes; no value: none. */
static assay_value moved(const struct weak *w, uint32_t i)
{
    const assay_call *call = &w->x.call[i];
    return call->arg_count ? call->args[0] : w->observer[i] ? (assay_value){0} : call->result;
}

/* The number of equal calls on the same value before it. */
static uint32_t earlier_ones(const struct weak *w, const uint32_t *own, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < w->x.n; j++)
        n += (own[j] < own[i] || (own[j] == own[i] && j < i)) && w->x.call[j].arg_count == w->x.call[i].arg_count &&
             assay_value_same(moved(w, j), moved(w, i));
    return n;
}

/* The order in which several ready operations are tried: by return or by call. But a queue's adds are tried in the
 * order in which their values are removed, where the k-th remove of a value goes with its k-th add. */
static void take_ranks(struct weak *w)
{
    const struct linear *x = &w->x;
    const uint32_t *own = x->c->call ? w->by_return ? x->ends : x->starts : x->part->ops; /* else as recorded */
    w->rank = mem_new(w->job->mem, uint32_t, x->n + 1);
    if (x->n)
        memcpy(w->rank, own, x->n * sizeof *own);
    if (!plain_is(w->job, "queue"))
        return;
    uint32_t *earlier = mem_new(w->job->mem, uint32_t, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        earlier[i] = earlier_ones(w, own, i);
    for (uint32_t i = 0; i < x->n; i++) {
        if (!x->call[i].arg_count)
            continue;
        w->rank[i] = ID_NONE;
        for (uint32_t j = 0; j < x->n; j++)
            if (!x->call[j].arg_count && earlier[j] == earlier[i] && assay_value_same(moved(w, j), moved(w, i)))
                w->rank[i] = own[j];
    }
}

void weak_set_up(struct weak *w)
{
    struct mem *m = w->job->mem;
    linear_init(&w->x, w->job);
    if (w->task->start) {
        hook_destroy(w->x.spec, w->x.state, m);
        w->x.state = hook_copy(w->x.spec, w->task->start, m);
    }
    w->states = visited_in(w->job->mem, w->x.spec);
    uint32_t n = w->x.n;
    take_axioms(w);
    find_observers(w);
    take_ranks(w);
    w->changed = mem_new(m, bool, n + 1);
    w->saved = mem_new(m, assay_saved, n + 1);
    w->order = mem_new(m, uint32_t, n + 1);
    w->sees = mem_new(m, struct set, n + 1);
}

void weak_set_up_visibility(struct weak *w)
{
    struct mem *m = w->job->mem;
    uint32_t n = w->x.n;
    take_orders(w);
    take_keys(w);
    weak_take_object(w);
    w->replay = mem_new(m, struct replay, 1);
    w->stepped = mem_new(m, uint32_t, n + 1);
    w->reach = mem_new_zero(m, struct set, mem_product(n + 1, (size_t)(w->d.paths + 1) * w->d.longest));
    w->closure = mem_new_zero(m, struct set, mem_product(n + 1, w->d.classes + 1));
}
