/* SPDX-License-Identifier: Apache-2.0 */
/* A random history goes through all engines. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_CHECK_H
#define ASSAY_TESTS_ORACLE_OBJECTS_CHECK_H

#include "cross/oracle_objects/history.h"

#include <assay.h>

#include <stddef.h>

/* A history from its text; NULL: it is not read, which is a disagreement. */
assay_history *parse(const char *text, size_t n);
void compare_history(struct history *h);
void make_history(struct history *h);

#endif
