/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/cuts.h"

static bool shows(const struct tx_sketch *s, const struct tx_access *a, int value)
{
    if (!s->is_list[a->key])
        return a->value == value;
    for (uint8_t i = 0; i < a->length && a->value != UNKNOWN_VALUE; i++)
        if (a->list[i] == value)
            return true;
    return false;
}

static bool reads_value_of(const struct tx_sketch *s, const struct tx_access *a, const struct tx *t)
{
    for (uint8_t i = 0; i < t->n; i++)
        if (a->kind == 'r' && t->access[i].kind != 'r' && t->access[i].key == a->key && shows(s, a, t->access[i].value))
            return true;
    return false;
}

static struct tx_sketch without_empty(struct tx_sketch s)
{
    for (uint8_t t = s.n; t--;)
        if (!s.tx[t].n)
            sketch_forget(&s, t);
    return s;
}

static struct tx_sketch without_transaction(struct tx_sketch s, uint8_t gone)
{
    for (uint8_t t = 0; t < s.n; t++)
        for (uint8_t i = s.tx[t].n; i--;)
            if (t != gone && reads_value_of(&s, &s.tx[t].access[i], &s.tx[gone]))
                sketch_drop_access(&s.tx[t], i);
    sketch_forget(&s, gone);
    return without_empty(s);
}

static struct tx_sketch without_key(struct tx_sketch s, uint8_t key)
{
    for (uint8_t t = 0; t < s.n; t++)
        for (uint8_t i = s.tx[t].n; i--;)
            if (s.tx[t].access[i].key == key)
                sketch_drop_access(&s.tx[t], i);
    return without_empty(s);
}

static struct tx_sketch without_read(struct tx_sketch s, uint8_t t, uint8_t i)
{
    sketch_drop_access(&s.tx[t], i);
    return without_empty(s);
}

static bool uses(const struct tx_sketch *s, uint8_t key)
{
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].key == key)
                return true;
    return false;
}

const char *cut_sketch(const struct tx_sketch *s, unsigned i, struct tx_sketch *rest)
{
    for (uint8_t t = 0; t < s->n; t++)
        if (!i--) {
            *rest = without_transaction(*s, t);
            return "a transaction";
        }
    for (uint8_t key = 0; key < MOST_KEYS; key++)
        if (uses(s, key) && !i--) {
            *rest = without_key(*s, key);
            return "a key";
        }
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t access = 0; access < s->tx[t].n; access++)
            if (s->tx[t].access[access].kind == 'r' && !i--) {
                *rest = without_read(*s, t, access);
                return "a read";
            }
    return NULL;
}
