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

enum { NOT_A_NUMBER = UINT32_MAX, DIGITS = 9 };

/* 17 for "17", as numbers are printed: without leading zeros. */
static uint32_t number_of(const char *text, size_t length)
{
    uint32_t number = 0;
    if (length == 0 || length > DIGITS || (text[0] == '0' && length > 1))
        return NOT_A_NUMBER;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return NOT_A_NUMBER;
        number = number * 10 + (uint32_t)(text[i] - '0');
    }
    return number;
}

static uint32_t add(struct names *n, const char *text, size_t length)
{
    struct name name = {arena_text(&n->arena, text, length), (uint32_t)length};
    vec_push(n->mem, &n->all, name);
    return n->all.n - 1;
}

static uint32_t put_hashed(struct names *n, const char *text, size_t length, bool number)
{
    if (!n->slots || n->hashed >= n->mask / 2)
        enlarge(n);
    uint32_t hash = (uint32_t)keyed_bytes(text, length);
    struct names_slot *slot = probe(n, text, length, hash);
    if (!slot->id) {
        *slot = (struct names_slot){add(n, text, length) + 1, hash};
        n->hashed++;
        n->sparse += number;
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

uint32_t names_put(struct names *n, const char *text, size_t length)
{
    uint32_t number = number_of(text, length);
    if (number == NOT_A_NUMBER)
        return put_hashed(n, text, length, false);
    if (number < n->counted.n && n->counted.at[number])
        return n->counted.at[number] - 1;
    if (number / 2 > n->all.n + 64)
        return put_hashed(n, text, length, true);
    uint32_t id = n->sparse ? find_hashed(n, text, length) : ID_NONE;
    while (n->counted.n <= number)
        vec_push(n->mem, &n->counted, 0);
    if (id == ID_NONE)
        id = add(n, text, length);
    n->counted.at[number] = id + 1;
    return id;
}

uint32_t names_find(const struct names *n, const char *text, size_t length)
{
    uint32_t number = number_of(text, length);
    if (number < n->counted.n && n->counted.at[number])
        return n->counted.at[number] - 1;
    return find_hashed(n, text, length);
}
