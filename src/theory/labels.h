/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of an event in a theory: outcomes, and the values that an object holds at first. */
#ifndef ASSAY_THEORY_LABELS_H
#define ASSAY_THEORY_LABELS_H

#include "online/online.h"
#include "spec/spec.h"
#include "theory/language.h"

/* The theory of the library's own object, or the user's that the object was made for. Another object of the user's may
 * bear the name of a library's and do something else. NULL: there is none. */
static inline const struct theory *online_theory(const assay_spec *spec)
{
    const struct own_theory *own = theory_of_spec(spec);
    if (own)
        return &own->theory;
    for (size_t i = 0; spec_table[i]; i++)
        if (spec_table[i] == spec)
            return theory_find(spec->name);
    return NULL;
}

/* The hook `declines` of checkers that need one. */
static inline const char *online_without_theory(const struct online_setup *s)
{
    const struct theory *t = online_theory(s->spec);
    if (!t)
        return "the object has no theory";
    return t->initial == INITIAL_NONE && s->setting.init_count ? "its theory starts with nothing" : NULL;
}

static inline enum theory_outcome online_outcome(struct value returned)
{
    static const enum theory_outcome of[ONLINE_WORDS] = {[ONLINE_EMPTY] = OUTCOME_EMPTY,
                                                         [ONLINE_TRUE] = OUTCOME_TRUE,
                                                         [ONLINE_FALSE] = OUTCOME_FALSE,
                                                         [ONLINE_NULL] = OUTCOME_NULL};
    if (returned.kind == ASSAY_NONE)
        return OUTCOME_NONE;
    return returned.kind == ASSAY_WORD && (uint64_t)returned.bits < ONLINE_WORDS ? of[returned.bits] : OUTCOME_RETURNED;
}

/* How many values the object holds at first, and the i-th of them. */
static inline size_t online_initials(const struct theory *t, const assay_setting *s)
{
    return t->initial == INITIAL_NONE ? 0 : t->initial == INITIAL_ONE && !s->init_count ? 1 : s->init_count;
}

static inline struct value online_initial(const assay_setting *s, size_t i)
{
    if (i >= s->init_count)
        return (struct value){0, ASSAY_INT};
    return value_internal(s->init[i].value);
}

/* Can two exchanges be partners? An open one may return any value. */
static inline bool online_can_swap(const struct online_op *x, const struct online_op *y)
{
    return (x->returned == ONLINE_NEVER || value_same(x->result, y->arg)) &&
           (y->returned == ONLINE_NEVER || value_same(y->result, x->arg));
}

/* The n of semaphore(n). If no history can get there, it may as well be lower, so that sums with it stay small. */
static inline int64_t online_parameter(const assay_setting *s)
{
    const int64_t high = INT64_MAX / 2;
    return s->parameter.kind != ASSAY_INT ? 1 : s->parameter.integer < high ? s->parameter.integer : high;
}

#endif
