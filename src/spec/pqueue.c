/* SPDX-License-Identifier: Apache-2.0 */
/* pqueue: the greatest value goes first; of pqueue(min), the least.
 *
 * A binary heap (Williams 1964) of integers, in an array whose copies share what they have in common (persistent.h). A
 * step is undone exactly, not by another insertion. The values that moved along the path between the root and the last
 * place of the step move back. The digest is a sum, which does not depend on the layout of the heap. */
#include "spec/pqueue.h"

#include "spec/any_initial.h"
#include "spec/digest.h"
#include "spec/facts.h"
#include "spec/persistent.h"
#include "spec/printed.h"
#include "spec/state.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 8 };

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
    struct persistent heap; /* int64_t; a parent, (i - 1) / 2, goes before its children */
    size_t size;
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

static int64_t at(const struct pqueue *q, size_t i)
{
    return *persistent_at(&q->heap, int64_t, i);
}

static void put(struct pqueue *q, size_t i, int64_t v)
{
    *persistent_own(&q->heap, int64_t, i) = v;
}

static void resize(struct pqueue *q, size_t room)
{
    struct persistent heap, old = q->heap;
    persistent_init(&heap, room, sizeof(int64_t), q->memory);
    for (size_t i = 0; i < q->size; i++)
        *persistent_own(&heap, int64_t, i) = at(q, i);
    q->heap = heap;
    persistent_free(&old);
}

static void make_room(struct pqueue *q)
{
    if (q->size == q->heap.size)
        resize(q, 2 * q->heap.size);
}

/* After a value was taken out: an array that is mostly empty is left for a smaller one. */
static void give_room_back(struct pqueue *q)
{
    if (q->heap.size > PERSISTENT_FLAT && q->size < q->heap.size / 8)
        resize(q, q->heap.size / 4);
}

static size_t insert(struct pqueue *q, int64_t v) /* where it came to lie */
{
    make_room(q);
    size_t i = q->size++;
    for (; i && goes_before(q, v, at(q, (i - 1) / 2)); i = (i - 1) / 2)
        put(q, i, at(q, (i - 1) / 2));
    put(q, i, v);
    digest_add(&q->digest, digest_of_number((uint64_t)v));
    return i;
}

static void undo_insert(struct pqueue *q, size_t place)
{
    int64_t v = at(q, place), passed;
    /* From the last leaf up to the place, everyone moves up by one; the one at the place goes. */
    int64_t carried = at(q, --q->size);
    for (size_t i = q->size; i != place; carried = passed) {
        i = (i - 1) / 2;
        passed = at(q, i);
        put(q, i, carried);
    }
    digest_take(&q->digest, digest_of_number((uint64_t)v));
}

static size_t extract(struct pqueue *q, int64_t *v) /* where the last leaf came to lie */
{
    *v = at(q, 0);
    digest_take(&q->digest, digest_of_number((uint64_t)*v));
    int64_t last = at(q, --q->size);
    size_t i = 0;
    for (size_t child = 1; child < q->size; child = 2 * i + 1) {
        if (child + 1 < q->size && goes_before(q, at(q, child + 1), at(q, child)))
            child++;
        if (!goes_before(q, at(q, child), last))
            break;
        put(q, i, at(q, child));
        i = child;
    }
    put(q, i, last);
    give_room_back(q);
    return i;
}

static void undo_extract(struct pqueue *q, int64_t v, size_t place)
{
    make_room(q);
    int64_t last = at(q, place);
    for (size_t i = place; i; i = (i - 1) / 2)
        put(q, i, at(q, (i - 1) / 2));
    put(q, q->size++, last);
    put(q, 0, v);
    digest_add(&q->digest, digest_of_number((uint64_t)v));
}

/* ---- hooks ---- */

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct pqueue *q = state_get(m, sizeof *q);
    q->memory = m;
    q->least_first = pqueue_is_min(setting);
    persistent_init(&q->heap, FEWEST, sizeof(int64_t), m);
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
    persistent_init_copy(&q->heap, &from->heap, m);
    return q;
}

static void destroy(void *state, assay_memory *m)
{
    struct pqueue *q = state;
    persistent_free(&q->heap);
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
    *result = assay_int(at(q, 0));
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

static int64_t *sorted(const struct pqueue *q, assay_memory *m)
{
    int64_t *values = state_get(m, (q->size + 1) * sizeof *values);
    for (size_t i = 0; i < q->size; i++)
        values[i] = at(q, i);
    qsort(values, q->size, sizeof *values, by_value);
    return values;
}

static bool equal(const void *a, const void *b)
{
    if (((const struct pqueue *)a)->size != ((const struct pqueue *)b)->size)
        return false;
    assay_memory *m = ((const struct pqueue *)a)->memory;
    size_t n = ((const struct pqueue *)a)->size;
    int64_t *x = sorted(a, m), *y = sorted(b, m);
    bool same = memcmp(x, y, n * sizeof *x) == 0;
    state_free(m, x);
    state_free(m, y);
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
        visit(arg, (assay_binding){.value = assay_int(at(q, i))});
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

const struct object_facts facts_pqueue = {
    .spec = &spec_pqueue,
    .family = FAMILY_PRIORITY,
    .never_blocks = true,
    .blank = true,
    .any = ANY_CONTENT,
    .labels = labels_of_collection,
};
