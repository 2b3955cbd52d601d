/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of holdback.c, and the use of its past (holdback_past.c). */
#ifndef ASSAY_SCAN_HOLDBACK_H
#define ASSAY_SCAN_HOLDBACK_H

#include "base/ring.h"
#include "scan/past.h"

struct holdback {
    const struct scan *scan;
    void *state;
    struct online_setup setup;
    struct mem *mem;
    struct records records;
    uint32_t live;      /* records whose return has not been shown */
    VEC(uint32_t) open; /* slot -> record, or ID_NONE */
    RING(uint32_t) waiting;
    uint64_t now;

    bool has_journal;
    struct journal journal;
    struct holdback *jit; /* all linearizations, where the scan is merely sound; or NULL */
    bool weak;            /* the scan is merely sound since it began */
    bool by_jit;          /* whose violation it is */
    const char *missed;   /* why violations may have been missed, or NULL */

    VEC(uint32_t) dead; /* records of calls whose callers died, in the order of their deaths; they stay */
    uint64_t left_out;  /* the call of an operation that never returns and was left out, but could have taken effect, or
                         * 0: then a contradiction of the scan is in doubt */
    bool over;          /* there was one, and all linearizations do not have it: only `jit` judges */
    uint64_t doubt;     /* there was one, and it could not be decided: the call that may explain it; else 0 */
};

/* The journal is full. */
void holdback_make_room(struct holdback *l);
/* The scan has become merely sound. False: a violation. */
bool holdback_hand_over(struct holdback *l);
/* The scan has met a contradiction that the call `left_out` may explain. True: it does, and `jit` goes on. False: it is
 * a violation, or undecided (`doubt`). */
bool holdback_resolve(struct holdback *l);
/* A checker of all linearizations, to which nothing has been shown; it begins as the past did. */
struct holdback *holdback_open_jit(const struct holdback *l, const struct past *p);
/* All linearizations have become too many. */
void holdback_drop_jit(struct holdback *l);
/* The object holds nothing, and nothing is open. */
void holdback_begin_anew(struct holdback *l);
/* Names the return that completes the contradiction of the report; the journal is no longer needed then. */
void holdback_complete(struct holdback *l, struct online_fault *f, struct mem *m);

#endif
