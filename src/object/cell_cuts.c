/* SPDX-License-Identifier: Apache-2.0 */
#include "object/cell_cuts.h"

#include "spec/roles.h"

static struct cell_use of_register(const assay_call *call)
{
    if (call->method == REGISTER_READ)
        return (struct cell_use){.reads = call->result};
    if (call->method == REGISTER_WRITE)
        return (struct cell_use){.writes = call->args[0]};
    if (assay_value_same(call->result, assay_word("false")))
        return (struct cell_use){.failed = true};
    return (struct cell_use){.reads = call->args[0], .writes = call->args[1]};
}

static struct cell_use of_memory(const assay_call *call)
{
    switch (call->method) {
    case MEMORY_READ: return (struct cell_use){.reads = call->result};
    case MEMORY_WRITE: return (struct cell_use){.writes = call->args[1]};
    case MEMORY_RMW: return (struct cell_use){.reads = call->args[1], .writes = call->args[2]};
    default: return (struct cell_use){0};
    }
}

bool cell_use(const assay_spec *spec, const assay_call *call, struct cell_use *out)
{
    if (spec == &spec_memory)
        *out = of_memory(call);
    else if (spec_is(spec, "register") || spec_is(spec, "cas-register"))
        *out = of_register(call);
    else
        return false;
    if (assay_value_same(out->reads, out->writes))
        out->writes = (assay_value){0};
    return true;
}
