/* SPDX-License-Identifier: Apache-2.0 */
/* A play as events in the order of time, and as lines for a monitor. */
#ifndef ASSAY_TESTS_SUPPORT_PLAY_EVENTS_H
#define ASSAY_TESTS_SUPPORT_PLAY_EVENTS_H

#include "support/play.h"

enum { PLAY_EVENTS = 2 * PLAY_MOST };

struct play_event {
    int64_t time;
    uint32_t op;
    bool returns;
};

/* Calls come before returns of the same time. */
uint32_t play_events(const struct play *p, struct play_event out[PLAY_EVENTS]);
void play_event_print(struct text *t, const struct play *p, const struct play_event *e); /* with its line end */
/* The clients of pending operations die so many events after their calls. Behind event i: the lines of those that do.
 * Returns how many. */
uint32_t play_deaths_print(struct text *t, const struct play *p, const struct play_event *events, uint32_t i,
                           uint32_t after);

#endif
