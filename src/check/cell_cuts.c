/* SPDX-License-Identifier: Apache-2.0 */
#include "check/cell_cuts.h"

#include "spec/facts.h"

bool cell_is_null(assay_value v)
{
    return assay_value_same(v, assay_word("null")) || assay_value_same(v, assay_word("nil"));
}

static bool same(assay_value a, assay_value b)
{
    return assay_value_same(a, b) || (cell_is_null(a) && cell_is_null(b));
}

bool cell_use(const struct part *part, const assay_call *call, bool null_values, struct cell_use *out)
{
    const struct object_facts *f = facts_of(part->object->spec);
    if (f->family != FAMILY_REGISTER && f->family != FAMILY_MAP)
        return false;
    struct cell_access c = facts_cell(f, call, false);
    bool of_many = f->family == FAMILY_MAP && part->key.kind == ASSAY_NONE;
    *out = (struct cell_use){c.sees, c.sets, c.refuses.kind != ASSAY_NONE, of_many};
    if (same(out->reads, out->writes) && !(null_values && cell_is_null(out->writes)))
        out->writes = (assay_value){0};
    return true;
}
