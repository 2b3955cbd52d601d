/* SPDX-License-Identifier: Apache-2.0 */
/* A run that was recorded with counters, as a sequence of calls and returns: Emmi and Enea, CAV 2018, section 5.
 *
 * Counters tell for each call which calls had returned before. Together with program order this is the happens-before
 * order. A sequence of calls and returns has the same order iff the sets of predecessors are nested (Fishburn 1970).
 * Here such a set is a prefix of each thread. So the sets are nested iff their rows of numbers increase in all places
 * at once. A call comes at the place of its row, and a return just before the first row that has it. */
#ifndef ASSAY_COLLECT_SEQUENCE_H
#define ASSAY_COLLECT_SEQUENCE_H

#include "assay_adapter.h"
#include "assay_record.h"
#include "base/mem.h"

#include <stdbool.h>

struct sequence_span { /* times of call and return */
    uint32_t call, ret;
};

/* The spans of all calls, those of thread 0 first; no call may be pending. NULL: no sequence has this order. Memory
 * from m; may escape. */
const struct sequence_span *sequence_spans(const assay_recorder *r, struct mem *m);

/* The history with these times as text; malloc, NULL: no memory. */
char *sequence_text(const assay_recorder *r, const assay_adapter *a, const struct sequence_span *spans);

#endif
