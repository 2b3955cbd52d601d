/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memo.h"

#include "base/keyed.h"

#include <string.h>

/* 0 marks a free slot; one bit less makes no difference. */
static struct memo_key marked(struct memo_key key)
{
    key.a |= 1;
    return key;
}

/* Where the key is, or the free slot where it would be. */
static struct memo_key *slot_of(const struct memo *memo, struct memo_key key)
{
    size_t i = key.b & memo->mask;
    while (memo->slots[i].a && (memo->slots[i].a != key.a || memo->slots[i].b != key.b))
        i = (i + 1) & memo->mask;
    return &memo->slots[i];
}

static void grow(struct memo *memo, struct mem *m)
{
    size_t mask = memo->slots ? memo->mask * 2 + 1 : 255;
    struct memo larger = {mem_zero(m, (mask + 1) * sizeof *memo->slots), mask, memo->n};
    for (size_t i = 0; memo->slots && i <= memo->mask; i++)
        if (memo->slots[i].a)
            *slot_of(&larger, memo->slots[i]) = memo->slots[i];
    mem_free(m, memo->slots);
    *memo = larger;
}

bool memo_add(struct memo *memo, struct mem *m, struct memo_key key)
{
    if (memo->n * 2 >= memo->mask)
        grow(memo, m);
    struct memo_key *at = slot_of(memo, marked(key));
    if (at->a)
        return false;
    *at = marked(key);
    memo->n++;
    return true;
}

bool memo_has(const struct memo *memo, struct memo_key key)
{
    return memo->n && slot_of(memo, marked(key))->a;
}

void memo_clear(struct memo *memo)
{
    if (memo->n)
        memset(memo->slots, 0, (memo->mask + 1) * sizeof *memo->slots);
    memo->n = 0;
}

struct memo_key memo_salt(uint64_t i)
{
    uint64_t salt[2];
    struct keyed s = keyed_begin();
    keyed_put(&s, i);
    keyed_end(&s, salt);
    return (struct memo_key){salt[0], salt[1]};
}
