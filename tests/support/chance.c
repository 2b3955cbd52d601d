/* SPDX-License-Identifier: Apache-2.0 */
#include "support/chance.h"

uint64_t chance_state;

static uint64_t next(void)
{
    uint64_t z = chance_state += 0x9e3779b97f4a7c15u;
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
