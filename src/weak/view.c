/* SPDX-License-Identifier: Apache-2.0 */
/* The part as input of the search of weak.h: the demands on each operation, orders, keys, and observers. */
#include "history/value_ids.h"
#include "object/plain.h"
#include "weak/search.h"

#include <string.h>

static void note_path(struct weak *w, uint32_t o, const struct axiom *a)
{
    uint32_t p = 0;
    while (p < w->paths && !axiom_same(&w->path[p], a))
        p++;
    if (p == w->paths) {
        if (p == MOST_PATHS) {
            error_set(w->job->error, ASSAY_ERROR_NOT_APPLICABLE, "the levels have more than %d axioms together",
                      MOST_PATHS);
            escape_raise(ESCAPE_ERROR);
        }
        w->path[w->paths++] = *a;
    }
    w->demands[o] |= 1u << p;
}

static void take_axioms(struct weak *w)
{
    struct mem *m = w->job->mem;
    uint32_t n = w->x.n;
    struct visibility v;
    if (!visibility_parse(w->job->model->axioms, w->job->visibility, &v, w->job->error))
        escape_raise(ESCAPE_ERROR);
    w->demands = mem_new_zero(m, uint32_t, n + 1);
    w->class = mem_new_zero(m, uint32_t, n + 1);
    w->class_demands = mem_new_zero(m, uint32_t, n + 1);
    for (uint32_t o = 0; o < n; o++) {
        const struct axioms *axioms = visibility_of(&v, objects_method(w->x.c->objects, w->x.part->ops[o])->name);
        for (uint32_t i = 0; i < axioms->n; i++)
            note_path(w, o, &axioms->at[i]);
    }
    for (uint32_t o = 0; o < n; o++) {
        uint32_t same = 0;
        while (w->demands[same] != w->demands[o])
            same++;
        w->class[o] = same == o ? w->classes++ : w->class[same];
        w->class_demands[w->class[o]] = w->demands[o];
    }
    bool lin_alone = false, lin_within = false, vis_within = false;
    for (uint32_t p = 0; p < w->paths; p++)
        for (uint32_t i = 0; i < w->path[p].n; i++) {
            bool alone = w->path[p].n == 1;
            lin_alone |= alone && w->path[p].path[i] == REL_LIN;
            lin_within |= !alone && w->path[p].path[i] == REL_LIN;
            vis_within |= !alone && w->path[p].path[i] == REL_VIS;
        }
    w->longest = 1;
    for (uint32_t p = 0; p < w->paths; p++)
        w->longest = w->path[p].n > w->longest ? w->path[p].n : w->longest;
    w->asked.plain = !lin_within && !vis_within;
    w->asked.complete = lin_alone && w->asked.plain && w->classes == 1;
    w->asked.unmoved = !lin_within && !(lin_alone && vis_within);
}

/* The effect of a call may depend on its result. So the specification is asked without the result, and gives no answer
 * for calls whose arguments show the values that they found. */
static void find_observers(struct weak *w)
{
    const struct linear *x = &w->x;
    w->observer = mem_new_zero(w->job->mem, bool, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        w->observer[i] = objects_method(x->c->objects, x->part->ops[i])->result == ASSAY_RESULT_REQUIRED &&
                         spec_is_observer(x->spec, &x->call[i]);
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
static void take_object(struct weak *w)
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
    take_object(w);
    w->replay = mem_new(m, struct replay, 1);
    w->stepped = mem_new(m, uint32_t, n + 1);
    w->reach = mem_new_zero(m, struct set, mem_product(n + 1, (size_t)(w->paths + 1) * w->longest));
    w->closure = mem_new_zero(m, struct set, mem_product(n + 1, w->classes + 1));
}
