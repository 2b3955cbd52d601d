/* SPDX-License-Identifier: Apache-2.0 */
#include "history/value_map.h"

void value_map_resize(struct mem *m, struct value_map *t, uint32_t slots)
{
    struct value_map to = {mem_new(m, struct value_map_slot, slots), slots - 1, t->n};
    for (uint32_t i = 0; i < slots; i++)
        to.slots[i].id = ID_NONE;
    for (uint32_t i = 0; t->slots && i <= t->mask; i++)
        if (t->slots[i].id != ID_NONE)
            to.slots[value_map_place(&to, (struct value){t->slots[i].bits, t->slots[i].kind})] = t->slots[i];
    mem_free(m, t->slots);
    *t = to;
}

/* A value that is found by probing from its home over the hole is moved into it, and leaves a hole in its turn. */
void value_map_drop(struct mem *m, struct value_map *t, struct value v)
{
    enum { SMALL = 256 };
    uint32_t hole = value_map_place(t, v);
    for (uint32_t i = (hole + 1) & t->mask; t->slots[i].id != ID_NONE; i = (i + 1) & t->mask) {
        uint32_t home = value_map_home(t, t->slots[i].bits, t->slots[i].kind);
        if (((i - home) & t->mask) >= ((i - hole) & t->mask)) {
            t->slots[hole] = t->slots[i];
            hole = i;
        }
    }
    t->slots[hole].id = ID_NONE;
    t->n--;
    if (t->mask >= SMALL && t->n < t->mask / 16)
        value_map_resize(m, t, (t->mask + 1) / 4);
}

void value_map_each(const struct value_map *t, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; t->slots && i <= t->mask; i++)
        if (t->slots[i].id != ID_NONE)
            visit(arg, (struct value){t->slots[i].bits, t->slots[i].kind});
}

void value_map_free(struct mem *m, struct value_map *t)
{
    mem_free(m, t->slots);
    *t = (struct value_map){0};
}

void value_map_image(struct image *x, struct mem *m, struct value_map *t)
{
    struct value_map_slot slot = {0};
    uint32_t n = image_count(x, t->n, sizeof slot);
    if (x->loads)
        value_map_free(m, t);
    for (uint32_t i = 0; !x->loads && t->slots && i <= t->mask; i++)
        if (t->slots[i].id != ID_NONE)
            image_plain(x, &t->slots[i]);
    for (uint32_t i = 0; x->loads && i < n; i++) {
        image_plain(x, &slot);
        *value_map_at(m, t, (struct value){slot.bits, slot.kind}) = slot.id;
    }
}
