/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"

#include "base/hash.h"
#include "base/keyed.h"

#include <stdbool.h>
#include <string.h>

struct names names_in(struct mem *m)
{
    return (struct names){.mem = m, .arena = arena_in(m)};
}

/* The slot of the text, or the free one where it belongs. */
static struct names_slot *probe(const struct names *n, const char *text, size_t length, uint32_t hash)
{
    for (uint32_t i = hash & n->mask;; i = (i + 1) & n->mask) {
        struct names_slot *slot = &n->slots[i];
        if (!slot->id)
            return slot;
        if (slot->hash != hash)
            continue;
        const struct name *name = &n->all.at[slot->id - 1];
        if (name->length == length && memcmp(name->text, text, length) == 0)
            return slot;
    }
}

static void enlarge(struct names *n)
{
    uint32_t mask = n->slots ? n->mask * 2 + 1 : 63;
    struct names_slot *slots = mem_new_zero(n->mem, struct names_slot, (size_t)mask + 1);
    for (uint32_t old = 0; n->slots && old <= n->mask; old++) {
        if (!n->slots[old].id)
            continue;
        uint32_t i = n->slots[old].hash & mask;
        while (slots[i].id)
            i = (i + 1) & mask;
        slots[i] = n->slots[old];
    }
    mem_free(n->mem, n->slots);
    n->slots = slots;
    n->mask = mask;
}

/* ---- families ---- */

enum { DIGITS = 9, PREFIX = 7 };

struct numbered {
    uint64_t prefix;
    uint32_t number;
};

/* "x17" as x and 17. The number is as numbers are printed: without leading zeros. */
static bool numbered_of(const char *text, size_t length, struct numbered *out)
{
    size_t at = length;
    while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
        at--;
    if (at == length || at > PREFIX || length - at > DIGITS || (text[at] == '0' && length - at > 1))
        return false;
    *out = (struct numbered){(uint64_t)at << 56, 0};
    for (size_t i = 0; i < at; i++)
        out->prefix |= (uint64_t)(unsigned char)text[i] << (8 * i);
    for (; at < length; at++)
        out->number = out->number * 10 + (uint32_t)(text[at] - '0');
    return true;
}

/* The place of the prefix's family; n->families: it has none. */
static uint32_t family_of(const struct names *n, uint64_t prefix)
{
    uint32_t i = 0;
    while (i < n->families && n->family[i].prefix != prefix)
        i++;
    return i;
}

/* A prefix has a family from its first number on, or never: NULL. */
static struct names_family *family_for(struct names *n, uint64_t prefix)
{
    uint32_t i = family_of(n, prefix);
    if (i == NAMES_FAMILIES)
        return NULL;
    if (i == n->families)
        n->family[n->families++] = (struct names_family){.prefix = prefix};
    return &n->family[i];
}

/* The number's id in the table, or ID_NONE. */
static uint32_t counted(const struct names_family *f, uint32_t number)
{
    return number < f->counted.n && f->counted.at[number] ? f->counted.at[number] - 1 : ID_NONE;
}

static bool is_dense(const struct names_family *f, uint32_t number)
{
    return number / 4 <= f->dense + f->sparse + 64;
}

/* ---- all names ---- */

static uint32_t add(struct names *n, const char *text, size_t length)
{
    struct name name = {arena_text(&n->arena, text, length), (uint32_t)length};
    vec_push(n->mem, &n->all, name);
    return n->all.n - 1;
}

static uint32_t put_hashed(struct names *n, const char *text, size_t length, struct names_family *f)
{
    if (!n->slots || n->hashed >= n->mask / 2)
        enlarge(n);
    uint32_t hash = (uint32_t)keyed_bytes(text, length);
    struct names_slot *slot = probe(n, text, length, hash);
    if (!slot->id) {
        *slot = (struct names_slot){add(n, text, length) + 1, hash};
        n->hashed++;
        if (f)
            f->sparse++;
    }
    return slot->id - 1;
}

static uint32_t find_hashed(const struct names *n, const char *text, size_t length)
{
    if (!n->slots)
        return ID_NONE;
    uint32_t id = probe(n, text, length, (uint32_t)keyed_bytes(text, length))->id;
    return id ? id - 1 : ID_NONE;
}

/* A number that the family's table lacks. */
static uint32_t put_counted(struct names *n, const char *text, size_t length, struct names_family *f, uint32_t number)
{
    uint32_t id = f->sparse ? find_hashed(n, text, length) : ID_NONE;
    while (f->counted.n <= number)
        vec_push(n->mem, &f->counted, 0);
    if (id == ID_NONE)
        id = add(n, text, length);
    f->counted.at[number] = id + 1;
    f->dense++;
    return id;
}

uint32_t names_put(struct names *n, const char *text, size_t length)
{
    struct numbered x;
    struct names_family *f = numbered_of(text, length, &x) ? family_for(n, x.prefix) : NULL;
    if (!f)
        return put_hashed(n, text, length, NULL);
    uint32_t id = counted(f, x.number);
    if (id != ID_NONE)
        return id;
    return is_dense(f, x.number) ? put_counted(n, text, length, f, x.number) : put_hashed(n, text, length, f);
}

uint32_t names_find(const struct names *n, const char *text, size_t length)
{
    struct numbered x;
    uint32_t family = numbered_of(text, length, &x) ? family_of(n, x.prefix) : n->families;
    uint32_t id = family < n->families ? counted(&n->family[family], x.number) : ID_NONE;
    return id == ID_NONE ? find_hashed(n, text, length) : id;
}
