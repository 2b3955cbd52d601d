/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/collection.h"

#include "spec/outcome.h"

const char *collection_refuse_added(assay_value result)
{
    if (outcome_acknowledged(result))
        return NULL;
    return "adding always succeeds: its result is absent, `ok` or `true`; leave out a call that failed";
}

const char *collection_refuse_call(const assay_call *call)
{
    return call->method == COLLECTION_ADD ? collection_refuse_added(call->result) : NULL;
}

/* All that is known of a value may go together: what is left keeps its order, and empty stays empty. A pending removal
 * may have removed anything, so it stays; if it removed what is gone, it did not happen. */
assay_cut collection_cut_as(enum collection_role role, const assay_call *call, assay_value *value)
{
    bool empty = assay_value_same(call->result, assay_word("empty"));
    switch (role) {
    case COLLECTION_ADDS: *value = call->args[0]; return ASSAY_CUT_WITH_VALUE;
    case COLLECTION_REMOVES:
        if (call->result.kind == ASSAY_NONE)
            return ASSAY_CUT_NEVER;
        if (empty)
            return ASSAY_CUT_ALONE;
        *value = call->result;
        return ASSAY_CUT_WITH_VALUE;
    case COLLECTION_LOOKS:
        if (!empty)
            *value = call->result;
        return ASSAY_CUT_ALONE;
    }
    return ASSAY_CUT_NEVER;
}

assay_cut collection_cut(const assay_call *call, assay_value *value)
{
    enum collection_role role = call->method == COLLECTION_ADD    ? COLLECTION_ADDS
                              : call->method == COLLECTION_REMOVE ? COLLECTION_REMOVES
                                                                  : COLLECTION_LOOKS;
    return collection_cut_as(role, call, value);
}
