/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/store.h"

#include <string.h>

enum { FEWEST = 8 };

void store_init(struct store *s, assay_memory *m)
{
    *s = (struct store){.memory = m,
                        .slots = assay_memory_get(m, FEWEST * sizeof *s->slots),
                        .mask = FEWEST - 1};
}

void store_init_copy(struct store *s, const struct store *from, assay_memory *m)
{
    size_t bytes = ((size_t)from->mask + 1) * sizeof *from->slots;
    *s = *from;
    s->memory = m;
    s->slots = assay_memory_get(m, bytes);
    memcpy(s->slots, from->slots, bytes);
}

void store_free(struct store *s)
{
    assay_memory_free(s->memory, s->slots);
}

static struct store_pair *find(struct store_pair *slots, uint32_t mask, assay_value key)
{
    uint32_t i = (uint32_t)lanes_of_value(key).at[0] & mask;
    while (slots[i].key.kind != ASSAY_NONE && !assay_value_same(slots[i].key, key))
        i = (i + 1) & mask;
    return &slots[i];
}

static void enlarge(struct store *s)
{
    uint32_t mask = 2 * s->mask + 1;
    struct store_pair *slots = assay_memory_get(s->memory, ((size_t)mask + 1) * sizeof *slots);
    for (uint32_t i = 0; i <= s->mask; i++)
        if (s->slots[i].key.kind != ASSAY_NONE)
            *find(slots, mask, s->slots[i].key) = s->slots[i];
    assay_memory_free(s->memory, s->slots);
    s->slots = slots;
    s->mask = mask;
}

assay_value store_get(const struct store *s, assay_value key)
{
    return find(s->slots, s->mask, key)->value;
}

static struct lanes hash_of(const struct store_pair *p)
{
    return lanes_join(lanes_of_value(p->key), lanes_of_value(p->value));
}

assay_value store_set(struct store *s, assay_value key, assay_value value)
{
    struct store_pair *p = find(s->slots, s->mask, key);
    assay_value old = p->value;
    if (old.kind != ASSAY_NONE) {
        lanes_take(&s->digest, hash_of(p));
        s->size--;
    }
    if (p->key.kind == ASSAY_NONE) {
        p->key = key;
        s->used++;
    }
    p->value = value;
    if (value.kind != ASSAY_NONE) {
        lanes_add(&s->digest, hash_of(p));
        s->size++;
    }
    if (s->used > s->mask / 2)
        enlarge(s);
    return old;
}

/* ---- describing ---- */

static size_t describe(const struct store *s, bool values, char *out, size_t size)
{
    struct printed p = {.out = out, .size = size};
    const char *separator = "{";
    for (uint32_t i = 0; i <= s->mask && !printed_full(&p); i++) {
        if (s->slots[i].value.kind == ASSAY_NONE)
            continue;
        printed_text(&p, separator);
        separator = ", ";
        printed_value(&p, s->slots[i].key);
        if (values) {
            printed_text(&p, "=");
            printed_value(&p, s->slots[i].value);
        }
    }
    printed_text(&p, s->size ? "}" : "{}");
    return p.length;
}

size_t store_describe(const struct store *s, char *out, size_t size)
{
    return describe(s, true, out, size);
}

size_t store_describe_keys(const struct store *s, char *out, size_t size)
{
    return describe(s, false, out, size);
}

/* ---- hooks ---- */

void *store_copy(const void *state, assay_memory *m)
{
    struct store *s = assay_memory_get(m, sizeof *s);
    store_init_copy(s, state, m);
    return s;
}

void store_destroy(void *state, assay_memory *m)
{
    store_free(state);
    assay_memory_free(m, state);
}

void store_digest(const void *state, uint64_t out[2])
{
    const struct store *s = state;
    memcpy(out, s->digest.at, sizeof s->digest.at);
}
