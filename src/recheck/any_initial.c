/* SPDX-License-Identifier: Apache-2.0 */
/* `@init ?`: the initial states that could make a difference to a part.
 *
 * Take a register, or one key of a map or a memory. A call compares the present value with a value that it names, or
 * with none at all. So two initial values that no call names have the same linearizations. It is enough to try every
 * value that a call names, one more, and for a map no value. A value of a set is in it, or not. Take a
 * call of a counter that returned r. The initial number and the additions of some of the calls sum up to r. So it lies
 * between two bounds. So does the number of holders of a lock or a semaphore; all of them are tried. Of a queue,
 * a stack, a deque or a priority queue, one state stands for all contents (spec/gapped.h, spec/open_pqueue.c). */
#include "spec/any_initial.h"
#include "recheck/object.h"

enum { MOST_NUMBERS = 1 << 20 };

struct listed {
    const struct object_view *v;
    const struct object_part *part;
    VEC(assay_setting) found;
};

bool object_is_any(const struct object_view *v, const struct object_part *part)
{
    return setting_is_any(&part->use->setting, value_public(v->x->h, part->key));
}

void *object_initial_state(const struct object_view *v, const struct object_part *part, const assay_setting *setting)
{
    return hook_create(part->use->spec, setting, value_public(v->x->h, part->key), v->x->mem);
}

static bool is_listed(const struct listed *l, assay_value value)
{
    for (uint32_t i = 0; i < l->found.n; i++)
        if (l->found.at[i].init_count && assay_value_same(l->found.at[i].init->value, value))
            return true;
    return false;
}

static void list(struct listed *l, assay_value value)
{
    struct mem *m = l->v->x->mem;
    assay_binding *b = mem_new_zero(m, assay_binding, 1);
    if (any_has_key(l->part->use->spec))
        b->key = value_public(l->v->x->h, l->part->key);
    b->value = value;
    assay_setting setting = {l->part->use->setting.parameter, b, value.kind != ASSAY_NONE};
    vec_push(m, &l->found, setting);
}

static void list_values(struct listed *l, uint32_t part)
{
    const history *h = l->v->x->h;
    for (uint32_t o = 0; o < h->n; o++)
        for (uint32_t i = 0; l->v->part[o] == part && i <= history_arity(h, o); i++) {
            assay_value named = value_public(h, history_arg(h, o, i));
            if (named.kind != ASSAY_NONE && !is_listed(l, named))
                list(l, named);
        }
    assay_value other = assay_int(-1);
    while (is_listed(l, other))
        other.integer--;
    list(l, other);
}

/* Every number from which the calls may lead to r, the number that was returned first, and perhaps more. The prefix
 * that a proof is about has that return. False: they are too many. */
static bool list_numbers(struct listed *l, uint32_t part)
{
    const history *h = l->v->x->h;
    int64_t least = 0, most = 0; /* that calls may add */
    bool fine = true;
    assay_value r = {0};
    int64_t first_return = INT64_MAX;
    for (uint32_t o = 0; o < h->n; o++) {
        if (l->v->part[o] != part)
            continue;
        assay_call call = object_call(l->v, o);
        int64_t change = counter_change(&call), *sum = change < 0 ? &least : &most;
        fine &= !__builtin_add_overflow(*sum, change, sum);
        int64_t ret = h->call ? h->ret[o] : INT64_MIN;
        if (call.result.kind != ASSAY_INT || (r.kind != ASSAY_NONE && ret >= first_return))
            continue;
        first_return = ret;
        r = call.result;
    }
    if (r.kind == ASSAY_NONE)
        r = assay_int(least = most = 0);
    int64_t range, first;
    fine = fine && !__builtin_sub_overflow(most, least, &range) && range < MOST_NUMBERS &&
           !__builtin_sub_overflow(r.integer, most, &first) && !__builtin_add_overflow(first, range, &least);
    for (int64_t i = 0; fine && i <= range; i++)
        list(l, assay_int(first + i));
    return fine || refuse(l->v->x, "with `@init ?` the counter may have begun with too many numbers");
}

/* Every level that the object may have begun with. Levels are alike if the calls are too few to lead from them to an
 * end: one of these is enough. */
static bool list_levels(struct listed *l, uint32_t part)
{
    const history *h = l->v->x->h;
    const struct object_use *use = l->part->use;
    for (uint32_t o = 0; o < h->n; o++) {
        if (l->v->part[o] != part)
            continue;
        assay_call call = object_call(l->v, o);
        if (any_returns_tag(use->spec, &call))
            return refuse(l->v->x, "with `@init ?` no release may return a tag");
    }
    struct any_levels all = any_levels(use->spec, &use->setting, h->n);
    int64_t from_end = all.most - (int64_t)h->n;
    for (int64_t level = all.least; level <= all.most; level++)
        if (level <= all.least + (int64_t)h->n + 1 || level >= from_end)
            list(l, assay_int(level));
        else
            level = from_end - 1;
    return true;
}

bool object_initials(const struct object_view *v, uint32_t part, struct object_initials *out)
{
    struct listed l = {.v = v, .part = &v->parts.at[part]};
    enum any_kind kind = spec_any_kind(l.part->use->spec);
    bool lacks_key = any_needs_key(kind) && l.part->key.kind == ASSAY_NONE;
    if (lacks_key || kind == ANY_NEVER)
        return refuse(v->x, "with `@init ?` all calls must name a key");
    if (kind == ANY_SUM && !list_numbers(&l, part))
        return false;
    if (kind == ANY_LEVEL && !list_levels(&l, part))
        return false;
    if (kind == ANY_CELL || kind == ANY_CELL_OR_NONE)
        list_values(&l, part);
    if (kind == ANY_MEMBER)
        list(&l, value_public(v->x->h, l.part->key));
    if (any_needs_key(kind) || kind == ANY_CONTENT)
        list(&l, (assay_value){0});
    *out = (struct object_initials){l.found.at, l.found.n};
    return true;
}
