/* SPDX-License-Identifier: Apache-2.0 */
/* register: one variable. */
#include "spec/cell.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"read", "read() => value", REGISTER_READ, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"write", "write(value)", REGISTER_WRITE, 1, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct cell *c = state;
    (void)choice;
    if (call->method == REGISTER_WRITE)
        return cell_write(c, call->args[0], saved);
    *result = c->value;
    return ASSAY_SAME;
}

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
    .refuse = settings_single,
    .create = cell_create,
    .copy = cell_copy,
    .destroy = cell_destroy,
    .step = step,
    .undo = cell_undo,
    .digest = cell_digest,
    .equal = cell_same,
    .cut = cut,
    .describe = cell_describe,
    .names = ASSAY_NAMES_ARGUMENT_OR_RESULT,
};
