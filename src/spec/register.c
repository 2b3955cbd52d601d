/* SPDX-License-Identifier: Apache-2.0 */
/* register: one variable. */
#include "spec/cell.h"

static const assay_method methods[] = {
    {"read", "read() => value", REGISTER_READ, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"write", "write(value)", REGISTER_WRITE, 1, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {0},
};

static assay_cut cut(const assay_call *call, assay_value *value)
{
    bool reads = call->method == REGISTER_READ;
    *value = reads ? call->result : call->args[0];
    return reads ? ASSAY_CUT_ALONE : ASSAY_CUT_WITH_VALUE;
}

const assay_spec spec_register = {
    .version = ASSAY_SPEC_VERSION,
    .name = "register",
    .title = "one read/write variable",
    .methods = methods,
    CELL_HOOKS,
    .step = cell_step,
    .cut = cut,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};

const struct call_label labels_of_register[] = {
    {REGISTER_WRITE, OUTCOME_RETURNED, ROLE_ADD, VALUE_ARGUMENT},
    {REGISTER_WRITE, OUTCOME_NEVER, ROLE_ADD, VALUE_ARGUMENT},
    {REGISTER_READ, OUTCOME_RETURNED, ROLE_SEE, VALUE_RESULT},
    {0},
};

const struct object_facts facts_register = {
    .spec = &spec_register,
    CELL_FACTS,
    .never_blocks = true,
};
