/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tier.h"

#include <string.h>

enum tier tier_of(int *argc, char **argv)
{
    enum tier tier = TIER_DEEP;
    int kept = 0;
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], "--quick") == 0)
            tier = TIER_QUICK;
        else if (strcmp(argv[i], "--long") == 0)
            tier = TIER_LONG;
        else
            argv[kept++] = argv[i];
    }
    *argc = kept;
    return tier;
}

uint32_t by_tier(enum tier tier, uint32_t quick, uint32_t deep, uint32_t all)
{
    return tier == TIER_QUICK ? quick : tier == TIER_DEEP ? deep : all;
}
