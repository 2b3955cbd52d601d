/* SPDX-License-Identifier: Apache-2.0 */
/* exchanger: two calls that overlap swap their values; one that finds no partner returns null. The result of a call
 * depends on a call that has not returned yet. So there are no sequential states: an engine of its own decides it. */
#include "spec/facts.h"
#include "spec/roles.h"

static const assay_method methods[] = {
    {"exchange", "exchange(value) => the partner's value, or null", EXCHANGER_EXCHANGE, 1, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {0},
};

/* A result null would mean two things if it were a value. */
static const char *refuse_call(const assay_call *call)
{
    if (!assay_value_same(call->args[0], assay_word("null")))
        return NULL;
    return "`null` is the result of a call that finds no partner, not a value; the string \"null\" is one";
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    return assay_value_same(call->result, assay_word("null")) ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_exchanger = {
    .version = ASSAY_SPEC_VERSION,
    .name = "exchanger",
    .title = "two overlapping calls swap their values",
    .methods = methods,
    .refuse_call = refuse_call,
    .cut = cut,
    .names = ASSAY_NAMES_BOTH,
};

const struct call_label labels_of_exchanger[] = {
    {EXCHANGER_EXCHANGE, OUTCOME_NULL, ROLE_MISS, VALUE_NONE},
    {EXCHANGER_EXCHANGE, OUTCOME_RETURNED, ROLE_SWAP, VALUE_ARGUMENT},
    {EXCHANGER_EXCHANGE, OUTCOME_NEVER, ROLE_SWAP, VALUE_ARGUMENT},
    {0},
};

const struct object_facts facts_exchanger = {
    .spec = &spec_exchanger,
    .labels = labels_of_exchanger,
};
