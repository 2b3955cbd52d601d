/* SPDX-License-Identifier: Apache-2.0 */
/* How much a cross test does: --quick for `make test`, nothing for `make test-deep`, --long for `make test-long`. Every tier
 * has the same generators and asks the same engines; the tiers differ in how often. */
#ifndef ASSAY_TESTS_SUPPORT_TIER_H
#define ASSAY_TESTS_SUPPORT_TIER_H

#include <stdint.h>

enum tier { TIER_QUICK, TIER_DEEP, TIER_LONG };

/* Takes --quick and --long out of the arguments. */
enum tier tier_of(int *argc, char **argv);

/* The count that belongs to the tier. */
uint32_t by_tier(enum tier tier, uint32_t quick, uint32_t deep, uint32_t all);

/* What a cross test is asked to do. */
struct request {
    enum tier tier;
    uint64_t seed;    /* 1 unless said */
    uint32_t count;   /* 0: as the tier has it */
    const char *only; /* the name of one object or engine; NULL: all */
};

/* Reads --seed N, --count N and --only NAME, besides the tier. Any other argument ends the program with its usage. */
struct request request_of(int argc, char **argv);

/* The count that was asked for, or that of the tier. */
uint32_t request_count(const struct request *r, uint32_t quick, uint32_t deep, uint32_t all);

#endif
