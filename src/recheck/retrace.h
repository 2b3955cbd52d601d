/* SPDX-License-Identifier: Apache-2.0 */
/* A state that goes back over its steps. A wrong `undo` in the specification of a user must not prove a violation. So
 * the states of such specifications go back without it: the steps that remain are made again from the initial state.
 * That takes time by the number of steps. After many steps the last one is made on a copy instead, since most steps are
 * given up at once. Objects of the library are undone. */
#ifndef ASSAY_RECHECK_RETRACE_H
#define ASSAY_RECHECK_RETRACE_H

#include "base/vec.h"
#include "spec/spec.h"

struct retraced { /* a step that has changed the state */
    const assay_call *call;
    unsigned choice;
    bool invoked; /* as another operation sees it */
};

struct retrace {
    const assay_spec *spec;
    struct mem *mem;
    assay_setting setting;
    assay_value key;
    bool anew;      /* instead of being undone */
    void *state;    /* NULL: it has to be made anew */
    void *before;   /* that before the last step, or NULL */
    uint32_t *made; /* counts steps that are made again; NULL: nobody wants to know */
    VEC(struct retraced) steps;
};

/* What the setting points to must stay. */
void retrace_begin(struct retrace *r, const assay_spec *spec, const assay_setting *setting, assay_value key,
                   struct mem *m);
void *retrace_state(struct retrace *r);
/* The call must stay as long as the step is not taken back. */
assay_effect retrace_step(struct retrace *r, const assay_call *call, unsigned choice, assay_value *answer,
                          assay_saved *saved);
assay_effect retrace_invoke(struct retrace *r, const assay_call *call, assay_saved *saved);
/* Takes back the last step that has changed the state. */
void retrace_back(struct retrace *r, const assay_call *call, const assay_saved *saved);
void retrace_end(struct retrace *r);

#endif
