/* SPDX-License-Identifier: Apache-2.0 */
/* The times of an operation, for every reader of operations with times. */
#ifndef ASSAY_FORMAT_INTERVAL_H
#define ASSAY_FORMAT_INTERVAL_H

#include "format/cursor.h"

struct interval {
    int64_t called, returned;            /* INT64_MAX: it never did */
    const char *called_at, *returned_at; /* in the line */
};

/* Gives the operation its times. `previous` is the operation of its thread before it; ID_NONE: there is none. A fault
 * if it returned before it was called, or was called before the previous one had returned. */
void interval_set(struct cursor *c, history *h, uint32_t op, uint32_t previous, const struct interval *i);

#endif
