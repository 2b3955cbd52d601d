/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/key_set.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return a < b ? -1 : a > b;
}

struct key_sets key_sets_of(const struct txn_view *v, struct mem *m)
{
    struct key_sets s = {v, NULL};
    for (uint32_t t = 0; t < v->n; t++) {
        uint32_t from = v->writes_at[t], count = v->writes_at[t + 1] - from;
        if (count <= KEYS_FEW)
            continue;
        if (!s.sorted) {
            s.sorted = mem_new(m, uint32_t, v->writes_at[v->n]);
            memcpy(s.sorted, v->write_key, v->writes_at[v->n] * sizeof *s.sorted);
        }
        qsort(s.sorted + from, count, sizeof *s.sorted, by_number);
    }
    return s;
}

bool key_sets_has(const struct key_sets *s, uint32_t t, uint32_t key)
{
    uint32_t low = s->v->writes_at[t], high = s->v->writes_at[t + 1];
    if (high - low <= KEYS_FEW) {
        while (low < high && s->v->write_key[low] != key)
            low++;
        return low < high;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->v->writes_at[t + 1] && s->sorted[low] == key;
}
