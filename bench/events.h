/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a history with times: calls and returns in their order. Of equal times calls come first, since equal times
 * do not order operations. */
#ifndef ASSAY_BENCH_EVENTS_H
#define ASSAY_BENCH_EVENTS_H

#include "assay.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct event {
    int64_t time;
    uint32_t op;
    bool returns;
};

/* The caller frees them. NULL: no memory. */
struct event *events_of(const assay_history *h, size_t *n);
/* A line of a log, as monitors read it. */
void event_print(const struct event *e, const assay_history *h, FILE *out);

#endif
