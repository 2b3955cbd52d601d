/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/store.h"

#include "base/bitset.h"
#include "spec/state.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST = 8 };

void store_init(struct store *s, assay_memory *m)
{
    *s = (struct store){.memory = m, .slots = state_get(m, FEWEST * sizeof *s->slots), .mask = FEWEST - 1};
}

void store_init_copy(struct store *s, const struct store *from, assay_memory *m)
{
    size_t bytes = ((size_t)from->mask + 1) * sizeof *from->slots;
    *s = *from;
    s->memory = m;
    s->slots = state_get(m, bytes);
    memcpy(s->slots, from->slots, bytes);
}

void store_free(struct store *s)
{
    state_free(s->memory, s->slots);
}

static uint32_t home(assay_value key)
{
    if (key.kind == ASSAY_LIST)
        return (uint32_t)digest_of_value(key).at[0];
    return digest_is_word(key) ? keyed_word((uint64_t)key.integer * 4 + key.kind)
                               : (uint32_t)keyed_bytes(key.text, key.length);
}

static struct store_pair *find(struct store_pair *slots, uint32_t mask, assay_value key)
{
    uint32_t i = home(key) & mask;
    while (slots[i].key.kind != ASSAY_NONE && !assay_value_same(slots[i].key, key))
        i = (i + 1) & mask;
    return &slots[i];
}

static void enlarge(struct store *s)
{
    uint32_t mask = 2 * s->mask + 1;
    struct store_pair *slots = state_get(s->memory, ((size_t)mask + 1) * sizeof *slots);
    for (uint32_t i = 0; i <= s->mask; i++)
        if (s->slots[i].key.kind != ASSAY_NONE)
            *find(slots, mask, s->slots[i].key) = s->slots[i];
    state_free(s->memory, s->slots);
    s->slots = slots;
    s->mask = mask;
}

assay_value store_get(const struct store *s, assay_value key)
{
    return find(s->slots, s->mask, key)->value;
}

static struct digest hash_of(const struct store_pair *p)
{
    return digest_of_pair(p->key, p->value);
}

assay_value store_set(struct store *s, assay_value key, assay_value value)
{
    struct store_pair *p = find(s->slots, s->mask, key);
    assay_value old = p->value;
    if (old.kind != ASSAY_NONE) {
        digest_take(&s->digest, hash_of(p));
        s->size--;
    }
    if (p->key.kind == ASSAY_NONE) {
        p->key = key;
        s->used++;
    }
    p->value = value;
    if (value.kind != ASSAY_NONE) {
        digest_add(&s->digest, hash_of(p));
        s->size++;
    }
    if (s->used > s->mask / 2)
        enlarge(s);
    return old;
}

bool store_same(const void *left, const void *right)
{
    const struct store *a = left, *b = right;
    if (a->size != b->size)
        return false;
    for (uint32_t i = 0; i <= a->mask; i++) {
        const struct store_pair *p = &a->slots[i];
        if (p->value.kind != ASSAY_NONE && !assay_value_same(p->value, store_get(b, p->key)))
            return false;
    }
    return true;
}

/* ---- lists of keys ---- */

/* Elements that were met are marked by their slots, so that a repeated one does not stand for another. */
bool store_has_exactly(const struct store *s, assay_value list)
{
    if (list.kind != ASSAY_LIST || list.length != s->size)
        return false;
    uint64_t *met = state_get(s->memory, bitset_words(s->mask + 1) * sizeof *met);
    bool exactly = true;
    for (; exactly && list.length; list = assay_list_before(list)) {
        const struct store_pair *p = find(s->slots, s->mask, assay_list_last(list));
        uint32_t slot = (uint32_t)(p - s->slots);
        exactly = p->value.kind != ASSAY_NONE && !bitset_has(met, slot);
        bitset_add(met, slot);
    }
    state_free(s->memory, met);
    return exactly;
}

static int by_order(const void *a, const void *b)
{
    return printed_order(*(const assay_value *)a, *(const assay_value *)b);
}

void store_list_keys(const struct store *s, assay_value *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i <= s->mask; i++)
        if (s->slots[i].value.kind != ASSAY_NONE)
            out[n++] = s->slots[i].key;
    qsort(out, n, sizeof *out, by_order);
}

/* ---- describing ---- */

static int by_key(const void *a, const void *b)
{
    return printed_order(((const struct store_pair *)a)->key, ((const struct store_pair *)b)->key);
}

static size_t describe(const struct store *s, bool values, char *out, size_t size)
{
    struct printed p = {.out = out, .size = size};
    struct store_pair *pairs = state_get(s->memory, ((size_t)s->size + 1) * sizeof *pairs);
    uint32_t n = 0;
    for (uint32_t i = 0; i <= s->mask; i++)
        if (s->slots[i].value.kind != ASSAY_NONE)
            pairs[n++] = s->slots[i];
    qsort(pairs, n, sizeof *pairs, by_key);
    printed_text(&p, "{");
    for (uint32_t i = 0; i < n && !printed_full(&p); i++) {
        printed_text(&p, i ? ", " : "");
        printed_value(&p, pairs[i].key);
        if (values) {
            printed_text(&p, "=");
            printed_value(&p, pairs[i].value);
        }
    }
    printed_text(&p, "}");
    state_free(s->memory, pairs);
    return p.length;
}

size_t store_describe(const void *state, char *out, size_t size)
{
    return describe(state, true, out, size);
}

size_t store_describe_keys(const void *state, char *out, size_t size)
{
    return describe(state, false, out, size);
}

/* ---- hooks ---- */

void store_init_counts(struct store *s, const assay_setting *setting, assay_value key, assay_memory *m, int64_t most)
{
    store_init(s, m);
    for (size_t i = 0; i < setting->init_count; i++) {
        assay_value counted = setting->init[i].key, v = setting->init[i].value;
        if (counted.kind != ASSAY_NONE)
            store_set_count(s, counted, v.integer);
        else if ((key.kind == ASSAY_NONE || assay_value_same(key, v)) && store_count(s, v) < most)
            store_add(s, v, 1);
    }
}

void store_content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct store *s = state;
    for (uint32_t i = 0; i <= s->mask; i++)
        if (s->slots[i].value.kind != ASSAY_NONE)
            visit(arg, (assay_binding){.key = s->slots[i].key, .value = s->slots[i].value});
}

void *store_copy(const void *state, assay_memory *m)
{
    struct store *s = state_get(m, sizeof *s);
    store_init_copy(s, state, m);
    return s;
}

void store_destroy(void *state, assay_memory *m)
{
    store_free(state);
    state_free(m, state);
}
