/* SPDX-License-Identifier: Apache-2.0 */
#include "search/initial_states.h"

#include "history/value_ids.h"

enum { MOST_SUMS = 4096 };

struct listing {
    struct mem *m;
    const struct calls *c;
    const struct part *part;
    assay_value key; /* of the bindings */
    struct value_ids seen;
    VEC(assay_binding) found;
    bool many; /* of a counter: too many to list them */
};

static void list(struct listing *l, assay_value v)
{
    uint32_t known = l->seen.n;
    if (value_id(l->m, &l->seen, value_internal(v)) == known)
        vec_push(l->m, &l->found, ((assay_binding){.key = l->key, .value = v}));
}

/* ---- cells ---- */

/* The least integer that no call names. */
static assay_value other_value(const struct listing *l)
{
    int64_t i = 0;
    while (value_id_find(&l->seen, (struct value){i, ASSAY_INT}) != ID_NONE)
        i++;
    return assay_int(i);
}

static void list_cell(struct listing *l)
{
    const history *h = l->c->h;
    for (uint32_t i = 0; i < l->part->n; i++)
        for (uint32_t op = l->part->ops[i], j = 0; j <= history_arity(h, op); j++) {
            assay_value v = value_public(h, history_arg(h, op, j));
            if (v.kind != ASSAY_NONE)
                list(l, v);
        }
    list(l, other_value(l));
}

/* ---- counters ---- */

static assay_call call_of(const struct listing *l, uint32_t i, assay_value *argument)
{
    return calls_get(l->c, l->part->ops[i], argument);
}

__extension__ typedef __int128 wide; /* sums on the way may leave the numbers of 64 bits */

struct changes { /* the sums of some of the calls, ascending, as long as they are few */
    VEC(wide) sums;
    bool many;
};

/* The sums with this change, and those without it. */
static void add_change(struct listing *l, struct changes *c, int64_t change)
{
    struct changes both = {0};
    uint32_t n = c->sums.n;
    for (uint32_t i = 0, j = 0; i < n || j < n;) {
        wide without = i < n ? c->sums.at[i] : 0, with = j < n ? c->sums.at[j] + change : 0;
        bool first = i < n && (j == n || without <= with), second = j < n && (i == n || with <= without);
        vec_push(l->m, &both.sums, first ? without : with);
        i += first;
        j += second;
    }
    vec_free(l->m, &c->sums);
    *c = both;
    c->many = c->sums.n > MOST_SUMS;
}

/* The numbers from which some of the calls lead to r. */
static void list_sums(struct listing *l, int64_t r)
{
    struct changes c = {0};
    assay_value argument[1];
    vec_push(l->m, &c.sums, 0);
    for (uint32_t i = 0; i < l->part->n && !c.many; i++) {
        assay_call call = call_of(l, i, argument);
        if (counter_change(&call))
            add_change(l, &c, counter_change(&call));
    }
    for (uint32_t i = 0; i < c.sums.n; i++) {
        wide first = r - c.sums.at[i];
        if (first >= INT64_MIN && first <= INT64_MAX)
            list(l, assay_int((int64_t)first));
    }
    l->many = c.many;
    vec_free(l->m, &c.sums);
}

/* Do all calls together lead from 0 to no number beyond 64 bits, in whichever order? */
static bool stay_small(const struct listing *l)
{
    int64_t up = 0, down = 0;
    for (uint32_t i = 0; i < l->part->n; i++) {
        assay_value argument[1];
        assay_call call = call_of(l, i, argument);
        int64_t change = counter_change(&call), *sum = change < 0 ? &down : &up;
        if (__builtin_add_overflow(*sum, change, sum))
            return false;
    }
    return true;
}

/* The call that returned a number first: a proof may be about a prefix of the history, and that has its return. If none
 * did, the calls only have to stay within the numbers of 64 bits. Of the first numbers from which a linearization does,
 * the least leads to the least number that there is. */
static void list_counter(struct listing *l)
{
    assay_value argument[1], r = {0};
    uint32_t first = CALLS_NEVER;
    for (uint32_t i = 0; i < l->part->n; i++) {
        assay_call call = call_of(l, i, argument);
        uint32_t ret = l->c->ret ? l->c->ret[call.operation] : 0;
        if (call.result.kind == ASSAY_INT && ret < first) {
            first = ret;
            r = call.result;
        }
    }
    if (r.kind != ASSAY_NONE)
        list_sums(l, r.integer);
    else if (stay_small(l))
        list(l, assay_int(0));
    else
        list_sums(l, INT64_MIN);
}

/* ---- locks and semaphores ---- */

/* Levels that are nearer to an end than there are calls, and one other. */
static void list_levels(struct listing *l)
{
    struct any_levels all = any_levels(l->part->object->spec, &l->part->object->setting, l->part->n);
    int64_t near = (int64_t)l->part->n + 1;
    for (int64_t level = all.least;; level++) {
        if (level > all.least + near && level < all.most - near)
            level = all.most - near;
        list(l, assay_int(level));
        if (level == all.most) /* may be the greatest number */
            return;
    }
}

static bool returns_tags(const struct listing *l)
{
    for (uint32_t i = 0; i < l->part->n; i++) {
        assay_value argument[1];
        assay_call call = call_of(l, i, argument);
        if (any_returns_tag(l->part->object->spec, &call))
            return true;
    }
    return false;
}

/* ---- all of them ---- */

struct initial_states initial_states(const struct calls *c, const struct part *part, struct mem *m)
{
    struct listing l = {.m = m, .c = c, .part = part};
    const assay_spec *spec = part->object->spec;
    enum any_kind kind = spec_any_kind(spec);
    if (any_needs_key(kind) && part->key.kind == ASSAY_NONE)
        return (struct initial_states){.declined = "with `@init ?` all calls must name a key"};
    if (kind == ANY_LEVEL && returns_tags(&l))
        return (struct initial_states){.declined = "with `@init ?` no release may return a tag"};
    if (any_has_key(spec))
        l.key = value_public(c->h, part->key);
    switch (kind) {
    case ANY_CELL:
    case ANY_CELL_OR_NONE: list_cell(&l); break;
    case ANY_MEMBER: list(&l, value_public(c->h, part->key)); break;
    case ANY_SUM: list_counter(&l); break;
    case ANY_LEVEL: list_levels(&l); break;
    case ANY_CONTENT: vec_push(m, &l.found, (assay_binding){0}); break; /* one state stands for all contents */
    case ANY_NEVER: break;
    }
    if (any_needs_key(kind))
        vec_push(m, &l.found, (assay_binding){0});
    const char *declined = l.many ? "with `@init ?` it adds too many different sums" : NULL;
    return (struct initial_states){l.found.at, l.found.n, declined};
}

void initial_part(struct initial_part *out, const struct part *part, const assay_binding *initial)
{
    out->use = *part->object;
    out->use.setting.init = initial;
    out->use.setting.init_count = initial->value.kind != ASSAY_NONE;
    out->part = *part;
    out->part.object = &out->use;
    out->part.settings = NULL;
}
