/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/sequence.h"

#include "spec/printed.h"
#include "spec/state.h"

#include <string.h>

enum { FEWEST = 8 };

static void make_room(struct sequence *s)
{
    if (s->size <= s->mask)
        return;
    size_t room = 2 * (s->mask + 1);
    struct element *ring = state_get(s->memory, room * sizeof *ring);
    memset(ring, 0, room * sizeof *ring);
    for (size_t i = 0; i < s->size; i++)
        ring[i] = s->ring[(s->front + i) & s->mask];
    state_free(s->memory, s->ring);
    s->ring = ring;
    s->mask = room - 1;
    s->front = 0;
}

/* Puts the value into a place that is not in use; its hash. The text of a value that was there may be gone, so only
 * numbers are compared. */
static struct digest put(struct element *place, assay_value v)
{
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
    s->front = (s->front - 1) & s->mask;
    s->size++;
    s->digest = digest_plus(digest_times(s->digest, digest_base()), put(&s->ring[s->front], v));
    s->power = digest_times(s->power, digest_base());
}

void sequence_push_back(struct sequence *s, assay_value v)
{
    make_room(s);
    struct element *place = &s->ring[(s->front + s->size++) & s->mask];
    s->digest = digest_plus(s->digest, digest_times(put(place, v), s->power));
    s->power = digest_times(s->power, digest_base());
}

assay_value sequence_pop_front(struct sequence *s)
{
    const struct element *gone = &s->ring[s->front];
    s->front = (s->front + 1) & s->mask;
    s->size--;
    s->digest = digest_times(digest_minus(s->digest, gone->hash), digest_inverse());
    s->power = digest_times(s->power, digest_inverse());
    return gone->value;
}

assay_value sequence_pop_back(struct sequence *s)
{
    const struct element *gone = &s->ring[(s->front + --s->size) & s->mask];
    s->power = digest_times(s->power, digest_inverse());
    s->digest = digest_minus(s->digest, digest_times(gone->hash, s->power));
    return gone->value;
}

/* ---- hooks ---- */

void *sequence_create(const assay_setting *setting, assay_value key, assay_memory *m)
{
    (void)key;
    struct sequence *s = state_get(m, sizeof *s);
    *s = (struct sequence){.memory = m,
                           .ring = memset(state_get(m, FEWEST * sizeof *s->ring), 0, FEWEST * sizeof *s->ring),
                           .mask = FEWEST - 1,
                           .power = digest_one};
    for (size_t i = 0; i < setting->init_count; i++)
        sequence_push_back(s, setting->init[i].value);
    return s;
}

void *sequence_copy(const void *state, assay_memory *m)
{
    const struct sequence *from = state;
    struct sequence *s = state_get(m, sizeof *s);
    size_t bytes = (from->mask + 1) * sizeof *s->ring;
    *s = *from;
    s->memory = m;
    s->ring = memcpy(state_get(m, bytes), from->ring, bytes);
    return s;
}

void sequence_destroy(void *state, assay_memory *m)
{
    struct sequence *s = state;
    state_free(m, s->ring);
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
