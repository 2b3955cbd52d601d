/* SPDX-License-Identifier: Apache-2.0 */
#include "staleness/measured.h"

uint32_t content_of(struct contents *c, uint32_t var, struct value v, struct mem *m)
{
    uint32_t id = value_id(m, &c->values, v);
    if (id == c->first.n) {
        struct owner new = {var, c->n++};
        vec_push(m, &c->first, new);
    }
    if (c->first.at[id].var == var)
        return c->first.at[id].content;
    uint32_t *content = idmap_at(m, &c->others, (uint64_t)var << 32 | id);
    if (*content == ID_NONE)
        *content = c->n++;
    return *content;
}
