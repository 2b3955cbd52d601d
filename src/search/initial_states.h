/* SPDX-License-Identifier: Apache-2.0 */
/* A part whose initial state may be any, as parts with the initial states that have to be tried
 * (spec/any_initial.h). */
#ifndef ASSAY_SEARCH_ANY_INITIAL_H
#define ASSAY_SEARCH_ANY_INITIAL_H

#include "search/calls.h"
#include "spec/any_initial.h"

struct initial_states {
    assay_binding *at; /* a value of kind ASSAY_NONE: nothing is declared */
    uint32_t n;
    const char *declined; /* why they cannot be listed, or NULL */
};

struct initial_part { /* the part with one of them */
    struct part part;
    struct object_use use;
};

/* Memory from m; may escape. */
struct initial_states initial_states(const struct calls *c, const struct part *part, struct mem *m);
/* *out must not be moved: it refers to itself. */
void initial_part(struct initial_part *out, const struct part *part, const assay_binding *initial);

#endif
