/* SPDX-License-Identifier: Apache-2.0 */
/* A random history goes through all engines. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_CHECK_H
#define ASSAY_TESTS_ORACLE_OBJECTS_CHECK_H

#include "oracle/objects/history.h"

void compare_history(struct history *h);
void make_history(struct history *h);

#endif
