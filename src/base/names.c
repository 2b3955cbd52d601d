/* SPDX-License-Identifier: Apache-2.0 */
#include "base/names.h"

#include "base/hash.h"

#include <string.h>

/* Eight bytes at a time through memcpy; the hash stays inside this process, byte order may show. */
static uint32_t name_hash(const char *text, size_t length)
{
    uint64_t h = length, word;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&word, text, 8);
        h = (h ^ word) * 0x9E3779B97F4A7C15u;
        h ^= h >> 32;
    }
    word = 0;
    for (size_t i = 0; i < length; i++)
        word = word << 8 | (unsigned char)text[i];
    h = (h ^ word) * 0x9E3779B97F4A7C15u;
    return (uint32_t)(h >> 32);
}

struct names names_in(struct mem *m)
{
    return (struct names){.mem = m, .arena = arena_in(m)};
}

static uint32_t probe(const struct names *n, const char *text, size_t length, uint32_t hash)
{
    for (uint32_t i = hash & n->mask;; i = (i + 1) & n->mask) {
        uint32_t id = n->slots[i];
        if (!id)
            return i;
        const struct name *name = &n->all.at[id - 1];
        if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
            return i;
    }
}

static void enlarge(struct names *n)
{
    uint32_t mask = n->slots ? n->mask * 2 + 1 : 63;
    uint32_t *slots = mem_new_zero(n->mem, uint32_t, (size_t)mask + 1);
    for (uint32_t id = 0; id < n->all.n; id++) {
        uint32_t i = n->all.at[id].hash & mask;
        while (slots[i])
            i = (i + 1) & mask;
        slots[i] = id + 1;
    }
    mem_free(n->mem, n->slots);
    n->slots = slots;
    n->mask = mask;
}

uint32_t names_put(struct names *n, const char *text, size_t length)
{
    if (!n->slots || n->all.n >= n->mask / 2)
        enlarge(n);
    uint32_t hash = name_hash(text, length);
    uint32_t slot = probe(n, text, length, hash);
    if (!n->slots[slot]) {
        struct name name = {arena_text(&n->arena, text, length), (uint32_t)length, hash};
        vec_push(n->mem, &n->all, name);
        n->slots[slot] = n->all.n;
    }
    return n->slots[slot] - 1;
}

uint32_t names_find(const struct names *n, const char *text, size_t length)
{
    if (!n->slots)
        return ID_NONE;
    uint32_t id = n->slots[probe(n, text, length, name_hash(text, length))];
    return id ? id - 1 : ID_NONE;
}
