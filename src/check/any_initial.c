/* SPDX-License-Identifier: Apache-2.0 */
#include "check/any_initial.h"

#include "history/value_ids.h"

struct gathering {
    struct mem *m;
    struct value_ids seen;
    VEC(assay_value) values;
};

static void gather(struct gathering *g, assay_value v)
{
    uint32_t known = g->seen.n;
    if (v.kind != ASSAY_NONE && value_id(g->m, &g->seen, value_internal(v)) == known)
        vec_push(g->m, &g->values, v);
}

/* The least integer that no call names. */
static assay_value other_value(const struct gathering *g)
{
    int64_t i = 0;
    while (value_id_find(&g->seen, (struct value){i, ASSAY_INT}) != ID_NONE)
        i++;
    return assay_int(i);
}

struct initial_values initial_values(const struct calls *c, const struct part *part, struct mem *m)
{
    struct gathering g = {.m = m};
    const history *h = c->h;
    for (uint32_t i = 0; i < part->n; i++)
        for (uint32_t j = 0; j <= history_arity(h, part->ops[i]); j++)
            gather(&g, value_public(h, history_arg(h, part->ops[i], j)));
    assay_value other = other_value(&g);
    vec_push(m, &g.values, other);
    if (spec_may_lack(part->object->spec))
        vec_push(m, &g.values, (assay_value){0});
    return (struct initial_values){g.values.at, g.values.n};
}

void initial_part(struct initial_part *out, const struct part *part, const struct initial_values *values, uint32_t i,
                  assay_value key)
{
    out->init = (assay_binding){.key = key, .value = values->at[i]};
    out->use = *part->object;
    out->use.setting.init = &out->init;
    out->use.setting.init_count = values->at[i].kind != ASSAY_NONE;
    out->part = *part;
    out->part.object = &out->use;
    out->part.settings = NULL;
}
