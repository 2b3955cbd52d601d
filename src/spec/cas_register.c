/* SPDX-License-Identifier: Apache-2.0 */
/* cas-register: a register with compare-and-swap. */
#include "spec/cell.h"
#include "spec/roles.h"
#include "spec/settings.h"

static const assay_method methods[] = {
    {"read", "read() => value", REGISTER_READ, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"write", "write(value)", REGISTER_WRITE, 1, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"cas", "cas(expected, new) => true or false", REGISTER_CAS, 2, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct cell *c = state;
    (void)choice;
    if (call->method == REGISTER_WRITE)
        return cell_write(c, call->args[0], saved);
    if (call->method == REGISTER_READ) {
        *result = c->value;
        return ASSAY_SAME;
    }
    bool swaps = assay_value_same(c->value, call->args[0]);
    *result = assay_word(swaps ? "true" : "false");
    return swaps ? cell_write(c, call->args[1], saved) : ASSAY_SAME;
}

/* A cas that failed saw any value but the expected one: were a write left out, it might see that. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    bool failed = call->method == REGISTER_CAS && assay_value_same(call->result, assay_word("false"));
    return call->method == REGISTER_READ || failed ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_cas_register = {
    .version = ASSAY_SPEC_VERSION,
    .name = "cas-register",
    .title = "a register with compare-and-swap",
    .extends = "register",
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
};
