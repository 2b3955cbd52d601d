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
/* Of transactions: of the operations that are kept, only the accesses with accesses[i] (history_accesses). */
history *history_slice_accesses(const history *h, const bool *keep, const bool *accesses);

/* A history with the same headers, names and threads, and without operations. May escape. */
history *history_frame(const history *h);
/* Appends an operation of another history with the same names and threads, without its times and knowledge; args is
 * room for its arguments. */
uint32_t history_copy(history *to, const history *from, uint32_t op, bool pending, struct arguments *args);

/* The same as an operation of that thread of `to`, with its outcome. */
uint32_t history_copy_as(history *to, const history *from, uint32_t op, uint32_t thread, struct arguments *args);
/* The names, lists and settings of a history, without headers, threads and operations. */
void history_copy_names(history *to, const history *from);

/* A digest of operations and headers that does not depend on layout. */
uint64_t history_digest(const history *h);

#endif
