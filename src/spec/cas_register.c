/* SPDX-License-Identifier: Apache-2.0 */
/* cas-register: a register with compare-and-swap. */
#include "spec/cell.h"

static const assay_method methods[] = {
    {"read", "read() => value", REGISTER_READ, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"write", "write(value)", REGISTER_WRITE, 1, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"cas", "cas(expected, new) => true or false", REGISTER_CAS, 2, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct cell *c = state;
    if (call->method != REGISTER_CAS)
        return cell_step(c, call, choice, result, saved);
    bool swaps = assay_value_same(c->value, call->args[0]);
    *result = assay_word(swaps ? "true" : "false");
    return swaps ? cell_write(c, call->args[1], saved) : ASSAY_SAME;
}

/* A cas that failed saw any value but the expected one: were a write left out, it might see that. A cas from a value to
 * itself changes nothing, whether it failed or not. */
static assay_cut cut(const assay_call *call, assay_value *value)
{
    (void)value;
    if (call->method != REGISTER_CAS)
        return call->method == REGISTER_READ ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
    bool failed = assay_value_same(call->result, assay_word("false"));
    return failed || assay_value_same(call->args[0], call->args[1]) ? ASSAY_CUT_ALONE : ASSAY_CUT_NEVER;
}

const assay_spec spec_cas_register = {
    .version = ASSAY_SPEC_VERSION,
    .name = "cas-register",
    .title = "a register with compare-and-swap",
    .extends = "register",
    .methods = methods,
    CELL_HOOKS,
    .step = step,
    .cut = cut,
};

const struct object_facts facts_cas_register = {
    .spec = &spec_cas_register,
    CELL_FACTS,
    .never_blocks = true,
};
