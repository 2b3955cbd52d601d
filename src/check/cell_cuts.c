/* SPDX-License-Identifier: Apache-2.0 */
#include "check/cell_cuts.h"

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

bool cell_is_null(assay_value v)
{
    return assay_value_same(v, assay_word("null")) || assay_value_same(v, assay_word("nil"));
}

static struct cell_use of_map(const assay_call *call)
{
    switch (call->method) {
    case MAP_GET: return (struct cell_use){.reads = call->result};
    case MAP_PUT: return (struct cell_use){.reads = call->result, .writes = call->args[1]};
    case MAP_REMOVE: return (struct cell_use){.reads = call->result, .writes = assay_word("null")};
    case MAP_CONTAINS_KEY:
        if (assay_value_same(call->result, assay_word("false")))
            return (struct cell_use){.reads = assay_word("null")};
        return (struct cell_use){.failed = call->result.kind != ASSAY_NONE};
    default: return (struct cell_use){0};
    }
}

static bool same(assay_value a, assay_value b)
{
    return assay_value_same(a, b) || (cell_is_null(a) && cell_is_null(b));
}

bool cell_use(const struct part *part, const assay_call *call, bool null_values, struct cell_use *out)
{
    const assay_spec *spec = part->object->spec;
    if (spec == &spec_memory)
        *out = of_memory(call);
    else if (spec == &spec_register || spec == &spec_cas_register)
        *out = of_register(call);
    else if (spec == &spec_map)
        *out = of_map(call);
    else
        return false;
    out->of_many = spec == &spec_map && part->key.kind == ASSAY_NONE;
    if (same(out->reads, out->writes) && !(null_values && cell_is_null(out->writes)))
        out->writes = (assay_value){0};
    return true;
}
