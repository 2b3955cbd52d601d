/* SPDX-License-Identifier: Apache-2.0 */
/* The window of a monitor of transactions: the history of those that are not forgotten. It is replaced by a fresh one
 * whenever some are, so that it takes memory for its own names only. */
#ifndef ASSAY_MONITOR_WINDOW_H
#define ASSAY_MONITOR_WINDOW_H

#include "monitor/isolation.h"

/* All may escape. */
void window_begin(struct isolation *x);
/* The window without the operations that are not kept; NULL: all are. Unread transactions that are wanted come back, in
 * front: nothing of their sessions comes before them any more. */
void window_renew(struct isolation *x, const bool *keep);
void window_plan(struct isolation *x); /* when it is checked next */
/* An unknown transaction came back in parts: its line; 0: none did. */
void window_read_too_late(struct isolation *x, uint32_t line);

/* The accesses of a transaction, three values each. */
static inline uint32_t window_accesses(const history *h, uint32_t op)
{
    return history_arity(h, op) / 3;
}
static inline struct value window_key(const history *h, uint32_t op, uint32_t i)
{
    return history_arg(h, op, 3 * i + 1);
}

#endif
