/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-histories. */
#ifndef ASSAY_HISTORY_SLICE_H
#define ASSAY_HISTORY_SLICE_H

#include "history/history.h"

/* The operations with keep[op], renumbered in order, with their lines; headers and threads as they were
 * (a thread may end up without operations). May escape. */
history *history_slice(const history *h, const bool *keep);
/* The same, and the operations with pending[op] have not returned. */
history *history_slice_open(const history *h, const bool *keep, const bool *pending);

/* A digest of operations and headers that does not depend on layout. */
uint64_t history_digest(const history *h);

#endif
