/* SPDX-License-Identifier: Apache-2.0 */
/* The clock times of the last events: as the stream gives them, else when they arrived. They are kept if reports are to
 * say them, and decide nothing. */
#ifndef ASSAY_MONITOR_EVENT_TIMES_H
#define ASSAY_MONITOR_EVENT_TIMES_H

#include "base/text.h"
#include "history/history.h"

enum { TIMES_KEPT = 1 << 15 };

struct event_time {
    uint64_t step;
    int64_t time; /* of the stream, in its unit; else of the clock, in seconds */
    bool given;   /* by the stream */
};

struct event_times {
    struct event_time *at; /* of event s at s % TIMES_KEPT; NULL: they are not kept */
    int64_t next;          /* of the event at hand, as the stream gives it */
    bool given;            /* it does */
};

void event_times_init(struct event_times *t, struct mem *m);
void event_times_note(struct event_times *t, uint64_t step);
const struct event_time *event_times_find(const struct event_times *t, uint64_t step); /* NULL: forgotten */
/* "2026-11-18T04:00:00.250Z". A time of a stream that does not say its unit is printed as a number. */
void event_times_print(const struct event_time *e, enum clock_unit unit, struct text *out);

struct image;
/* Times that are not kept by the loading monitor are passed over. */
void event_times_image(struct event_times *t, struct image *x);

#endif
