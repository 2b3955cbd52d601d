/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a register against all others, for the search for a linearization (wgl.c).
 *
 * Idea. For a value v, look only at whether the register has v. That is a register of the two values 1 (it has v) and 0
 * (it has another one). A linearization of the history is a linearization of the operations as they look then:
 *   it demands v, or another value, or refuses v      read() => 1, or => 0, or => 0
 *   it supplies v, or another value                   write(1), or write(0)
 *   it demands and supplies                           cas(1, 0) or cas(0, 1); read() if that is the same
 * All other operations say nothing. These are reads that are pending, and compare-and-swaps from another value that
 * failed. (supply.h has demands and supplies; a pending compare-and-swap counts as a write.) So the history is refuted
 * if the register of two values is, for any v. It is searched quickly, since most operations that overlap are twins
 * there. A wrong result mostly shows there: the register had v at times when it cannot have had it.
 *
 * The search asks for this when it is in trouble. Then only the history up to the return that it could not pass is
 * looked at. An operation that is open there may have taken effect: it counts as pending. Few values are looked at,
 * the ones that operations lacked most often so far (supply.h).
 *
 * recheck searches the register of two values again, in its own way (recheck/turns.c). The idea is this project's
 * own. */
#ifndef ASSAY_SEARCH_ONE_VALUE_H
#define ASSAY_SEARCH_ONE_VALUE_H

#include "engine/engine.h"
#include "search/supply.h"

enum { ONE_VALUE_FEW = 2 };

struct one_value {
    const struct supply *s;                /* NULL: not begun */
    uint32_t until;                        /* the rank of the return */
    uint32_t values[ONE_VALUE_FEW], n, at; /* n of them, `at` have been taken */
    /* The register of two values. */
    struct calls calls;
    struct part part;
    uint32_t *ops;
    struct object_use use;
    struct objects objects;
    assay_binding init;
    assay_value arguments[3]; /* 0, 1, 0: those of all its calls */
    assay_call *given;
};

/* Begins with the history up to a return, and with the values that were lacked most often. False: the part is not for
 * this rule. Memory from the job. */
bool one_value_begin(struct one_value *o, const struct supply *s, const struct job *job, uint32_t until);
/* Takes the operations as they look for the next value. False: there is none. */
bool one_value_next(struct one_value *o);
/* Turns the refutation of the register of two values, found by the search, into one of the part. */
void one_value_report(const struct one_value *o, struct evidence *ev);

#endif
