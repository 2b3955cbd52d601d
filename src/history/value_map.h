/* SPDX-License-Identifier: Apache-2.0 */
/* A map from values to numbers, from which values can be taken out again: for checkers that follow an object for ever.
 *
 * Open addressing with linear probing, at most half full. Taking a value out moves back the values that were put behind
 * its place, so there are no tombstones. The table shrinks when it is mostly empty. */
#ifndef ASSAY_HISTORY_VALUE_MAP_H
#define ASSAY_HISTORY_VALUE_MAP_H

#include "base/image.h"
#include "base/keyed.h"
#include "history/history.h"

struct value_map_slot {
    int64_t bits;
    uint32_t id; /* ID_NONE: free */
    uint8_t kind;
};

struct value_map {
    struct value_map_slot *slots;
    uint32_t mask; /* number of slots - 1, or 0 when there are none */
    uint32_t n;
};

static inline uint32_t value_map_home(const struct value_map *t, int64_t bits, uint8_t kind)
{
    return keyed_word((uint64_t)bits + ((uint64_t)kind << 61)) & t->mask;
}

/* Where the value is, or would be; there are slots. */
static inline uint32_t value_map_place(const struct value_map *t, struct value v)
{
    uint32_t i = value_map_home(t, v.bits, v.kind);
    while (t->slots[i].id != ID_NONE && (t->slots[i].bits != v.bits || t->slots[i].kind != v.kind))
        i = (i + 1) & t->mask;
    return i;
}

static inline uint32_t value_map_get(const struct value_map *t, struct value v)
{
    return t->slots ? t->slots[value_map_place(t, v)].id : ID_NONE;
}

void value_map_resize(struct mem *m, struct value_map *t, uint32_t slots);

/* Where the number of v is stored, ID_NONE for a new value; the caller must set it before the next call. */
static inline uint32_t *value_map_at(struct mem *m, struct value_map *t, struct value v)
{
    enum { FEW = 64 };
    if (t->n >= t->mask / 2)
        value_map_resize(m, t, t->slots ? 2 * (t->mask + 1) : FEW);
    struct value_map_slot *s = &t->slots[value_map_place(t, v)];
    if (s->id == ID_NONE) {
        s->bits = v.bits;
        s->kind = v.kind;
        t->n++;
    }
    return &s->id;
}

/* Takes out v, which is in. */
void value_map_drop(struct mem *m, struct value_map *t, struct value v);
void value_map_each(const struct value_map *t, void (*visit)(void *arg, struct value v), void *arg);
void value_map_free(struct mem *m, struct value_map *t);
void value_map_image(struct image *x, struct mem *m, struct value_map *t);

#endif
