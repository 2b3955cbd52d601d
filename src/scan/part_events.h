/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded history is a stream that has ended: the events of a part, in the order of time, for whoever follows live
 * events. Steps are ranks plus 1, so that none is 0.
 *
 * To make an event of each operation costs about 200 instructions. Where the whole decision costs less than that, an
 * engine reads the columns of the history itself (level.h). */
#ifndef ASSAY_SCAN_PART_EVENTS_H
#define ASSAY_SCAN_PART_EVENTS_H

#include "engine/engine.h"
#include "scan/scan.h"
#include "search/calls.h"

struct part_events {
    struct job *job;
    uint32_t words[ONLINE_WORDS]; /* their names */
};

struct part_events part_events_open(struct job *job);
/* Words with a meaning have their numbers, other texts those of the history behind them. */
struct value part_events_value(const struct part_events *r, struct value v);
/* Without ranks, its steps are 0, or ONLINE_NEVER for the return of one that never returns. */
struct online_op part_events_op(const struct part_events *r, uint32_t op);
/* The operation that was called at the step. */
uint32_t part_events_at(const struct part_events *r, uint64_t step);

/* Shows all events. At first the mark of an operation is a small number that no other open operation has. Operations
 * that never return are called, too. Returns the operation whose event was not accepted, or ID_NONE. */
typedef bool part_event(void *state, struct scan_op *o);
uint32_t part_events_feed(const struct part_events *r, part_event *call, part_event *ret, void *state);

#endif
