/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded knowledge (`after`) with program order, closed naively: again and again, until nothing is new. It may be
 * circular. Private to this folder. */
#ifndef ASSAY_RECHECK_KNOWN_H
#define ASSAY_RECHECK_KNOWN_H

#include "base/budget.h"
#include "history/history.h"

/* past[o * threads + t]: so many operations of thread t come before o. by: the operations of each thread; place: of an
 * operation in its thread. */
uint32_t *recheck_known_past(const history *h, const struct groups *by, const uint32_t *place, struct mem *m,
                             struct budget *budget);

#endif
