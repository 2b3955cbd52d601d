/* SPDX-License-Identifier: Apache-2.0 */
/* The common part of queue, stack and pqueue. Their calls add a value, remove one, or peek at the next to be removed
 * (COLLECTION_* of roles.h). */
#ifndef ASSAY_SPEC_COLLECTION_H
#define ASSAY_SPEC_COLLECTION_H

#include "spec/roles.h"
#include "spec/settings.h"

/* The result of a remove or a peek of an empty collection: the word `empty`. */
static inline assay_effect collection_empty(assay_value *result)
{
    *result = assay_word("empty");
    return ASSAY_SAME;
}

/* An add always succeeds, so a recorded result says nothing: it is returned as it was recorded. */
static inline assay_effect collection_added(const assay_call *call, assay_value *result)
{
    *result = call->result;
    return ASSAY_CHANGED;
}

/* Hooks of assay_spec. */
const char *collection_refuse_setting(const assay_setting *s); /* a list of values, no `empty` among them */
const char *collection_refuse_call(const assay_call *call);    /* no add that failed, nor of `empty` */
assay_cut collection_cut(const assay_call *call, assay_value *value);

/* The same where a call's number is not its role, for collections with more methods. */
const char *collection_refuse_value(assay_value v);      /* `empty` */
const char *collection_refuse_added(assay_value result); /* of a call that cannot fail */
const char *collection_refuse_add(const assay_call *call);
assay_cut collection_cut_as(enum collection_role role, const assay_call *call, assay_value *value);

/* The labels of its calls (spec/facts.h), as rows of a table that may have further ones. */
#define LABELS_OF_COLLECTION                                                                                           \
    {COLLECTION_ADD, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},                                                      \
        {COLLECTION_ADD, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},                                                     \
        {COLLECTION_REMOVE, OUTCOME_EMPTY, ROLE_MISS, VALUE_NONE},                                                     \
        {COLLECTION_REMOVE, OUTCOME_RETURNED, ROLE_REMOVE, VALUE_RESULT},                                              \
        {COLLECTION_REMOVE, OUTCOME_NEVER, ROLE_REMOVE, VALUE_RESULT},                                                 \
        {COLLECTION_PEEK, OUTCOME_EMPTY, ROLE_MISS, VALUE_NONE},                                                       \
    {                                                                                                                  \
        COLLECTION_PEEK, OUTCOME_RETURNED, ROLE_SEE, VALUE_RESULT                                                      \
    }

#endif
