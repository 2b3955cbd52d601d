/* SPDX-License-Identifier: Apache-2.0 */
/* Forged evidence: lines that claim the opposite of the truth. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_FORGE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_FORGE_H

#include "oracle/objects/history.h"
#include "oracle/objects/search.h"

#include <assay.h>

/* Lines that claim the opposite of the truth must all be refused. */
void compare_forged(const struct history *h, const assay_history *ah, enum answer expected, const char *text);

#endif
