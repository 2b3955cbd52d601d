/* SPDX-License-Identifier: Apache-2.0 */
/* One engine, its evidence and its shrunk history against the oracle. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_COMPARE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_COMPARE_H

#include "oracle/objects/history.h"
#include "oracle/objects/search.h"

#include <assay.h>

struct claim {
    const char *model, *engine, *visibility; /* engine and visibility may be NULL */
};

void compare_claim(const struct history *h, const assay_history *ah, const struct claim *c, enum answer expected,
                   const char *text);
void compare_engine(const struct history *h, const assay_history *ah, const char *model, const char *engine,
                    enum answer expected, const char *text);

#endif
