/* SPDX-License-Identifier: Apache-2.0 */
/* Real time as a log suggests it, where it is not recorded or does not count.
 *
 * With many sessions the order of commits is open within wide limits, and an execution with repair loses its way. Real
 * time keeps these limits narrow. Most logs are written as transactions end, or as they begin. In the first case a
 * transaction ended where it stands, and began after the one before it in its session. In the second case it began
 * where it stands, and ended before the next one of its session. One of these is supposed. Where sessions are not
 * recorded, two transactions that are far apart in the log are supposed to be one after the other. No read stands that
 * far before its source. Then as few chains as possible take the place of the sessions.
 *
 * An execution with these orders is one without them. If there is none, nothing is known.
 * Source: this project's own; recorded times as real time are those of strict levels. */
#ifndef ASSAY_TRANSACTION_SUPPOSED_H
#define ASSAY_TRANSACTION_SUPPOSED_H

#include "transaction/view.h"

/* A view of the transactions of v with real time that does not count, or is supposed. NULL: reads contradict it, or
 * times are recorded, and the view is not that of the history. v has no anomaly. It has session order, or none is
 * recorded. Memory from m; may escape. */
const struct txn_view *supposed_times(const history *h, const struct txn_view *v, struct mem *m, assay_error *e);

#endif
