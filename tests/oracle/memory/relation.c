/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/relation.h"

#include "oracle/memory/history.h"

#include <stdbool.h>
#include <stdint.h>

bool has(const rel *r, int a, int b)
{
    return r->row[a] >> b & 1;
}

bool put(rel *r, int a, int b)
{
    bool fresh = !has(r, a, b);
    r->row[a] |= (uint64_t)1 << b;
    return fresh;
}

void merge(rel *to, const rel *from)
{
    for (int i = 0; i < SMALL_NODES; i++)
        to->row[i] |= from->row[i];
}

void closure(rel *r, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (has(r, i, k))
                r->row[i] |= r->row[k];
}

bool irreflexive(const rel *r, int n)
{
    for (int i = 0; i < n; i++)
        if (has(r, i, i))
            return false;
    return true;
}

bool acyclic(rel r, int n)
{
    closure(&r, n);
    return irreflexive(&r, n);
}
