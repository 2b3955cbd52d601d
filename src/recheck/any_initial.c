/* SPDX-License-Identifier: Apache-2.0 */
/* `@init ?`: the initial values that could make a difference to a part.
 *
 * A call of a register, or of one key of a map or a memory, compares the present value with a value that it names, or
 * with none at all. So two initial values that no call names have the same linearizations. It is enough to try every
 * value that a call names, one more, and for a map no value. */
#include "spec/any_initial.h"
#include "recheck/object.h"

bool object_is_any(const struct object_view *v, const struct object_part *part)
{
    return setting_is_any(&part->use->setting, value_public(v->x->h, part->key));
}

void *object_initial_state(const struct object_view *v, const struct object_part *part, const assay_setting *setting)
{
    return hook_create(part->use->spec, setting, value_public(v->x->h, part->key), v->x->mem);
}

static bool is_there(const struct object_initials *all, assay_value value)
{
    for (uint32_t i = 0; i < all->n; i++)
        if (assay_value_same(all->at[i], value))
            return true;
    return false;
}

struct object_initials object_initials(const struct object_view *v, uint32_t part)
{
    const history *h = v->x->h;
    struct object_initials all = {mem_new(v->x->mem, assay_value, h->value_n + 2), 0};
    for (uint32_t o = 0; o < h->n; o++)
        for (uint32_t i = 0; v->part[o] == part && i <= history_arity(h, o); i++) {
            assay_value named = value_public(h, history_arg(h, o, i));
            if (named.kind != ASSAY_NONE && !is_there(&all, named))
                all.at[all.n++] = named;
        }
    assay_value other = assay_int(-1);
    while (is_there(&all, other))
        other.integer--;
    all.at[all.n++] = other;
    if (spec_may_lack(v->parts.at[part].use->spec))
        all.at[all.n++] = (assay_value){0};
    return all;
}

assay_setting object_with_initial(const struct object_view *v, const struct object_part *part, assay_value initial,
                                  assay_binding *room)
{
    *room = (assay_binding){.key = value_public(v->x->h, part->key), .value = initial};
    return (assay_setting){part->use->setting.parameter, room, initial.kind != ASSAY_NONE};
}
