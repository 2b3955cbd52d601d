/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/slots.h"

#include "base/image.h"
#include "base/keyed.h"

#include <string.h>

struct id id_of(const char *text, size_t length)
{
    struct id id = {0, text, (uint32_t)length};
    if (length > ID_PACKED) {
        id.key = keyed_bytes(text, length);
        return id;
    }
    for (size_t i = 0; i < length; i++)
        id.key = id.key << 8 | (unsigned char)text[i];
    return id;
}

bool id_unpack(uint64_t key, uint32_t length, char out[ID_PACKED + 1])
{
    if (length > ID_PACKED)
        return false;
    out[length] = '\0';
    for (; length; key >>= 8)
        out[--length] = (char)(key & 0xFF);
    return true;
}

static uint32_t home(const struct slots *s, uint64_t key)
{
    return keyed_word(key) & s->mask;
}

static bool is(const struct open_call *o, struct id id)
{
    return o->key == id.key && o->length == id.length &&
           (id.length <= ID_PACKED || memcmp(o->text, id.text, id.length) == 0);
}

uint32_t slots_find(const struct slots *s, struct id id)
{
    if (!s->table)
        return ID_NONE;
    for (uint32_t i = home(s, id.key); s->table[i]; i = (i + 1) & s->mask)
        if (is(&s->all.at[s->table[i] - 1], id))
            return s->table[i] - 1;
    return ID_NONE;
}

static void place(struct slots *s, uint32_t slot)
{
    uint32_t i = home(s, s->all.at[slot].key);
    while (s->table[i])
        i = (i + 1) & s->mask;
    s->table[i] = slot + 1;
}

static void enlarge(struct slots *s)
{
    uint32_t size = s->table ? 2 * (s->mask + 1) : 64;
    uint32_t *table = mem_new_zero(s->mem, uint32_t, size);
    mem_free(s->mem, s->table);
    s->table = table;
    s->mask = size - 1;
    for (uint32_t slot = 0; slot < s->all.n; slot++)
        if (s->all.at[slot].length)
            place(s, slot);
}

uint32_t slots_open(struct slots *s, struct id id)
{
    if (!s->table || s->used > s->mask / 2)
        enlarge(s);
    char *text = id.length > ID_PACKED ? mem_text(s->mem, id.text, id.length) : NULL;
    if (!s->free.n) {
        vec_push(s->mem, &s->free, s->all.n);
        vec_push(s->mem, &s->all, (struct open_call){0});
    }
    uint32_t slot = vec_pop(&s->free);
    struct open_call *o = &s->all.at[slot];
    o->key = id.key;
    o->length = id.length;
    o->text = text;
    s->used++;
    place(s, slot);
    return slot;
}

/* Slots that were put behind the one that goes, for want of its place, move up. */
static void take_out(struct slots *s, uint32_t slot)
{
    uint32_t gap = home(s, s->all.at[slot].key);
    while (s->table[gap] != slot + 1)
        gap = (gap + 1) & s->mask;
    for (uint32_t i = (gap + 1) & s->mask; s->table[i]; i = (i + 1) & s->mask) {
        uint32_t wants = home(s, s->all.at[s->table[i] - 1].key);
        if (((i - wants) & s->mask) < ((i - gap) & s->mask))
            continue;
        s->table[gap] = s->table[i];
        gap = i;
    }
    s->table[gap] = 0;
}

void slots_close(struct slots *s, uint32_t slot)
{
    struct open_call *o = &s->all.at[slot];
    vec_reserve(s->mem, &s->free, 1);
    take_out(s, slot);
    mem_free(s->mem, o->text);
    o->text = NULL;
    o->length = 0;
    s->free.at[s->free.n++] = slot;
    s->used--;
}

void slots_clear(struct slots *s)
{
    for (uint32_t slot = 0; slot < s->all.n; slot++)
        if (s->all.at[slot].length)
            slots_close(s, slot);
}

/* The hash of a long id depends on a key of the process. */
static void image_call(struct image *x, struct mem *m, struct open_call *o)
{
    image_plain(x, &o->key);
    image_plain(x, &o->step);
    image_plain(x, &o->line);
    image_plain(x, &o->length);
    image_plain(x, &o->watch);
    image_vec(x, m, &o->args);
    if (o->length <= ID_PACKED)
        return;
    if (x->loads)
        o->text = mem_zero(m, (size_t)image_count(x, 0, 1) + 1);
    else
        image_count(x, o->length, 1);
    image_bytes(x, o->text, o->length);
    o->key = id_of(o->text, o->length).key;
}

void slots_image(struct slots *s, struct image *x)
{
    uint32_t n = image_count(x, s->all.n, sizeof(uint64_t));
    while (x->loads && s->all.n < n)
        vec_push(s->mem, &s->all, ((struct open_call){0}));
    for (uint32_t i = 0; i < n; i++)
        image_call(x, s->mem, &s->all.at[i]);
    image_vec(x, s->mem, &s->free);
    image_plain(x, &s->used);
    while (x->loads && (!s->table || s->used > s->mask / 2))
        enlarge(s);
}
