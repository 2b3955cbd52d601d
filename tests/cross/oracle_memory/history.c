/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_memory/history.h"

#include <stdbool.h>
#include <string.h>

const char *const values[][2] = {
    {"0", "0x0"},
    {"1", "0x1"},
    {"2", "02"},
    {"16", "0x10"},
    {"-1", "0xffffffffffffffff"},
    {"9223372036854775807", "0x7fffffffffffffff"},
    {"-9223372036854775808", "0x8000000000000000"},
    {"a", "a"},
    {"\"a\"", "\"\\u0061\""},
    {"\"1\"", "\"1\""},
    {"nil", "nil"},
    {"\"\"", "\"\""},
    {"\"a b\"", "\"a\\u0020b\""},
    {"true", "true"},
    {"a.b-c", "a.b-c"},
    {"\"\\u00e9\\n\"", "\"\xc3\xa9\\n\""},
    {"\"0x10\"", "\"0x10\""},
    {"empty", "empty"},
};

const char *const names[][2] = {
    {"x", "x"},
    {"y", "y"},
    {"z", "z"},
    {"17", "0x11"},
    {"\"x\"", "\"\\u0078\""},
    {"\"x y\"", "\"x y\""},
    {"-5", "-05"},
    {"k-17", "k-17"},
    {"0", "0x0"},
    {"\"17\"", "\"17\""},
    {"nil", "nil"},
    {"x.y", "x.y"},
};

bool reads(const struct op *o)
{
    return o->kind == READ || o->kind == RMW;
}

bool writes(const struct op *o)
{
    return o->kind == WRITE || o->kind == RMW;
}

bool unique_values(const struct history *h)
{
    for (int i = 0; i < h->n; i++)
        for (int j = 0; j < i && writes(&h->ops[i]); j++)
            if (writes(&h->ops[j]) && h->ops[j].var == h->ops[i].var && h->ops[j].val == h->ops[i].val)
                return false;
    for (int i = 0; i < h->n; i++)
        if (writes(&h->ops[i]) && h->ops[i].val == h->vars[h->ops[i].var].init)
            return false;
    return true;
}

bool pending_writes(const struct history *h)
{
    for (int i = 0; i < h->n; i++)
        if (h->ops[i].pending && writes(&h->ops[i]))
            return true;
    return false;
}

void drop(struct history *h, int i)
{
    memmove(&h->ops[i], &h->ops[i + 1], sizeof *h->ops * (size_t)(h->n - 1 - i));
    h->n--;
}
