/* SPDX-License-Identifier: Apache-2.0 */
/* `@init ?`: the initial states that could make a difference to a part.
 *
 * Take a register, or one key of a map or a memory. A call compares the present value with a value that it names, or
 * with none at all. So two initial values that no call names have the same linearizations. It is enough to try every
 * value that a call names, one more, and for a map no value. A value of a set is in it, or not. Take a call of a
 * counter that returned r. The initial number and the additions of some of the calls sum up to r; all such sums are
 * tried. The number of holders of a lock or a semaphore lies between two bounds; all of them are tried. Of a queue, a
 * stack, a deque or a priority queue, one state stands for all contents (spec/gapped.h, spec/open_pqueue.c). */
#include "recheck/object.h"
#include "spec/any_initial.h"

#include <stdlib.h>

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

__extension__ typedef __int128 wide; /* numbers on the way to one of 64 bits */

struct numbers {
    VEC(wide) all;
};

static int compare_wide(const void *left, const void *right)
{
    const wide *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static int compare_changes(const void *left, const void *right)
{
    const int64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Some of `count` calls may each have subtracted the change. False: the numbers are too many. */
static bool take_back_some(struct numbers *x, int64_t change, uint32_t count, uint64_t most, struct mem *m)
{
    uint32_t before = x->all.n, n = 0;
    if ((uint64_t)before * (count + 1) > most)
        return false;
    for (uint32_t k = 1; k <= count; k++)
        for (uint32_t i = 0; i < before; i++)
            vec_push(m, &x->all, x->all.at[i] - (wide)change * k);
    qsort(x->all.at, x->all.n, sizeof *x->all.at, compare_wide);
    for (uint32_t i = 0; i < x->all.n; i++)
        if (!i || x->all.at[i] != x->all.at[i - 1])
            x->all.at[n++] = x->all.at[i];
    x->all.n = n;
    return true;
}

/* The changes of the part's calls, ascending; *r: the result that was returned first, if there is one. */
static int64_t *changes_of(const struct listed *l, uint32_t part, uint32_t *n, assay_value *r)
{
    const history *h = l->v->x->h;
    int64_t *changes = mem_new(l->v->x->mem, int64_t, h->n + 1), first_return = INT64_MAX;
    *n = 0;
    for (uint32_t o = 0; o < h->n; o++) {
        if (l->v->part[o] != part)
            continue;
        assay_call call = object_call(l->v, o);
        changes[*n] = counter_change(&call);
        *n += changes[*n] != 0;
        int64_t ret = h->call ? h->ret[o] : INT64_MIN;
        if (call.result.kind != ASSAY_INT || (r->kind != ASSAY_NONE && ret >= first_return))
            continue;
        first_return = ret;
        *r = call.result;
    }
    qsort(changes, *n, sizeof *changes, compare_changes);
    return changes;
}

/* Can the calls not leave the numbers of 64 bits, if they begin at 0? */
static bool are_small(const int64_t *changes, uint32_t n)
{
    wide up = 0, down = 0;
    for (uint32_t i = 0; i < n; i++)
        *(changes[i] < 0 ? &down : &up) += changes[i];
    return down >= INT64_MIN && up <= INT64_MAX;
}

/* Every number from which the calls may lead to r, the number that was returned first. The prefix that a proof is about
 * has that return. Without one, the calls need only stay within 64 bits. If they do from some number, they do from the
 * least such number, from which they lead to the least number of 64 bits. False: they are too many. */
static bool list_numbers(struct listed *l, uint32_t part)
{
    struct mem *m = l->v->x->mem;
    struct numbers x = {0};
    assay_value r = {0};
    uint32_t n, count;
    uint64_t most = at_most(l->v->x, LIMIT_INITIAL_NUMBERS);
    int64_t *changes = changes_of(l, part, &n, &r);
    bool free = r.kind == ASSAY_NONE && are_small(changes, n), fine = true;
    vec_push(m, &x.all, free ? 0 : r.kind == ASSAY_NONE ? INT64_MIN : r.integer);
    for (uint32_t i = 0; i < n && !free && fine; i += count) {
        for (count = 1; i + count < n && changes[i + count] == changes[i];)
            count++;
        fine = take_back_some(&x, changes[i], count, most, m);
    }
    for (uint32_t i = 0; i < x.all.n && fine; i++)
        if (x.all.at[i] >= INT64_MIN && x.all.at[i] <= INT64_MAX)
            list(l, assay_int((int64_t)x.all.at[i]));
    vec_free(m, &x.all);
    mem_free(m, changes);
    return fine || beyond(l->v->x, LIMIT_INITIAL_NUMBERS);
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
    int64_t level = all.least;
    list(l, assay_int(level));
    while (level < all.most) {
        level++;
        if (level > all.least + (int64_t)h->n + 1 && level < from_end)
            level = from_end;
        list(l, assay_int(level));
    }
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
