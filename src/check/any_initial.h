/* SPDX-License-Identifier: Apache-2.0 */
/* A part whose initial value may be any (spec/any_initial.h), as parts with the initial values that could make a
 * difference: those that its calls name, one that no call names, and none where a key may lack one. */
#ifndef ASSAY_CHECK_ANY_INITIAL_H
#define ASSAY_CHECK_ANY_INITIAL_H

#include "object/calls.h"
#include "spec/any_initial.h"

struct initial_values {
    assay_value *at; /* ASSAY_NONE: the key lacks one */
    uint32_t n;
};

struct initial_part { /* one of these parts, with its declaration */
    struct part part;
    struct object_use use;
    assay_binding init;
};

/* Memory from m; may escape. */
struct initial_values initial_values(const struct calls *c, const struct part *part, struct mem *m);
/* *out must not be moved: it refers to itself. */
void initial_part(struct initial_part *out, const struct part *part, const struct initial_values *values, uint32_t i,
                  assay_value key);

#endif
