/* SPDX-License-Identifier: Apache-2.0 */
/* Supply and demand of values, for objects whose state is one value: registers, with or without compare-and-swap, and
 * variables of a memory. It tells the search for a linearization (wgl.c) about dead states long before a return does.
 *
 * Idea. A read, and a compare-and-swap that succeeded, demand that the register has a certain value. A write, and a
 * compare-and-swap that succeeded, supply one. Let the register have another value than v. Then an operation x that
 * demands v can be linearized only behind an operation that supplies v, is not linearized yet, and was called before x
 * returned. If there is none, the state is dead. So two times are compared for each v. One is the first return of the
 * demands that are left, the other the first call of the supplies that are left.
 *
 * Invariant: while the search goes on, each value but the present one has a supply for each of its demands. This can
 * end only when the register loses a value. So only the value that was lost is looked at.
 *
 * The idea is this project's own; for values that are written once, it is that of zones (zones.h). */
#ifndef ASSAY_SEARCH_SUPPLY_H
#define ASSAY_SEARCH_SUPPLY_H

#include "base/group.h"
#include "search/linear.h"

struct supply {
    const struct linear *x;        /* NULL: the object is another one */
    uint32_t *demanded, *supplied; /* of each operation: a value's number, or ID_NONE */
    uint32_t *refused;             /* of a compare-and-swap that failed: the value that was not there; else ID_NONE */
    uint32_t values;
    struct groups demands, supplies; /* of each value: by return, by call */
    uint32_t *place[2];              /* of each operation in these lists */
    uint32_t *left[2];               /* of each value: no operation before this place of the list is left */
    VEC(uint32_t) past;              /* the values that the register had */
    uint32_t initial, now;
    uint32_t *lacked; /* of each value: how often the search was told that an operation lacks it */
};

/* Of any object whose state is one value (exchange.h), in an interval order. Memory from the job. */
void supply_read(struct supply *s, const struct linear *x, const struct job *job);
/* Of the objects for which the search asks; of others it is empty. */
void supply_begin(struct supply *s, const struct linear *x, const struct job *job);

/* The operation has been marked as linearized, or is not any more. */
void supply_taken(struct supply *s, uint32_t i);
void supply_given_back(struct supply *s, uint32_t i);

/* An operation that can no longer be linearized, because the register has lost its value; or ID_NONE. Asked after each
 * operation that was taken. */
uint32_t supply_lacks(struct supply *s);

#endif
