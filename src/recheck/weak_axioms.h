/* SPDX-License-Identifier: Apache-2.0 */
/* Weak consistency for recheck: the relations of the axioms as rows of bits, and the two conditions that the definition
 * puts on each operation. Private to this folder.
 *
 * Operations are numbered 0 .. n - 1 by their places in a list. Row i of a relation is the set of operations that stand
 * in the relation to i, that is, before it. */
#ifndef ASSAY_RECHECK_WEAK_H
#define ASSAY_RECHECK_WEAK_H

#include "model/axioms.h"
#include "recheck/object.h"
#include "recheck/retrace.h"

struct weak_view {
    const struct object_view *v;
    const assay_spec *spec;
    const uint32_t *ops; /* by number */
    uint32_t n, words;   /* of a row */
    assay_call *calls;
    struct visibility visibility;
    const struct axioms **axioms; /* the demands on the visibility of each operation */
    uint64_t *before[4];          /* by enum relation; po and hb are filled in, lin and vis are the caller's */
    uint64_t *present;            /* the operations of the execution: no others count in the relations */
    uint64_t *walk[2], *demanded;
    struct retrace at;
    assay_saved *saved;
    uint32_t *changed;
};

static inline uint64_t *weak_row(const struct weak_view *w, enum relation r, uint32_t i)
{
    return w->before[r] + (size_t)i * w->words;
}

/* Refuses where the object is none that it can judge. Nothing is present yet. Memory from the recheck. */
bool weak_view(const struct object_view *v, const struct object_use *use, const uint32_t *ops, uint32_t n,
               struct weak_view *out);

/* The operations that i is demanded to see, given the visibility of all operations. Good until the next call. */
const uint64_t *weak_demanded(struct weak_view *w, uint32_t i);
/* An operation that it is demanded to see and does not, or ID_NONE. */
uint32_t weak_unseen(struct weak_view *w, uint32_t i);

/* Does the object return i's recorded result, after the operations that i sees have been executed in this order? */
bool weak_explained(struct weak_view *w, uint32_t i, const uint32_t *order, uint32_t n);

/* Of a witness: its one order is known to hold each completed operation once, and to extend happens-before. */
bool recheck_visible(const struct object_view *v);

/* Of a violation: may these operations be left out, so that the cut has the others? Refuses if the result of one of the
 * others may depend on one of these. Results of the cut that need not count may be taken away (weak_cut.c). */
bool recheck_weak_cut(const struct object_view *v, struct object_cut *cut, const uint32_t *left, uint32_t n);

/* Is there an order, and a visibility? 1 yes, 0 no, -1: not known within the budget of steps, or refused. */
int recheck_weak_search(const struct object_view *v, const struct object_cut *cut);
/* The same for the suspects that the evidence names: is there an order, and a visibility of each of them? Where axioms
 * use the visibility or the place of other operations: refused (weak_suspects.c). */
int recheck_weak_suspects(const struct object_view *v, const struct object_cut *cut);

#endif
