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

#endif
