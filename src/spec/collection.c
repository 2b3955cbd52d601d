/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/collection.h"

#include "spec/facts.h"
#include "spec/outcome.h"

/* A removal that returns `empty` would mean two things if the word were a value. */
const char *collection_refuse_value(assay_value v)
{
    if (!assay_value_same(v, assay_word("empty")))
        return NULL;
    return "`empty` is the result of a removal that finds nothing, not a value; the string \"empty\" is one";
}

const char *collection_refuse_setting(const assay_setting *s)
{
    const char *why = settings_list(s);
    for (size_t i = 0; i < s->init_count && !why; i++)
        why = collection_refuse_value(s->init[i].value);
    return why;
}

const char *collection_refuse_added(assay_value result)
{
    if (outcome_acknowledged(result))
        return NULL;
    return "adding always succeeds: its result is absent, `ok` or `true`; leave out a call that failed";
}

const char *collection_refuse_add(const assay_call *call)
{
    const char *why = collection_refuse_added(call->result);
    return why ? why : collection_refuse_value(call->args[0]);
}

const char *collection_refuse_call(const assay_call *call)
{
    return call->method == COLLECTION_ADD ? collection_refuse_add(call) : NULL;
}

/* All operations of a value may go together: the rest keeps its order, and empty stays empty. A pending removal may
 * have removed any value, so it stays; if its value is gone, it did not happen. */
assay_cut collection_cut_as(enum collection_role role, const assay_call *call, assay_value *value)
{
    bool empty = assay_value_same(call->result, assay_word("empty"));
    switch (role) {
    case COLLECTION_ADD: *value = call->args[0]; return ASSAY_CUT_WITH_VALUE;
    case COLLECTION_REMOVE:
        if (call->result.kind == ASSAY_NONE)
            return ASSAY_CUT_NEVER;
        if (empty)
            return ASSAY_CUT_ALONE;
        *value = call->result;
        return ASSAY_CUT_WITH_VALUE;
    case COLLECTION_PEEK:
        if (!empty)
            *value = call->result;
        return ASSAY_CUT_ALONE;
    }
    return ASSAY_CUT_NEVER;
}

assay_cut collection_cut(const assay_call *call, assay_value *value)
{
    return collection_cut_as(call->method, call, value);
}

const struct call_label labels_of_collection[] = {
    LABELS_OF_COLLECTION,
    {0},
};
