/* SPDX-License-Identifier: Apache-2.0 */
#include "base/rows.h"

#include "base/keyed.h"

#include <string.h>

enum { FEWEST = 64 };

const void *rows_get(const struct rows *r, uint32_t number, size_t *size)
{
    size_t start = number ? r->ends.at[number - 1] : 0;
    *size = r->ends.at[number] - start;
    return r->bytes + start;
}

static bool is(const struct rows *r, uint32_t number, const void *row, size_t size)
{
    size_t own;
    const void *kept = rows_get(r, number, &own);
    return own == size && memcmp(kept, row, size) == 0;
}

static struct rows_slot *free_slot(struct rows_slot *slots, uint32_t mask, uint32_t hash)
{
    uint32_t i = hash & mask;
    while (slots[i].number)
        i = (i + 1) & mask;
    return &slots[i];
}

static void enlarge(struct rows *r, struct mem *m)
{
    uint32_t mask = r->slots ? 2 * r->mask + 1 : FEWEST - 1;
    struct rows_slot *slots = mem_new_zero(m, struct rows_slot, (size_t)mask + 1);
    for (uint32_t i = 0; r->slots && i <= r->mask; i++)
        if (r->slots[i].number)
            *free_slot(slots, mask, r->slots[i].hash) = r->slots[i];
    mem_free(m, r->slots);
    r->slots = slots;
    r->mask = mask;
}

static void append(struct rows *r, struct mem *m, const void *row, size_t size)
{
    if (!r->bytes || r->room - r->used < size) {
        r->room = 2 * (r->used + size) + FEWEST;
        r->bytes = mem_resize(m, r->bytes, r->room);
    }
    memcpy(r->bytes + r->used, row, size);
    r->used += size;
    vec_push(m, &r->ends, r->used);
}

uint32_t rows_number(struct rows *r, struct mem *m, const void *row, size_t size)
{
    if (r->ends.n >= r->mask / 2)
        enlarge(r, m);
    uint32_t hash = (uint32_t)keyed_bytes(row, size), i = hash & r->mask;
    for (; r->slots[i].number; i = (i + 1) & r->mask)
        if (r->slots[i].hash == hash && is(r, r->slots[i].number - 1, row, size))
            return r->slots[i].number - 1;
    append(r, m, row, size);
    r->slots[i] = (struct rows_slot){r->ends.n, hash};
    return r->ends.n - 1;
}

bool rows_add(struct rows *r, struct mem *m, const void *row, size_t size)
{
    uint32_t n = r->ends.n;
    return rows_number(r, m, row, size) == n;
}

void rows_clear(struct rows *r)
{
    if (r->ends.n)
        memset(r->slots, 0, ((size_t)r->mask + 1) * sizeof *r->slots);
    r->used = 0;
    vec_clear(&r->ends);
}

void rows_free(struct rows *r, struct mem *m)
{
    mem_free(m, r->bytes);
    mem_free(m, r->slots);
    vec_free(m, &r->ends);
    *r = (struct rows){0};
}
