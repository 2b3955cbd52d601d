/* SPDX-License-Identifier: Apache-2.0 */
/* How much a cross test does: --quick for `make test`, nothing for `make test-deep`, --long for `make test-long`. Every tier
 * has the same generators and asks the same engines; the tiers differ in how often. */
#ifndef ASSAY_TESTS_SUPPORT_TIER_H
#define ASSAY_TESTS_SUPPORT_TIER_H

#include <stdbool.h>
#include <stdint.h>

enum tier { TIER_QUICK, TIER_DEEP, TIER_LONG };

/* The count that belongs to the tier. */
uint32_t by_tier(enum tier tier, uint32_t quick, uint32_t deep, uint32_t all);

/* What a cross test is asked to do. */
struct request {
    enum tier tier;
    uint64_t seed;    /* 1 unless said */
    uint64_t first;   /* number of the first random history, where they have numbers */
    uint32_t count;   /* 0: as the tier has it */
    const char *only; /* the name of one object, engine or part; NULL: all */
};

/* One more option of a test: its number, or its word. */
struct request_option {
    const char *name;
    int *number;
    const char **word;
};

/* Reads --seed N, --first N, --count N, --only NAME and the tier; request_with up to a NULL name more. Any other argument ends
 * the program with its usage. */
struct request request_of(int argc, char **argv);
struct request request_with(int argc, char **argv, const struct request_option *more);

/* The count that was asked for, or that of the tier. */
uint32_t request_count(const struct request *r, uint32_t quick, uint32_t deep, uint32_t all);

/* Is the part of this name asked for? */
bool request_wants(const struct request *r, const char *name);

#endif
