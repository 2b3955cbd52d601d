/* SPDX-License-Identifier: Apache-2.0 */
/* Objects that count something, as recheck reads their calls. Private to this folder. */
#ifndef ASSAY_RECHECK_AMOUNTS_H
#define ASSAY_RECHECK_AMOUNTS_H

#include "recheck/object.h"

/* An operation of the part, with its change of the amount, and the amount that it tells. */
struct amount_told {
    uint32_t op;
    int64_t called, returned; /* widened by the skew */
    bool pending;
    int64_t least, most; /* the change */
    bool tells;          /* the amount before it was from low to high */
    int64_t low, high;
    uint32_t key; /* of a map: the number of the key that it changes, or ID_NONE */
    bool gives;   /* of a map: it gives the key the counted value, else it takes it away */
};

struct amount_read {
    struct amount_told *at;
    uint32_t n, culprit;          /* its place */
    int64_t initial, bottom, top; /* the amount at first, and those that the object can have */
    uint32_t keys;                /* of a map; else 0 */
    bool *has;                    /* of each key: it has the counted value at first */
};

/* The part's calls, with their times. */
void amounts_read(const struct object_view *v, struct amount_read *r);

/* How many amounts the object has; 0: it counts nothing. */
uint32_t amounts_of(const struct object_view *v);
/* Reads the calls for the amount of this number. False: the culprit does not concern it, or the sums leave the numbers
 * of 64 bits. */
bool amounts_tell(const struct object_view *v, uint32_t which, struct amount_read *r);

#endif
