/* SPDX-License-Identifier: Apache-2.0 */
/* exchanger: two calls that overlap swap their values; one that finds no partner returns null. What a call returns
 * depends on a call that has not returned yet, so there are no sequential states: an engine of its own decides it. */
#include "assay.h"
#include "spec/roles.h"

static const assay_method methods[] = {
    {"exchange", "exchange(value) => the partner's value, or null", EXCHANGER_EXCHANGE, 1, ASSAY_NO_KEY,
     ASSAY_RESULT_REQUIRED},
    {0},
};

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
    .cut = cut,
};
