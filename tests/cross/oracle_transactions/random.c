/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/random.h"

#include <stdbool.h>
#include <stdint.h>

uint64_t rng_state;

static uint64_t next(void)
{
    rng_state += 0x9e3779b97f4a7c15u;
    uint64_t z = rng_state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

int below(int n)
{
    return n > 0 ? (int)(next() % (uint64_t)n) : 0;
}

bool chance(int percent)
{
    return below(100) < percent;
}

void shuffle(int *order, int n)
{
    for (int i = 0; i < n; i++) {
        int k = below(i + 1);
        order[i] = order[k];
        order[k] = i;
    }
}
