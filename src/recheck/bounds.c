/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a counter that an operation saw: can the calls before it add up to that?
 *
 * Calls that happen before the operation come before it in each linearization. Calls that it happens before come later.
 * Any of the others may come before it or not. So the value lies between two bounds. One has the calls before it and
 * all negative ones of the others, the other has all positive ones instead. */
#include "recheck/object.h"
#include "spec/facts.h"

static struct amount_use use_of(const struct object_view *v, uint32_t op)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    const assay_setting setting = object_part_setting(p);
    const struct object_facts *f = facts_of(p->use->spec);
    struct amount sum = f->amount(&setting, (assay_value){0}, 0);
    assay_call call = object_call(v, op);
    struct amount_use use = facts_amount(f, &call, history_pending(v->x->h, op), &sum, 0);
    mem_free(v->x->mem, (void *)call.args);
    return use;
}

/* Bounds of the sum before op. False: they leave the numbers of 64 bits. */
static bool bounds_of(const struct object_view *v, uint32_t op, int64_t *low, int64_t *high)
{
    const history *h = v->x->h;
    const struct object_part *p = &v->parts.at[v->part[op]];
    const assay_setting setting = object_part_setting(p);
    *low = *high = facts_of(p->use->spec)->amount(&setting, (assay_value){0}, 0).initial;
    for (uint32_t o = 0; o < h->n; o++) {
        budget_tick(v->x->budget);
        if (o == op || v->part[o] != v->part[op] || object_before(v, op, o))
            continue;
        int64_t amount = use_of(v, o).most;
        if (amount <= INT64_MIN / 4 || amount >= INT64_MAX / 4)
            return false;
        bool sure = object_before(v, o, op);
        if (((sure || amount < 0) && __builtin_add_overflow(*low, amount, low)) ||
            ((sure || amount > 0) && __builtin_add_overflow(*high, amount, high)))
            return false;
    }
    return true;
}

bool object_sum_contradicts(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    uint32_t op = ev->culprit;
    int64_t low, high;
    if (ev->whole || ev->pattern != PATTERN_SumOutOfReach || history_pending(v->x->h, op) ||
        v->parts.at[v->part[op]].use->spec != &spec_counter || !bounds_of(v, op, &low, &high))
        return false;
    struct amount_use seen = use_of(v, op);
    return seen.tells && (seen.high < low || seen.low > high);
}
