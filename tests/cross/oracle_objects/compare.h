/* SPDX-License-Identifier: Apache-2.0 */
/* One engine, its evidence and its shrunk history against the oracle. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_COMPARE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_COMPARE_H

#include "cross/oracle_objects/history.h"
#include "cross/oracle_objects/search.h"

#include <assay.h>

void compare_engine(const struct history *h, const assay_history *ah, const char *model, const char *engine,
                    enum answer expected, const char *text);

#endif
