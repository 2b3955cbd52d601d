/* SPDX-License-Identifier: Apache-2.0 */
/* The balances of a bank that an operation saw: do they add up to another sum than the initial balances?
 *
 * A transfer takes from one account as much as it gives to another one, or does nothing. So every state of a bank has
 * the initial sum. An operation that saw another sum fits no state, in any order. */
#include "recheck/object.h"
#include "spec/roles.h"

/* False: it leaves the numbers of 64 bits. */
static bool sum_of(assay_value list, int64_t *sum)
{
    *sum = 0;
    for (; list.length; list = assay_list_before(list))
        if (__builtin_add_overflow(*sum, assay_list_last(list).integer, sum))
            return false;
    return true;
}

/* The sum before the first call. */
static bool initial_sum(const struct object_view *v, const struct object_part *p, int64_t *sum)
{
    const assay_setting setting = object_part_setting(p);
    void *state = hook_create(p->use->spec, &setting, value_public(v->x->h, p->key), v->x->mem);
    assay_call all = {.method = BANK_BALANCES};
    assay_value answer = {0};
    assay_saved saved;
    hook_step(p->use->spec, state, &all, 0, &answer, &saved);
    bool fits = sum_of(answer, sum);
    hook_destroy(p->use->spec, state, v->x->mem);
    return fits;
}

bool object_bank_sum_contradicts(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    const struct object_part *part = &v->parts.at[v->part[ev->culprit]];
    if (ev->whole || ev->pattern != PATTERN_SumChanged || !spec_is(part->use->spec, "bank") ||
        history_pending(v->x->h, ev->culprit))
        return false;
    assay_call call = object_call(v, ev->culprit);
    int64_t seen, first;
    return call.method == BANK_BALANCES && call.result.kind == ASSAY_LIST && initial_sum(v, part, &first) &&
           (!sum_of(call.result, &seen) || seen != first);
}
