/* SPDX-License-Identifier: Apache-2.0 */
/* Histories in the papers' shorthand, for tests: threads separated by |, one letter a variable,
 * one digit a value.
 *
 *   wx1   write(x, 1)         rx1  read(x) => 1
 *   ux12  rmw(x, 1, 2)        f    fence()
 *   a ? behind an operation: pending, e.g. wx1?, and rx? for a read without a result */
#ifndef ASSAY_TESTS_SHORTHAND_H
#define ASSAY_TESTS_SHORTHAND_H

#include "history/history.h"

history *shorthand(const char *text); /* goes to history_free; aborts on text that it cannot read */

#endif
