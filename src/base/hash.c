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
    if (key < m->dense_n && m->dense[key] != ID_NONE)
        return m->dense[key];
    if (!m->slots)
        return ID_NONE;
    for (uint32_t i = keyed_word(key) & m->mask;; i = (i + 1) & m->mask) {
        const struct idmap_slot *s = &m->slots[i];
        if (s->id == ID_NONE || s->key == key)
            return s->id;
    }
}

enum { FEW = 16, MOST_DENSE = 1 << 30 }; /* and half as much more are still 32 bits */

static struct idmap_slot *find(struct idmap_slot *slots, uint32_t mask, uint64_t key)
{
    uint32_t i = keyed_word(key) & mask;
    while (slots[i].id != ID_NONE && slots[i].key != key)
        i = (i + 1) & mask;
    return &slots[i];
}

static void enlarge(struct mem *mem, struct idmap *m)
{
    uint32_t mask = m->slots ? m->mask * 2 + 1 : FEW - 1;
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

static void enlarge_dense(struct mem *mem, struct idmap *m, uint32_t key)
{
    uint32_t n = key + key / 2 + FEW;
    m->dense = mem_resize(mem, m->dense, mem_product(n, sizeof *m->dense));
    memset(m->dense + m->dense_n, 0xFF, (n - m->dense_n) * sizeof *m->dense);
    m->dense_n = n;
}

uint32_t *idmap_at(struct mem *mem, struct idmap *m, uint64_t key)
{
    if (key < m->dense_n && m->dense[key] != ID_NONE)
        return &m->dense[key];
    struct idmap_slot *s = m->slots ? find(m->slots, m->mask, key) : NULL;
    if (s && s->id != ID_NONE)
        return &s->id;
    if (key >= m->dense_n && key < MOST_DENSE && key / 4 <= m->n)
        enlarge_dense(mem, m, (uint32_t)key);
    if (key >= m->dense_n && (!s || m->hashed >= m->mask / 2)) {
        enlarge(mem, m);
        s = find(m->slots, m->mask, key);
    }
    m->n++;
    if (key < m->dense_n)
        return &m->dense[key];
    s->key = key;
    m->hashed++;
    return &s->id;
}

void idmap_free(struct mem *mem, struct idmap *m)
{
    mem_free(mem, m->dense);
    mem_free(mem, m->slots);
    *m = (struct idmap){0};
}
