/* SPDX-License-Identifier: Apache-2.0 */
/* A look at the window of transactions (isolation.h): it is checked from the carried state, and its settled past is
 * forgotten. start.c and forget.c have the parts before the check and after it. */
#ifndef ASSAY_MONITOR_LOOK_H
#define ASSAY_MONITOR_LOOK_H

#include "check/check.h"
#include "monitor/isolation.h"
#include "transaction/settled.h"

/* Tests change these: so many transactions are new before the window is checked. So many arrive before an unread
 * unknown transaction leaves the window, and before a choice is old (transaction/settled.h). 0: the default. */
extern uint32_t look_batch, look_patience;

/* last: no further transaction comes, and nothing is forgotten. May escape, as all below. */
void look_at_window(struct isolation *x, bool last);

struct look { /* one check */
    struct isolation *x;
    struct mem mem;
    struct value_ids keys; /* of the window, */
    VEC(struct value) key_values;
    VEC(struct carried_key *) carried; /* the carried value of each, or NULL */
    struct reads reads;
    struct txn_view *view;
    struct settled settled;
    struct checker checker;
    bool checking;
    result *result;
};

/* Gives the window its initial values and finds the unresolved reads (start.c). */
void look_start(struct look *l);

/* ---- after the check (forget.c) ---- */

/* Later transactions begin at this time or later; INT64_MIN: that is unknown. */
int64_t look_horizon(const struct isolation *x);
/* leaves: of an operation, it is an unread transaction that leaves the window. */
void look_settle(struct look *l, bool *leaves);
/* Is there a read that no write can come for any more? These are shown again, and the window has no explanation. */
bool look_overdue(struct look *l);
void look_forget(struct look *l, const bool *leaves);

#endif
