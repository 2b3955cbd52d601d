/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a counter that an operation saw: can the calls before it add up to that?
 *
 * Calls that happen before the operation come before it in each linearization. Calls that it happens before come later.
 * Any of the others may come before it or not. So the value lies between two bounds. One has the calls before it and
 * all negative ones of the others, the other has all positive ones instead. */
#include "recheck/object.h"
#include "spec/roles.h"

static bool amount_of(const struct object_view *v, uint32_t op, int64_t *amount)
{
    assay_call call = object_call(v, op);
    bool adds = call.method == COUNTER_ADD || call.method == COUNTER_FETCH_ADD;
    *amount = call.method == COUNTER_INC ? 1 : call.method == COUNTER_DEC ? -1 : adds ? call.args[0].integer : 0;
    mem_free(v->x->mem, (void *)call.args);
    return *amount > INT64_MIN / 4 && *amount < INT64_MAX / 4;
}

/* Is its result the value before it? Else it is the value after it. */
static bool returns_old(const struct object_view *v, uint32_t op)
{
    assay_call call = object_call(v, op);
    mem_free(v->x->mem, (void *)call.args);
    return call.method == COUNTER_FETCH_ADD;
}

/* The value before the first call. */
static int64_t initial_value(const struct object_view *v, const struct object_part *p)
{
    const assay_setting setting = object_part_setting(p);
    void *state = hook_create(p->use->spec, &setting, value_public(v->x->h, p->key), v->x->mem);
    assay_call get = {.method = COUNTER_GET};
    assay_value answer = {0};
    assay_saved saved;
    hook_step(p->use->spec, state, &get, 0, &answer, &saved);
    hook_destroy(p->use->spec, state, v->x->mem);
    return answer.integer;
}

/* Bounds of the sum before op. False: they leave the numbers of 64 bits. */
static bool bounds_of(const struct object_view *v, uint32_t op, int64_t *low, int64_t *high)
{
    const history *h = v->x->h;
    *low = *high = initial_value(v, &v->parts.at[v->part[op]]);
    for (uint32_t o = 0; o < h->n; o++) {
        int64_t amount;
        budget_tick(v->x->budget);
        if (o == op || v->part[o] != v->part[op] || object_before(v, op, o))
            continue;
        if (!amount_of(v, o, &amount))
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
    int64_t low, high, own;
    if (ev->whole || ev->pattern != PATTERN_SumOutOfReach || history_pending(v->x->h, op) ||
        v->parts.at[v->part[op]].use->spec != &spec_counter || !amount_of(v, op, &own) ||
        !bounds_of(v, op, &low, &high))
        return false;
    struct value seen = history_result(v->x->h, op);
    int64_t before;
    return seen.kind == ASSAY_INT && !__builtin_sub_overflow(seen.bits, returns_old(v, op) ? 0 : own, &before) &&
           (before < low || before > high);
}
