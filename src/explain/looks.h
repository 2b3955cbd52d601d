/* SPDX-License-Identifier: Apache-2.0 */
/* The effort of checks that only explain: how often they may look at their budget. They do so at every 4096th of their
 * steps or so (base/budget.c), and not at a clock, so the explanation of a history is the same on every machine. */
#ifndef ASSAY_EXPLAIN_LOOKS_H
#define ASSAY_EXPLAIN_LOOKS_H

#include "assay.h"

struct looks {
    const assay_options *given;
    uint64_t left;
};

/* For options.interrupt: are the looks used up, or does the caller interrupt? */
static inline bool looks_used_up(void *arg)
{
    struct looks *x = arg;
    const assay_options *given = x->given;
    if ((given->interrupt && given->interrupt(given->interrupt_arg)) || !x->left)
        return true;
    x->left--;
    return false;
}

/* The options given, with so many looks; x stays where it is while they are used. */
static inline assay_options looks_options(struct looks *x, const assay_options *given, uint64_t most)
{
    assay_options own = *given;
    *x = (struct looks){given, most};
    own.interrupt = looks_used_up;
    own.interrupt_arg = x;
    return own;
}

#endif
