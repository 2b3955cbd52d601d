/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/history.h"

#include <stdbool.h>
#include <stdint.h>
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

/* The k-th operation of the thread, counted from 1 */
static int nth_of_thread(const struct history *h, int t, int k)
{
    for (int i = 0; i < h->n; i++)
        if (h->ops[i].thread == t && --k == 0)
            return i;
    return NOTHING;
}

bool precedes(const struct order *o, int a, int b)
{
    return o->row[a] >> b & 1;
}

struct order program_order(const struct history *h, bool across)
{
    struct order o = {{0}};
    for (int a = 0; a < h->n; a++) {
        for (int b = a + 1; b < h->n; b++)
            if (h->ops[a].thread == h->ops[b].thread)
                o.row[a] |= (uint64_t)1 << b;
        for (int t = 0; across && t < h->threads; t++)
            if (h->ops[a].after[t])
                o.row[nth_of_thread(h, t, h->ops[a].after[t])] |= (uint64_t)1 << a;
    }
    for (int k = 0; k < h->n; k++)
        for (int a = 0; a < h->n; a++)
            if (o.row[a] >> k & 1)
                o.row[a] |= o.row[k];
    return o;
}

void keep_only(struct history *h, const bool *keep)
{
    bool small = h->n <= SMALL_OPS;
    struct order o = small && h->knows ? program_order(h, true) : (struct order){{0}};
    int kept = 0;
    for (int i = 0; i < h->n && h->knows; i++)
        for (int t = 0; t < h->threads; t++) {
            int seen = 0, left = 0;
            for (int a = 0; a < h->n; a++)
                if (h->ops[a].thread == t) {
                    bool before = small ? precedes(&o, a, i) : seen < h->ops[i].after[t];
                    left += before && keep[a];
                    seen++;
                }
            if (h->ops[i].thread != t || !small)
                h->ops[i].after[t] = (short)left;
            else
                h->ops[i].after[t] = 0;
        }
    for (int i = 0; i < h->n; i++)
        if (keep[i])
            h->ops[kept++] = h->ops[i];
    h->n = kept;
}

void drop(struct history *h, int i)
{
    bool keep[MAX_OPS];
    memset(keep, true, sizeof keep);
    keep[i] = false;
    keep_only(h, keep);
}
