/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor of transactions under ser and si, with session order or with real time.
 *
 * Idea. The decision procedure is that of recorded histories, on a window. Lines are appended to the window. Whenever
 * it has doubled it is checked, from the state that forgotten transactions have left (carried.h). Then the settled past
 * is forgotten (transaction/settled.h), and the rest is the next window. So a transaction is checked about twice.
 *
 * Invariant: the stream so far satisfies the model iff the window does, from the carried state.
 *
 * Reads whose write has not arrived are unknown until it has (reads.h). If the reader is certain to precede all later
 * transactions, or the stream ends, no write can come any more: a violation. Unknown transactions without a
 * reader keep the writers of their variables in the window, for some time; then they wait outside (unread.h). Aborted
 * transactions are kept for one more check: only the name of an anomaly depends on them. */
#ifndef ASSAY_MONITOR_ISOLATION_H
#define ASSAY_MONITOR_ISOLATION_H

#include "monitor/carried.h"
#include "monitor/reads.h"
#include "monitor/unread.h"

struct monitor;
struct model;

struct live_session {
    int64_t until; /* no later transaction of it begins earlier */
    bool over;     /* no later one comes */
};

struct isolation {
    struct monitor *m;
    const struct model *model;
    uint32_t most_sessions; /* so many will there be; 0: unknown */
    int64_t late;           /* no line begins earlier than so long before the last end so far; 0: unknown */
    uint32_t most;          /* transactions that are kept */

    struct mem mem;        /* of the parts below, until the history ends */
    history *h;            /* the window; NULL: the history has not begun */
    VEC(uint64_t) arrived; /* of its operations: the event */
    uint32_t checked;      /* so many of them have been checked */
    uint32_t due;          /* it is checked when it has so many */
    struct carried carried;
    struct unread unread;
    struct names session_names;
    VEC(struct live_session) sessions;
    uint32_t over;    /* so many of them are */
    bool timed;       /* its transactions have times */
    int64_t latest;   /* the last end so far; INT64_MIN: there is none */
    int64_t horizon;  /* transactions that begin earlier can no longer be judged; INT64_MIN: all can */
    uint64_t forgets; /* how often something was forgotten */
    bool stopped;     /* nothing is followed until the next history */
    history *leaving; /* the window that is being replaced, or NULL */
    assay_error fault;
};

enum { ISOLATION_WINDOW = 65536 };

/* Operation `op` of `from`, a history of lines, has arrived. False with the fault in e: it cannot be followed. May
 * escape, as the others may; ESCAPE_ERROR with the fault in x->fault. */
bool isolation_take(struct isolation *x, history *from, uint32_t op, assay_error *e);
/* No later transaction is of this session. False with the fault in e. */
bool isolation_end_session(struct isolation *x, const char *name, size_t length, assay_error *e);
/* Checks the transactions that have arrived since the last check. */
void isolation_flush(struct isolation *x);
/* The history ends: no further write will come. */
void isolation_end(struct isolation *x);
void isolation_release(struct isolation *x); /* never escapes */
size_t isolation_bytes(const struct isolation *x);

#endif
