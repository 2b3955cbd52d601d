/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/sequence.h"

#include "spec/printed.h"
#include "spec/state.h"

enum { FEWEST = 8 };

static void resize(struct sequence *s, size_t room)
{
    struct persistent ring, old = s->ring;
    persistent_init(&ring, room, sizeof(struct element), s->memory);
    for (size_t i = 0; i < s->size; i++)
        *persistent_own(&ring, struct element, i) = *persistent_at(&old, struct element, (s->front + i) & s->mask);
    s->ring = ring;
    s->mask = room - 1;
    s->front = 0;
    persistent_free(&old);
}

static void make_room(struct sequence *s)
{
    if (s->size > s->mask)
        resize(s, 2 * (s->mask + 1));
}

/* Before a value is popped: a ring that is mostly empty is left for a smaller one. */
static inline void give_room_back(struct sequence *s)
{
    if (s->mask >= PERSISTENT_FLAT && s->size < s->mask / 8)
        resize(s, (s->mask + 1) / 4);
}

/* Puts the value into a place that is not in use; its hash. The text of a value that was there may be gone, so only
 * numbers are compared. */
static struct digest put(struct sequence *s, size_t at, assay_value v)
{
    struct element *place = persistent_own(&s->ring, struct element, at);
    bool there = v.kind != ASSAY_NONE && digest_is_word(v) && place->value.kind == v.kind &&
                 place->value.integer == v.integer;
    place->value = v;
    if (!there)
        place->hash = digest_coefficients(digest_of_value(v));
    return place->hash;
}

void sequence_push_front(struct sequence *s, assay_value v)
{
    make_room(s);
    struct digest hash = put(s, (s->front - 1) & s->mask, v);
    s->front = (s->front - 1) & s->mask;
    s->size++;
    s->digest = digest_plus(digest_times(s->digest, digest_base()), hash);
    s->power = digest_times(s->power, digest_base());
}

void sequence_push_back(struct sequence *s, assay_value v)
{
    make_room(s);
    struct digest hash = put(s, (s->front + s->size) & s->mask, v);
    s->size++;
    s->digest = digest_plus(s->digest, digest_times(hash, s->power));
    s->power = digest_times(s->power, digest_base());
}

assay_value sequence_pop_front(struct sequence *s)
{
    give_room_back(s);
    const struct element *gone = persistent_at(&s->ring, struct element, s->front);
    s->front = (s->front + 1) & s->mask;
    s->size--;
    s->digest = digest_times(digest_minus(s->digest, gone->hash), digest_inverse());
    s->power = digest_times(s->power, digest_inverse());
    return gone->value;
}

assay_value sequence_pop_back(struct sequence *s)
{
    give_room_back(s);
    size_t last = (s->front + --s->size) & s->mask;
    const struct element *gone = persistent_at(&s->ring, struct element, last);
    s->power = digest_times(s->power, digest_inverse());
    s->digest = digest_minus(s->digest, digest_times(gone->hash, s->power));
    return gone->value;
}

/* ---- hooks ---- */

void *sequence_create(enum sequence_ends ends, const assay_setting *setting, assay_memory *m)
{
    struct sequence *s = state_get(m, sizeof *s);
    *s = (struct sequence){.memory = m, .ends = ends, .mask = FEWEST - 1, .power = digest_one};
    persistent_init(&s->ring, FEWEST, sizeof(struct element), m);
    for (size_t i = 0; i < setting->init_count; i++)
        sequence_push_back(s, setting->init[i].value);
    return s;
}

assay_effect sequence_step(void *state, const assay_call *call, unsigned choice, assay_value *result,
                           assay_saved *saved)
{
    struct sequence *s = state;
    enum collection_role role = sequence_role(s, call);
    bool front = sequence_at_front(s, call);
    (void)choice;
    if (role == COLLECTION_ADD) {
        sequence_push(s, front, call->args[0]);
        return collection_added(call, result);
    }
    if (s->size == 0)
        return collection_empty(result);
    if (role == COLLECTION_PEEK) {
        *result = sequence_at(s, front ? 0 : s->size - 1);
        return ASSAY_SAME;
    }
    *result = saved->value = sequence_pop(s, front);
    return ASSAY_CHANGED;
}

void sequence_undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct sequence *s = state;
    if (sequence_role(s, call) == COLLECTION_ADD)
        sequence_pop(s, sequence_at_front(s, call));
    else
        sequence_push(s, sequence_at_front(s, call), saved->value);
}

void *sequence_copy(const void *state, assay_memory *m)
{
    const struct sequence *from = state;
    struct sequence *s = state_get(m, sizeof *s);
    *s = *from;
    s->memory = m;
    persistent_init_copy(&s->ring, &from->ring, m);
    return s;
}

void sequence_destroy(void *state, assay_memory *m)
{
    struct sequence *s = state;
    persistent_free(&s->ring);
    state_free(m, s);
}

bool sequence_same(const void *a, const void *b)
{
    const struct sequence *s = a, *t = b;
    bool same = s->size == t->size;
    for (size_t i = 0; i < s->size && same; i++)
        same = assay_value_same(sequence_at(s, i), sequence_at(t, i));
    return same;
}

void sequence_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct sequence *s = state;
    for (size_t i = 0; i < s->size; i++)
        visit(arg, (assay_binding){.value = sequence_at(s, i)});
}

size_t sequence_describe(const void *state, char *out, size_t size)
{
    const struct sequence *s = state;
    struct printed p = {.out = out, .size = size};
    printed_text(&p, "[");
    for (size_t i = 0; i < s->size && !printed_full(&p); i++) {
        printed_text(&p, i ? ", " : "");
        printed_value(&p, sequence_at(s, i));
    }
    printed_text(&p, "]");
    return p.length;
}
