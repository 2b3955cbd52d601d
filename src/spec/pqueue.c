/* SPDX-License-Identifier: Apache-2.0 */
/* pqueue: the greatest value goes first; of pqueue(min), the least.
 *
 * A binary heap (Williams 1964) of integers. A step is undone exactly, not by another insertion. The values that moved
 * along the path between the root and the last place of the step move back. The digest is a sum, which does not depend
 * on the layout of the heap. */
#include "spec/pqueue.h"

#include "spec/any_initial.h"
#include "spec/digest.h"
#include "spec/printed.h"
#include "spec/state.h"

#include <stdlib.h>
#include <string.h>

const assay_method pqueue_methods[] = {
    {"add", "add(integer)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"insert", "insert(integer)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"offer", "offer(integer)", COLLECTION_ADD, 1, ASSAY_NO_KEY, ASSAY_RESULT_OPTIONAL},
    {"rem", "rem() => integer or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"rm", "rm() => integer or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"remove", "remove() => integer or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"poll", "poll() => integer or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"extract", "extract() => integer or empty", COLLECTION_REMOVE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"peek", "peek() => integer or empty", COLLECTION_PEEK, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

struct pqueue {
    struct digest digest;
    assay_memory *memory;
    bool least_first;
    int64_t *heap; /* a parent, (i - 1) / 2, goes before its children */
    size_t size, room;
};

bool pqueue_is_min(const assay_setting *s)
{
    return assay_value_same(s->parameter, assay_word("min"));
}

const char *pqueue_refuse(const assay_setting *s)
{
    assay_setting init = {.init = s->init, .init_count = s->init_count};
    if (s->parameter.kind != ASSAY_NONE && !pqueue_is_min(s) && !assay_value_same(s->parameter, assay_word("max")))
        return "its parameter is max, the default, or min: pqueue(min)";
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].value.kind != ASSAY_INT && !binding_is_any(&s->init[i]))
            return "its values are integers, which have an order";
    return settings_list(&init);
}

const char *pqueue_refuse_call(const assay_call *call)
{
    if (call->method == COLLECTION_ADD && call->args[0].kind != ASSAY_INT)
        return "the values of a priority queue are integers, which have an order";
    return collection_refuse_call(call);
}

/* ---- the heap ---- */

static bool goes_before(const struct pqueue *q, int64_t a, int64_t b)
{
    return q->least_first ? a < b : a > b;
}

static size_t insert(struct pqueue *q, int64_t v) /* where it came to lie */
{
    if (q->size == q->room) {
        q->room = q->room ? 2 * q->room : 8;
        q->heap = state_resize(q->memory, q->heap, q->room * sizeof *q->heap);
    }
    size_t i = q->size++;
    for (; i && goes_before(q, v, q->heap[(i - 1) / 2]); i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[i] = v;
    digest_add(&q->digest, digest_of_number((uint64_t)v));
    return i;
}

static void undo_insert(struct pqueue *q, size_t place)
{
    int64_t v = q->heap[place], passed;
    /* From the last leaf up to the place, everyone moves up by one; the one at the place goes. */
    int64_t carried = q->heap[--q->size];
    for (size_t i = q->size; i != place; carried = passed) {
        i = (i - 1) / 2;
        passed = q->heap[i];
        q->heap[i] = carried;
    }
    digest_take(&q->digest, digest_of_number((uint64_t)v));
}

static size_t extract(struct pqueue *q, int64_t *v) /* where the last leaf came to lie */
{
    *v = q->heap[0];
    digest_take(&q->digest, digest_of_number((uint64_t)*v));
    int64_t last = q->heap[--q->size];
    size_t i = 0;
    for (size_t child = 1; child < q->size; child = 2 * i + 1) {
        if (child + 1 < q->size && goes_before(q, q->heap[child + 1], q->heap[child]))
            child++;
        if (!goes_before(q, q->heap[child], last))
            break;
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = last;
    return i;
}

static void undo_extract(struct pqueue *q, int64_t v, size_t place)
{
    int64_t last = q->heap[place];
    for (size_t i = place; i; i = (i - 1) / 2)
        q->heap[i] = q->heap[(i - 1) / 2];
    q->heap[q->size++] = last;
    q->heap[0] = v;
    digest_add(&q->digest, digest_of_number((uint64_t)v));
}

/* ---- hooks ---- */

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct pqueue *q = state_get(m, sizeof *q);
    q->memory = m;
    q->least_first = pqueue_is_min(setting);
    for (size_t i = 0; i < setting->init_count; i++)
        insert(q, setting->init[i].value.integer);
    return q;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct pqueue *from = state;
    struct pqueue *q = state_get(m, sizeof *q);
    *q = *from;
    q->memory = m;
    q->room = from->size;
    q->heap = NULL;
    if (q->room)
        q->heap = memcpy(state_get(m, q->room * sizeof *q->heap), from->heap, q->room * sizeof *q->heap);
    return q;
}

static void destroy(void *state, assay_memory *m)
{
    struct pqueue *q = state;
    state_free(m, q->heap);
    state_free(m, q);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct pqueue *q = state;
    (void)choice;
    if (call->method == COLLECTION_ADD) {
        saved->number = (int64_t)insert(q, call->args[0].integer);
        return collection_added(call, result);
    }
    if (q->size == 0)
        return collection_empty(result);
    *result = assay_int(q->heap[0]);
    if (call->method == COLLECTION_PEEK)
        return ASSAY_SAME;
    saved->number = (int64_t)extract(q, &saved->value.integer);
    return ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    if (call->method == COLLECTION_ADD)
        undo_insert(state, (size_t)saved->number);
    else
        undo_extract(state, saved->value.integer, (size_t)saved->number);
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool equal(const void *a, const void *b)
{
    if (((const struct pqueue *)a)->size != ((const struct pqueue *)b)->size)
        return false;
    assay_memory *m = ((const struct pqueue *)a)->memory;
    struct pqueue *x = copy(a, m), *y = copy(b, m);
    bool same = true;
    if (x->size) {
        qsort(x->heap, x->size, sizeof *x->heap, by_value);
        qsort(y->heap, y->size, sizeof *y->heap, by_value);
        same = memcmp(x->heap, y->heap, x->size * sizeof *x->heap) == 0;
    }
    destroy(x, m);
    destroy(y, m);
    return same;
}

/* In the order in which the values would be removed, from a copy. */
static size_t describe(const void *state, char *out, size_t size)
{
    struct pqueue *q = copy(state, ((const struct pqueue *)state)->memory);
    struct printed p = {.out = out, .size = size};
    printed_text(&p, "[");
    for (const char *separator = ""; q->size && !printed_full(&p); separator = ", ") {
        int64_t v;
        extract(q, &v);
        printed_text(&p, separator);
        printed_value(&p, assay_int(v));
    }
    printed_text(&p, "]");
    destroy(q, q->memory);
    return p.length;
}

static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct pqueue *q = state;
    for (size_t i = 0; i < q->size; i++)
        visit(arg, (assay_binding){.value = assay_int(q->heap[i])});
}

const assay_spec spec_pqueue = {
    .version = ASSAY_SPEC_VERSION,
    .name = "pqueue",
    .title = "greatest first; pqueue(min): least first",
    .methods = pqueue_methods,
    .refuse = pqueue_refuse,
    .refuse_call = pqueue_refuse_call,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest_at_start,
    .equal = equal,
    .cut = collection_cut,
    .describe = describe,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
    .content = content,
};
