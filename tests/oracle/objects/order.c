/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/order.h"

#include "oracle/objects/history.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

bool has(const uint64_t *b, int i)
{
    return b[i / 64] >> (i % 64) & 1;
}

void put_bit(uint64_t *b, int i)
{
    b[i / 64] |= (uint64_t)1 << (i % 64);
}

void drop_bit(uint64_t *b, int i)
{
    b[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static bool earlier_in_time(const struct history *h, const struct op *a, const struct op *b)
{
    if (h->clock == AFTER || a->pending)
        return false;
    return (__int128)a->ret + h->skew < (__int128)b->call - h->skew;
}

void happens_before(const struct history *h, bool real_time, struct order *r)
{
    memset(r, 0, sizeof *r);
    int nth[MAX_OPS], seen[MAX_THREADS] = {0};
    for (int i = 0; i < h->ops; i++)
        nth[i] = seen[h->op[i].thread]++;
    for (int a = 0; a < h->ops; a++)
        for (int b = 0; b < h->ops; b++) {
            const struct op *x = &h->op[a], *y = &h->op[b];
            bool po = x->thread == y->thread && nth[a] < nth[b];
            bool rt = real_time && (earlier_in_time(h, x, y) || (h->clock == AFTER && nth[a] < y->after[x->thread]));
            if (a != b && (po || rt))
                put_bit(r->before[b], a);
        }
    for (int k = 0; k < h->ops; k++)
        for (int b = 0; b < h->ops; b++)
            if (has(r->before[b], k))
                for (int w = 0; w < WORDS; w++)
                    r->before[b][w] |= r->before[k][w];
}

bool is_interval_order(const struct history *h, const struct order *r)
{
    for (int a = 0; a < h->ops; a++)
        for (int b = 0; b < a; b++) {
            bool less = true, more = true;
            for (int w = 0; w < WORDS; w++) {
                less = less && !(r->before[a][w] & ~r->before[b][w]);
                more = more && !(r->before[b][w] & ~r->before[a][w]);
            }
            if (!less && !more)
                return false;
        }
    return true;
}
