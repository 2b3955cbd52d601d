/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of objects (docs/internals/algorithms.md), made a second time from their description. */
#ifndef ASSAY_TESTS_CUTS_CUTS_H
#define ASSAY_TESTS_CUTS_CUTS_H

#include "cross/cuts/sketch.h"

/* Makes the i-th of all single cuts; false: there are no more. `*made`: it is allowed here. */
bool cut(struct sketch *s, int i, bool *made);

/* Is `rest`, of one key, what allowed cuts may leave of s? */
bool reachable(const struct sketch *s, const struct sketch *rest);

/* The call has not returned. */
void leave_open(struct sketch *s, int i);

#endif
