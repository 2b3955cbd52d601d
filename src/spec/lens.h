/* SPDX-License-Identifier: Apache-2.0 */
/* A lens: the object as one operation sees it, while the linearization before that operation grows.
 *
 * The operation must see some of the calls, and may see others. So after a linearization the object can be in several
 * states for it. A lens numbers these states, and the sets of them. It remembers each step, since a search takes the
 * same steps many times.
 *
 * Calls with the same effect on all states share a letter. */
#ifndef ASSAY_SPEC_LENS_H
#define ASSAY_SPEC_LENS_H

#include "base/budget.h"
#include "base/rows.h"
#include "spec/states.h"

enum { LENS_FIRST = 0 }; /* the set of the first state alone */

struct lens_state {
    void *state;
    bool explains; /* the operation returns its recorded result in it */
};

struct lens {
    const assay_spec *spec;
    struct mem *mem;
    struct budget *budget;
    assay_call own;
    VEC(assay_call) calls; /* by letter */
    struct states numbers;
    VEC(struct lens_state) states;
    VEC(uint32_t) moves; /* by state and letter */
    struct rows sets;    /* of states, in ascending order */
    VEC(bool) hopes;     /* by set: one of its states explains the operation */
    VEC(uint32_t) steps; /* by set, letter, and whether the call must be seen */
    VEC(uint32_t) scratch;
};

/* Of a call, in the state that is given. Memory from m; it may escape. */
void lens_init(struct lens *l, const assay_spec *spec, const void *start, const assay_call *own, struct mem *m,
               struct budget *budget);
/* The letter of a call, whose arguments must stay where they are. All letters come before the first step. */
uint32_t lens_letter(struct lens *l, assay_call call);
/* The set after a call that must be seen, or may be. */
uint32_t lens_step(struct lens *l, uint32_t set, uint32_t letter, bool must);

static inline bool lens_hopes(const struct lens *l, uint32_t set)
{
    return l->hopes.at[set];
}

void lens_free(struct lens *l);

#endif
