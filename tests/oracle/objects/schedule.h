/* SPDX-License-Identifier: Apache-2.0 */
/* Generating: when the calls of the threads begin and return. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_SCHEDULE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_SCHEDULE_H

#include "oracle/objects/history.h"

void shape(struct history *h, int ops, int threads, enum clock clock, int pending_percent);

#endif
