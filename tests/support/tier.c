/* SPDX-License-Identifier: Apache-2.0 */
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t by_tier(enum tier tier, uint32_t quick, uint32_t deep, uint32_t all)
{
    return tier == TIER_QUICK ? quick : tier == TIER_DEEP ? deep : all;
}

static _Noreturn void usage(const char *program, const struct request_option *more)
{
    fprintf(stderr, "%s [--quick|--long] [--seed N] [--first N] [--count N] [--only NAME]", program);
    for (; more->name; more++)
        fprintf(stderr, " [%s %s]", more->name, more->number ? "N" : "NAME");
    fputc('\n', stderr);
    exit(2);
}

struct request request_with(int argc, char **argv, const struct request_option *more)
{
    struct request r = {.tier = TIER_DEEP, .seed = 1};
    for (int i = 1; i < argc; i++) {
        const struct request_option *o = more;
        while (o->name && strcmp(argv[i], o->name) != 0)
            o++;
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--quick") == 0) {
            r.tier = TIER_QUICK;
            continue;
        }
        if (strcmp(argv[i], "--long") == 0) {
            r.tier = TIER_LONG;
            continue;
        }
        if (value && strcmp(argv[i], "--seed") == 0)
            r.seed = strtoull(value, NULL, 10);
        else if (value && strcmp(argv[i], "--first") == 0)
            r.first = strtoull(value, NULL, 10);
        else if (value && strcmp(argv[i], "--count") == 0)
            r.count = (uint32_t)strtoul(value, NULL, 10);
        else if (value && strcmp(argv[i], "--only") == 0)
            r.only = value;
        else if (value && o->number)
            *o->number = atoi(value);
        else if (value && o->word)
            *o->word = value;
        else
            usage(argv[0], more);
        i++;
    }
    return r;
}

struct request request_of(int argc, char **argv)
{
    return request_with(argc, argv, &(struct request_option){NULL, NULL, NULL});
}

uint32_t request_count(const struct request *r, uint32_t quick, uint32_t deep, uint32_t all)
{
    return r->count ? r->count : by_tier(r->tier, quick, deep, all);
}

bool request_wants(const struct request *r, const char *name)
{
    return !r->only || strcmp(r->only, name) == 0;
}
