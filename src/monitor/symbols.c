/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/symbols.h"

#include "base/image.h"
#include "base/keyed.h"

#include <string.h>

/* The next sweep comes after as many new texts as this one left, and after a new text for so many values that it
 * looked at: so all sweeps together take time linear in the number of texts, also if most values are numbers. */
enum { FIRST_SWEEP = 4096, FIRST_SLOTS = 1024, CHEAP = 8 };

struct symbols symbols_in(struct mem *m)
{
    struct symbols s = {.mem = m, .limit = FIRST_SWEEP, .sweeps = 1};
    for (int w = 0; w < ONLINE_WORDS; w++) {
        uint32_t number = symbols_put(&s, online_words[w], strlen(online_words[w]));
        s.all.at[number].pins = 1;
    }
    return s;
}

static void place(struct symbols *s, uint32_t number)
{
    uint32_t i = s->all.at[number].hash & s->mask;
    while (s->slots[i])
        i = (i + 1) & s->mask;
    s->slots[i] = number + 1;
}

/* The table anew, with `size` places, a power of two. */
static void rebuild(struct symbols *s, uint32_t size)
{
    if (!s->slots || size != s->mask + 1) {
        uint32_t *slots = mem_new(s->mem, uint32_t, size);
        mem_free(s->mem, s->slots);
        s->slots = slots;
        s->mask = size - 1;
    }
    memset(s->slots, 0, size * sizeof *s->slots);
    for (uint32_t i = 0; i < s->all.n; i++)
        if (s->all.at[i].text)
            place(s, i);
}

static uint32_t add(struct symbols *s, const char *text, size_t length, uint32_t hash)
{
    struct symbol symbol = {mem_text(s->mem, text, length), (uint32_t)length, hash, 0, false};
    uint32_t number = s->free.n ? vec_pop(&s->free) : s->all.n;
    if (number == s->all.n)
        vec_push(s->mem, &s->all, symbol);
    else
        s->all.at[number] = symbol;
    s->used++;
    return number;
}

uint32_t symbols_put(struct symbols *s, const char *text, size_t length)
{
    if (!s->slots || s->used > s->mask / 2)
        rebuild(s, s->slots ? 2 * (s->mask + 1) : FIRST_SLOTS);
    uint32_t hash = (uint32_t)keyed_bytes(text, length);
    for (uint32_t i = hash & s->mask;; i = (i + 1) & s->mask) {
        if (!s->slots[i])
            return (s->slots[i] = add(s, text, length, hash) + 1) - 1;
        const struct symbol *known = &s->all.at[s->slots[i] - 1];
        if (known->hash == hash && known->length == length && memcmp(known->text, text, length) == 0)
            return s->slots[i] - 1;
    }
}

assay_value symbols_public(const struct symbols *s, struct value v)
{
    if (!kind_is_text(v.kind))
        return value_with_text(v, NULL, 0);
    const struct symbol *symbol = &s->all.at[v.bits];
    return value_with_text(v, symbol->text, symbol->length);
}

const char *symbols_text(void *symbols, struct value v, size_t *length)
{
    const struct symbol *symbol = &((struct symbols *)symbols)->all.at[v.bits];
    *length = symbol->length;
    return symbol->text;
}

void symbols_pin(struct symbols *s, struct value v)
{
    if (kind_is_text(v.kind))
        s->all.at[v.bits].pins++;
}

void symbols_unpin(void *symbols, struct value v)
{
    struct symbols *s = symbols;
    if (kind_is_text(v.kind))
        s->all.at[v.bits].pins--;
}

void symbols_begin_sweep(struct symbols *s)
{
    s->marked = 0;
    for (uint32_t i = 0; i < s->all.n; i++)
        s->all.at[i].named = false;
}

void symbols_mark(void *symbols, struct value v)
{
    struct symbols *s = symbols;
    s->marked++;
    if (kind_is_text(v.kind))
        s->all.at[v.bits].named = true;
}

void symbols_end_sweep(struct symbols *s)
{
    for (uint32_t i = 0; i < s->all.n; i++) {
        struct symbol *symbol = &s->all.at[i];
        if (!symbol->text || symbol->named || symbol->pins)
            continue;
        vec_reserve(s->mem, &s->free, 1); /* before the text is gone: this may escape */
        mem_free(s->mem, symbol->text);
        symbol->text = NULL;
        s->free.at[s->free.n++] = i;
        s->used--;
    }
    s->sweeps++;
    rebuild(s, s->mask + 1);
    uint64_t more = s->used > FIRST_SWEEP / 2 ? s->used : FIRST_SWEEP - s->used;
    more = s->marked / CHEAP > more ? s->marked / CHEAP : more;
    s->limit = more < UINT32_MAX - s->used ? s->used + (uint32_t)more : UINT32_MAX;
}

static void image_symbol(struct image *x, struct mem *m, struct symbol *symbol)
{
    bool there = symbol->text;
    image_plain(x, &there);
    if (!there)
        return;
    symbol->length = image_count(x, symbol->length, 1);
    if (x->loads)
        symbol->text = mem_zero(m, (size_t)symbol->length + 1);
    image_bytes(x, symbol->text, symbol->length);
    symbol->hash = (uint32_t)keyed_bytes(symbol->text, symbol->length);
}

void symbols_image(struct symbols *s, struct image *x)
{
    uint32_t n = image_count(x, s->all.n, 1), words = s->all.n;
    for (uint32_t i = 0; x->loads && i < words; i++) {
        mem_free(s->mem, s->all.at[i].text);
        s->all.at[i].text = NULL;
    }
    while (x->loads && s->all.n < n)
        vec_push(s->mem, &s->all, ((struct symbol){.text = NULL}));
    for (uint32_t i = 0; i < n; i++)
        image_symbol(x, s->mem, &s->all.at[i]);
    image_vec(x, s->mem, &s->free);
    image_plain(x, &s->used);
    image_plain(x, &s->limit);
    uint32_t size = FIRST_SLOTS;
    while (s->used > (size - 1) / 2)
        size *= 2;
    if (x->loads)
        rebuild(s, size);
}
