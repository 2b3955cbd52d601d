/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
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

struct request request_of(int argc, char **argv)
{
    struct request r = {.tier = tier_of(&argc, argv), .seed = 1};
    for (int i = 1; i < argc; i += 2) {
        if (i + 1 < argc && strcmp(argv[i], "--seed") == 0)
            r.seed = strtoull(argv[i + 1], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--count") == 0)
            r.count = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (i + 1 < argc && strcmp(argv[i], "--only") == 0)
            r.only = argv[i + 1];
        else {
            fprintf(stderr, "%s [--quick|--long] [--seed N] [--count N] [--only NAME]\n", argv[0]);
            exit(2);
        }
    }
    return r;
}

uint32_t request_count(const struct request *r, uint32_t quick, uint32_t deep, uint32_t all)
{
    return r->count ? r->count : by_tier(r->tier, quick, deep, all);
}
