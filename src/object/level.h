/* SPDX-License-Identifier: Apache-2.0 */
/* Objects whose state is a level between 0 and a top, moved by one step at a time: a set's value (in or out), a lock, a
 * semaphore, a value of a multiset. level.c has the idea and the argument. */
#ifndef ASSAY_OBJECT_LEVEL_H
#define ASSAY_OBJECT_LEVEL_H

#include "object/plain.h"

#define LEVEL_NO_TOP UINT32_MAX

enum level_role {
    LEVEL_UP,        /* below the top: one up; if pending, perhaps */
    LEVEL_DOWN,      /* above 0: one down; if pending, perhaps */
    LEVEL_AT_BOTTOM, /* the level is 0 */
    LEVEL_AT_TOP,    /* the level is the top */
    LEVEL_ABOVE,     /* the level is above 0 */
    LEVEL_NOTHING    /* pending, and of no effect */
};

/* role[i] is what the part's i-th operation does. Decides the part; declines it if the answer would be no for want of a
 * better way (level.c says when). */
void level_run(struct job *job, const uint8_t *role, uint32_t start, uint32_t top);

#endif
