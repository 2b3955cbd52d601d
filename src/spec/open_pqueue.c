/* SPDX-License-Identifier: Apache-2.0 */
/* pqueue whose initial content may be any (`@init ?`).
 *
 * A state has the values that are known, which were added or seen, and `first`. Beside the known values there may be
 * any others, but none that goes before `first`. A state stands for all contents that this allows. A step is one that
 * some of these contents can take:
 *   - A removal of v needs that no known value goes before v. If v is known, that one goes; to take another v instead
 *     leaves fewer contents. Else v was not known, and must not go before `first`. In both cases none of the others
 *     goes before v.
 *   - A peek at v is the same, but v stays and is known from then on.
 *   - `empty` says that there are no others: it closes the state.
 *   - A removal whose result is not known takes the first known value, and none of the others goes before it. If it
 *     took one of the others, more contents are left if it is as though it had not taken effect.
 * So each call has one outcome, and nothing has to be guessed.
 *
 * The known values are sorted, the one that goes first is last. */
#include "spec/digest.h"
#include "spec/pqueue.h"
#include "spec/printed.h"
#include "spec/state.h"

#include <string.h>

struct open_pqueue {
    struct digest sum; /* of the known values */
    assay_memory *memory;
    int64_t *sorted;
    size_t size, room;
    int64_t first;
    bool least_first, closed;
};

/* The deed of a step: a known value was put in, or out, or neither. */
enum deed { NEITHER, PUT, TOOK };

static bool goes_before(const struct open_pqueue *q, int64_t a, int64_t b)
{
    return q->least_first ? a < b : a > b;
}

static void put(struct open_pqueue *q, int64_t v)
{
    if (q->size == q->room) {
        q->room = q->room ? 2 * q->room : 8;
        q->sorted = state_resize(q->memory, q->sorted, q->room * sizeof *q->sorted);
    }
    size_t at = q->size++;
    for (; at && goes_before(q, q->sorted[at - 1], v); at--)
        q->sorted[at] = q->sorted[at - 1];
    q->sorted[at] = v;
    digest_add(&q->sum, digest_of_number((uint64_t)v));
}

static void take(struct open_pqueue *q, int64_t v)
{
    size_t at = q->size;
    while (q->sorted[at - 1] != v)
        at--;
    memmove(q->sorted + at - 1, q->sorted + at, (q->size - at) * sizeof *q->sorted);
    q->size--;
    digest_take(&q->sum, digest_of_number((uint64_t)v));
}

/* ---- steps ---- */

/* Puts v in, or takes it out; unless it is closed, none of the others goes before `first` from now on. */
static assay_effect change(struct open_pqueue *q, enum deed deed, int64_t v, int64_t first, assay_saved *saved)
{
    *saved = (assay_saved){.value = assay_int(q->first), .number = v};
    saved->value.length = deed;
    if (deed == PUT)
        put(q, v);
    if (deed == TOOK)
        take(q, v);
    bool narrower = !q->closed && goes_before(q, q->first, first);
    if (narrower)
        q->first = first;
    return deed != NEITHER || narrower ? ASSAY_CHANGED : ASSAY_SAME;
}

static assay_effect find(struct open_pqueue *q, bool removes, int64_t v, assay_saved *saved)
{
    if (q->size && q->sorted[q->size - 1] == v)
        return change(q, removes ? TOOK : NEITHER, v, v, saved);
    bool early = q->size && goes_before(q, q->sorted[q->size - 1], v);
    if (early || q->closed || goes_before(q, v, q->first))
        return ASSAY_BLOCKED;
    return change(q, removes ? NEITHER : PUT, v, v, saved);
}

static assay_effect find_nothing(struct open_pqueue *q, assay_saved *saved)
{
    if (q->size)
        return ASSAY_BLOCKED;
    if (q->closed)
        return ASSAY_SAME;
    change(q, NEITHER, 0, q->first, saved);
    q->closed = true;
    return ASSAY_CHANGED;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct open_pqueue *q = state;
    bool removes = call->method == COLLECTION_REMOVE;
    (void)choice;
    *result = call->result;
    if (call->method == COLLECTION_ADD)
        return change(q, PUT, call->args[0].integer, q->first, saved);
    if (call->result.kind == ASSAY_INT)
        return find(q, removes, call->result.integer, saved);
    if (call->result.kind != ASSAY_NONE)
        return assay_value_same(call->result, assay_word("empty")) ? find_nothing(q, saved) : ASSAY_BLOCKED;
    return removes && q->size ? find(q, true, q->sorted[q->size - 1], saved) : ASSAY_SAME;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct open_pqueue *q = state;
    if (saved->value.length == PUT)
        take(q, saved->number);
    if (saved->value.length == TOOK)
        put(q, saved->number);
    q->first = saved->value.integer;
    if (call->method != COLLECTION_ADD && saved->value.length == NEITHER && call->result.kind == ASSAY_WORD)
        q->closed = false; /* it was `empty` */
}

/* ---- hooks ---- */

static void *create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct open_pqueue *q = state_get(m, sizeof *q);
    *q = (struct open_pqueue){.memory = m, .least_first = pqueue_is_min(setting)};
    q->first = q->least_first ? INT64_MIN : INT64_MAX;
    return q;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct open_pqueue *from = state;
    struct open_pqueue *q = state_get(m, sizeof *q);
    *q = *from;
    q->memory = m;
    q->room = from->size;
    q->sorted = NULL;
    if (q->room)
        q->sorted = memcpy(state_get(m, q->room * sizeof *q->sorted), from->sorted, q->room * sizeof *q->sorted);
    return q;
}

static void destroy(void *state, assay_memory *m)
{
    struct open_pqueue *q = state;
    state_free(m, q->sorted);
    state_free(m, q);
}

static void digest(const void *state, uint64_t out[2])
{
    const struct open_pqueue *q = state;
    struct digest others = q->closed ? digest_of_number(0)
                                     : digest_join(digest_one, digest_of_number((uint64_t)q->first));
    struct digest all = digest_join(q->sum, others);
    out[0] = all.at[0];
    out[1] = all.at[1];
}

static bool equal(const void *a, const void *b)
{
    const struct open_pqueue *x = a, *y = b;
    return x->size == y->size && x->closed == y->closed && (x->closed || x->first == y->first) &&
           (!x->size || memcmp(x->sorted, y->sorted, x->size * sizeof *x->sorted) == 0);
}

static size_t describe(const void *state, char *out, size_t size)
{
    const struct open_pqueue *q = state;
    struct printed p = {.out = out, .size = size};
    printed_text(&p, "[");
    for (size_t i = q->size; i-- > 0 && !printed_full(&p);) {
        printed_value(&p, assay_int(q->sorted[i]));
        printed_text(&p, i || !q->closed ? ", " : "");
    }
    if (!q->closed) {
        printed_text(&p, q->least_first ? "others from " : "others up to ");
        printed_value(&p, assay_int(q->first));
    }
    printed_text(&p, "]");
    return p.length;
}

const assay_spec pqueue_of_any = {
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
    .digest = digest,
    .equal = equal,
    .cut = collection_cut,
    .describe = describe,
};
