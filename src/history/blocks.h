/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions written as blocks: begin(), then read(x) => 1, write(y, 2), append(z, 3), read(z) => [3], and at last
 * commit(), abort() or unknown(). A block becomes the one operation that the line form is,
 *
 *     t0: txn(r x 1, w y 2, append z 3, r z [3])
 *
 * with `=> abort` behind it, or pending, if its outcome is not known. So does a block that the history ends in, and one
 * whose last call never returned. Each access keeps the line it was written in (history_access_line). */
#ifndef ASSAY_HISTORY_BLOCKS_H
#define ASSAY_HISTORY_BLOCKS_H

#include "history/history.h"

/* May the thread go on with this method although its call `pending` never returned? A transaction whose end is not
 * known is over for its session. */
bool blocks_go_on(const history *h, uint32_t pending, uint32_t method);

/* The history with its blocks joined; h itself if it has none. The caller frees both. A fault escapes, with its place
 * in e. */
history *blocks_joined(history *h, assay_error *e);

#endif
