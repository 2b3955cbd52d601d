/* SPDX-License-Identifier: Apache-2.0 */
/* Generating: results that come from running the objects along an order. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_SIMULATE_H
#define ASSAY_TESTS_ORACLE_OBJECTS_SIMULATE_H

#include "oracle/objects/calls.h"
#include "oracle/objects/history.h"

/* Runs the objects along some order that happens-before allows: what comes out is linearizable. */
void simulate_whole(struct history *h, struct taste *t);

/* The same with an order of its own for each object, and for each of two keys: together they need not be linearizable,
 * unless happens-before is an interval order. */
void simulate_apart(struct history *h, struct taste *t);

#endif
