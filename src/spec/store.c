/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/store.h"

#include "base/bitset.h"
#include "spec/state.h"

#include <stdlib.h>

enum { FEWEST = 8 };

void store_init(struct store *s, assay_memory *m)
{
    *s = (struct store){.memory = m, .mask = FEWEST - 1};
    persistent_init(&s->slots, FEWEST, sizeof(struct store_pair), m);
}

void store_init_copy(struct store *s, const struct store *from, assay_memory *m)
{
    *s = *from;
    s->memory = m;
    persistent_init_copy(&s->slots, &from->slots, m);
}

void store_free(struct store *s)
{
    persistent_free(&s->slots);
}

static uint32_t home(assay_value key)
{
    if (key.kind == ASSAY_LIST)
        return (uint32_t)digest_of_value(key).at[0];
    return digest_is_word(key) ? keyed_word((uint64_t)key.integer * 4 + key.kind)
                               : (uint32_t)keyed_bytes(key.text, key.length);
}

/* The slot of the key, or the free one where it would be. Small tables are plain arrays, and most tables are small. */
static uint32_t find(const struct store *s, assay_value key)
{
    uint32_t i = home(key) & s->mask;
    const struct store_pair *p = s->slots.flat;
    if (p) {
        while (p[i].key.kind != ASSAY_NONE && !assay_value_same(p[i].key, key))
            i = (i + 1) & s->mask;
        return i;
    }
    while (p = store_slot(s, i), p->key.kind != ASSAY_NONE && !assay_value_same(p->key, key))
        i = (i + 1) & s->mask;
    return i;
}

/* Without dead slots, a quarter full at most. */
static void rebuild(struct store *s)
{
    struct store old = *s;
    uint32_t slots = FEWEST;
    while (slots / 4 < s->size)
        slots *= 2;
    struct persistent fresh;
    persistent_init(&fresh, slots, sizeof(struct store_pair), s->memory);
    s->slots = fresh;
    s->mask = slots - 1;
    s->used = s->size;
    for (uint32_t i = 0; i <= old.mask; i++) {
        const struct store_pair *p = store_slot(&old, i);
        if (p->value.kind != ASSAY_NONE)
            *persistent_own(&s->slots, struct store_pair, find(s, p->key)) = *p;
    }
    store_free(&old);
}

assay_value store_get(const struct store *s, assay_value key)
{
    return store_slot(s, find(s, key))->value;
}

static struct digest hash_of(const struct store_pair *p)
{
    return digest_of_pair(p->key, p->value);
}

assay_value store_set(struct store *s, assay_value key, assay_value value)
{
    uint32_t slot = find(s, key);
    const struct store_pair old = *store_slot(s, slot), now = {key, value};
    if (old.value.kind == ASSAY_NONE && value.kind == ASSAY_NONE)
        return value;
    *persistent_own(&s->slots, struct store_pair, slot) = now;
    s->used += old.key.kind == ASSAY_NONE;
    if (old.value.kind != ASSAY_NONE) {
        digest_take(&s->digest, hash_of(&old));
        s->size--;
    }
    if (value.kind != ASSAY_NONE) {
        digest_add(&s->digest, hash_of(&now));
        s->size++;
    }
    if (s->used > s->mask / 2 || (s->used >= 8 * FEWEST && s->size < s->used / 8))
        rebuild(s);
    return old.value;
}

bool store_same(const void *left, const void *right)
{
    const struct store *a = left, *b = right;
    if (a->size != b->size)
        return false;
    for (uint32_t i = 0; i <= a->mask; i++) {
        const struct store_pair *p = store_slot(a, i);
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
        uint32_t slot = find(s, assay_list_last(list));
        exactly = store_slot(s, slot)->value.kind != ASSAY_NONE && !bitset_has(met, slot);
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
        if (store_slot(s, i)->value.kind != ASSAY_NONE)
            out[n++] = store_slot(s, i)->key;
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
        if (store_slot(s, i)->value.kind != ASSAY_NONE)
            pairs[n++] = *store_slot(s, i);
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
    for (uint32_t i = 0; i <= s->mask; i++) {
        const struct store_pair *p = store_slot(s, i);
        if (p->value.kind != ASSAY_NONE)
            visit(arg, (assay_binding){.key = p->key, .value = p->value});
    }
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
