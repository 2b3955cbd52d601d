/* SPDX-License-Identifier: Apache-2.0 */
/* Bugs that can be built into an object: each spoils, now and then, a call of a certain kind. The purpose of a method
 * is read off its descriptor, so this serves every object of the table that has such methods. */
#ifndef ASSAY_COLLECT_GENERATE_FLAW_H
#define ASSAY_COLLECT_GENERATE_FLAW_H

#include "assay_spec.h"

#include <stdbool.h>

enum flaw {
    FLAW_NONE,
    FLAW_SWAP,        /* a removal takes the second value; the next one gets the first */
    FLAW_LOSE,        /* a change is answered and lost; so is the value of one of two calls that meet */
    FLAW_DUPLICATE,   /* a removed or exchanged value is still there; a granted lock is granted again */
    FLAW_EARLY_EMPTY, /* a removal says `empty`, although something is there */
    FLAW_RING,        /* three calls meet, and each gets the value of the next */
    FLAW_APART,       /* two calls meet that do not overlap */
    FLAWS
};

extern const char *const flaw_names[]; /* up to NULL */

/* Can the flaw spoil a call of the method? `takes`: it removes the value that it returns, or returns `empty`. */
bool flaw_spoils(enum flaw flaw, const assay_method *m, bool observes, bool takes);

#endif
