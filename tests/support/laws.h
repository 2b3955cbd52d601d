/* SPDX-License-Identifier: Apache-2.0 */
/* Laws: how a verdict may change with the history. */
#ifndef ASSAY_TESTS_SUPPORT_LAWS_H
#define ASSAY_TESTS_SUPPORT_LAWS_H

#include "support/tally.h"

enum { LAWS = 5 };

/* Checks each law by one random change of the sketch; counts those that could be applied. Ends the test
 * if one is broken. */
void laws_check(const struct sketch *s, unsigned models, uint64_t seed, uint64_t applied[LAWS]);

void laws_print(const uint64_t applied[LAWS]);

#endif
