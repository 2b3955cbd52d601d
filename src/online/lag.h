/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of lag.c, and what it does with its past (lag_past.c). */
#ifndef ASSAY_ONLINE_LAG_H
#define ASSAY_ONLINE_LAG_H

#include "base/ring.h"
#include "online/past.h"

#define FREE_RECORD ONLINE_NEVER /* op.called of a record that is free */

struct lag {
    const struct scan *scan;
    void *state;
    struct online_setup setup;
    struct mem *mem;
    VEC(struct scan_op) records;
    VEC(uint32_t) free_records;
    VEC(uint32_t) open; /* slot -> record, or ID_NONE */
    RING(uint32_t) waiting;
    uint64_t now;

    bool has_journal;
    struct journal journal;
    struct lag *jit; /* all linearizations, where the scan is merely sound; or NULL */
    bool weak;       /* the scan is merely sound since it began */
    bool by_jit;     /* whose violation it is */
    const char *missed; /* why violations may have been missed, or NULL */
};

/* An operation has returned, and is not shown yet. */
void lag_note(struct lag *l, const struct scan_op *o);
/* After all that could be shown has been; false: a violation. */
bool lag_take_stock(struct lag *l);
/* Names the return that completes the contradiction of the report; the journal is no longer needed then. */
void lag_complete(struct lag *l, struct online_fault *f, struct mem *m);

#endif
