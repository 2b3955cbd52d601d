/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"

#include "base/keyed.h"

uint64_t hash_bytes(const void *bytes, size_t length)
{
    const unsigned char *p = bytes;
    uint64_t h = length * 0x9E3779B97F4A7C15u;
    while (length) {
        /* Assembled byte by byte, so that the result does not depend on the machine's byte order. */
        uint64_t word = 0;
        size_t take = length < 8 ? length : 8;
        for (size_t i = 0; i < take; i++)
            word |= (uint64_t)p[i] << (8 * i);
        h = hash_mix(h ^ word);
        p += take;
        length -= take;
    }
    return h;
}

uint32_t idmap_get(const struct idmap *m, uint64_t key)
{
    if (!m->slots)
        return ID_NONE;
    for (uint32_t i = keyed_word(key) & m->mask;; i = (i + 1) & m->mask) {
        const struct idmap_slot *s = &m->slots[i];
        if (s->id == ID_NONE || s->key == key)
            return s->id;
    }
}

static struct idmap_slot *find(struct idmap_slot *slots, uint32_t mask, uint64_t key)
{
    uint32_t i = keyed_word(key) & mask;
    while (slots[i].id != ID_NONE && slots[i].key != key)
        i = (i + 1) & mask;
    return &slots[i];
}

static void enlarge(struct mem *mem, struct idmap *m)
{
    uint32_t mask = m->slots ? m->mask * 2 + 1 : 15;
    struct idmap_slot *slots = mem_new(mem, struct idmap_slot, (size_t)mask + 1);
    for (uint32_t i = 0; i <= mask; i++)
        slots[i].id = ID_NONE;
    if (m->slots)
        for (uint32_t i = 0; i <= m->mask; i++)
            if (m->slots[i].id != ID_NONE)
                *find(slots, mask, m->slots[i].key) = m->slots[i];
    mem_free(mem, m->slots);
    m->slots = slots;
    m->mask = mask;
}

uint32_t *idmap_at(struct mem *mem, struct idmap *m, uint64_t key)
{
    if (!m->slots || m->n >= m->mask / 2)
        enlarge(mem, m);
    struct idmap_slot *s = find(m->slots, m->mask, key);
    if (s->id == ID_NONE) {
        s->key = key;
        m->n++;
    }
    return &s->id;
}
