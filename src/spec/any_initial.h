/* SPDX-License-Identifier: Apache-2.0 */
/* `@init ?`: an initial value that may be any.
 *
 * A history with such a value is linearizable iff it is with some value in its place. The values that its calls do not
 * name are alike, so the values that they name and one other are all that have to be tried. That holds of objects whose
 * state, or the state of a key, is one value that calls only compare with the values that they name. */
#ifndef ASSAY_SPEC_ANY_INITIAL_H
#define ASSAY_SPEC_ANY_INITIAL_H

#include "spec/spec.h"

/* In a setting, such a value has the kind ASSAY_NONE. */
static inline bool binding_is_any(const assay_binding *b)
{
    return b->value.kind == ASSAY_NONE;
}

static inline bool setting_has_any(const assay_setting *s)
{
    for (size_t i = 0; i < s->init_count; i++)
        if (binding_is_any(&s->init[i]))
            return true;
    return false;
}

/* Is it one of those objects? */
bool spec_takes_any(const assay_spec *spec);
/* Of those: may a key have no value at all? */
bool spec_may_lack(const assay_spec *spec);

/* Is the initial value of this key any? The key is of kind ASSAY_NONE for an object without keys. What is said of the
 * key counts more than what is said of all. */
bool setting_is_any(const assay_setting *s, assay_value key);

#endif
