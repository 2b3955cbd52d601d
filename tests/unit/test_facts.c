/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of facts (spec/facts.h) against the steps of the objects, on random walks. Engines find violations by
 * them and recheck believes them, so a fact that a legal call contradicts would be a wrong verdict. Each walk follows
 * one cell, one amount and one content by what the facts say of each call and its result, and never looks into the
 * state. A call that cannot take effect must be one that leads the amount out of its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/rng.h"
#include "spec/facts.h"
#include "spec/hooks.h"
#include "spec/roles.h"

enum { STEPS = 400, WALKS = 40, VALUES = 3, SETTINGS = 6, MOST_AMOUNTS = 3, MOST_TEXT = 16 };

struct made {
    assay_value args[FACTS_ARGS];
    assay_call call;
};

struct walk {
    const assay_spec *spec;
    const struct object_facts *f;
    assay_setting setting;
    struct rng *rng;
    struct mem mem;
    void *state;
    assay_value key, cell;
    int64_t amount[MOST_AMOUNTS];
    int64_t content[VALUES], size; /* copies of each value */
    assay_value under[VALUES];     /* of a map: the value of each key */
    uint32_t amounts, told, seen, labelled;
    char text[MOST_TEXT];
};

static bool make_setting(struct walk *w, unsigned i, assay_binding init[3])
{
    static const assay_value one = {.kind = ASSAY_INT, .integer = 1}, five = {.kind = ASSAY_INT, .integer = 5};
    for (int k = 0; k < 3; k++)
        init[k] = (assay_binding){.value = i == 2 ? five : one};
    if (i == 3)
        init[0].key = one;
    const assay_setting settings[SETTINGS] = {{.init = init},
                                              {.init = init, .init_count = 1},
                                              {.init = init, .init_count = 3},
                                              {.init = init, .init_count = 1},
                                              {.init = init, .parameter = assay_int(2)},
                                              {.init = init, .init_count = 1, .parameter = assay_int(2)}};
    w->setting = settings[i];
    bool plain = !w->setting.init_count && w->setting.parameter.kind == ASSAY_NONE;
    return w->spec->refuse ? !w->spec->refuse(&w->setting) : plain;
}

static bool refused(const struct walk *w, const assay_call *call)
{
    return (w->spec->refuse_call && w->spec->refuse_call(call)) ||
           (w->spec->refuse_use && w->spec->refuse_use(&w->setting, call));
}

/* Without tags: the objects that have them count alike with and without. */
static void make_call(struct walk *w, struct made *c)
{
    unsigned methods = 0;
    while (w->spec->methods[methods].name)
        methods++;
    do {
        const assay_method *m = &w->spec->methods[rng_below(w->rng, methods)];
        unsigned arity = method_least(m);
        for (unsigned i = 0; i < arity; i++)
            c->args[i] = assay_int(rng_below(w->rng, VALUES));
        c->call = (assay_call){.method = m->id, .arg_count = arity, .args = c->args};
    } while (refused(w, &c->call));
}

/* Is the call about the key that is followed, if the object has keys? */
static bool is_mine(const struct walk *w, const assay_call *call)
{
    return !w->f->by_key ||
           (call->arg_count && facts_method(w->f, call)->key == 0 && assay_value_same(call->args[0], w->key));
}

/* ---- the views ---- */

static void follow_amounts(struct walk *w, const assay_call *call, bool blocked)
{
    bool possible = true;
    for (uint32_t i = 0; i < w->amounts; i++) {
        struct amount a = w->f->amount(&w->setting, w->key, i);
        struct amount_use use = facts_amount(w->f, call, false, &a, i);
        struct amount_use open = facts_amount(w->f, call, true, &a, i);
        assert_int_equal(use.least, use.most);
        int64_t next = w->amount[i] + use.most;
        bool told = !use.tells || (use.low <= w->amount[i] && w->amount[i] <= use.high);
        possible &= told && next >= a.bottom && next <= a.top;
        if (blocked)
            continue;
        assert_false(open.tells);
        assert_true((open.least <= use.least || !use.least) && (use.most <= open.most || !use.most)); /* or in vain */
        w->told += use.tells;
        w->amount[i] = next;
    }
    assert_int_equal(possible, !blocked);
}

/* A pending call that had the same effect sets the same value, if it says that it sets one. */
static void follow_cell(struct walk *w, const assay_call *call)
{
    struct cell_access c = facts_cell(w->f, call, false), open = facts_cell(w->f, call, true);
    assert_true(c.sees.kind == ASSAY_NONE || assay_value_same(c.sees, w->cell));
    assert_true(c.refuses.kind == ASSAY_NONE || !assay_value_same(c.refuses, w->cell));
    assert_true(open.sees.kind == ASSAY_NONE && open.refuses.kind == ASSAY_NONE);
    if (c.sets.kind != ASSAY_NONE && !assay_value_same(c.sets, w->cell))
        assert_true(assay_value_same(c.sets, open.sets));
    w->seen += c.sees.kind != ASSAY_NONE;
    if (c.sets.kind != ASSAY_NONE)
        w->cell = c.sets;
}

static void follow_content(struct walk *w, const assay_call *call)
{
    const struct call_label *l = facts_label(w->f, call, false);
    bool members = w->f->family == FAMILY_MEMBERS || w->f->family == FAMILY_MAP;
    bool copies = w->f->counts == COUNTS_COPIES || !members;
    assay_value v = l->value == VALUE_RESULT ? call->result : call->arg_count ? call->args[0] : (assay_value){0};
    int64_t *n = v.kind == ASSAY_INT && v.integer >= 0 && v.integer < VALUES ? &w->content[v.integer] : &w->size;
    int64_t before = *n;
    if (!l->roles)
        return;
    w->labelled++;
    assert_true(members || n != &w->size || l->roles & (ROLE_MISS | ROLE_FULL));
    if (l->roles & ROLE_SEE || (l->roles & ROLE_REMOVE && !members))
        assert_true(before > 0);
    if (l->roles & ROLE_MISS)
        assert_true((members ? before : w->size) == 0);
    if (l->roles & ROLE_FULL)
        assert_int_equal(w->size, w->setting.parameter.integer);
    if (l->roles & ROLE_ADD)
        *n = copies ? before + 1 : 1;
    if (l->roles & ROLE_REMOVE)
        *n = copies ? before - 1 : 0;
    w->size += n == &w->size ? 0 : *n - before;
}

/* Of a map: how many keys have the value that is asked for, or any? */
static void follow_keys(struct walk *w, const assay_call *call)
{
    struct amount_use use = facts_amount(w->f, call, false, NULL, 0);
    int64_t n = 0;
    for (int k = 0; k < VALUES; k++)
        n += w->content[k] && (!call->arg_count || assay_value_same(w->under[k], call->args[0]));
    assert_true(!use.tells || (use.low <= n && n <= use.high));
    w->told += use.tells;
    if (call->method == MAP_PUT)
        w->under[call->args[0].integer] = call->args[1];
}

/* ---- walks ---- */

static bool has_content(const struct walk *w)
{
    return w->f->family == FAMILY_SEQUENCE || w->f->family == FAMILY_PRIORITY || w->f->family == FAMILY_MEMBERS ||
           w->f->family == FAMILY_MAP;
}

static void begin(struct walk *w)
{
    w->key = w->f->by_key ? assay_int(1) : (assay_value){0};
    w->state = hook_create(w->spec, &w->setting, (assay_value){0}, &w->mem);
    w->amounts = facts_amounts(w->f, &w->setting, w->key);
    assert_true(w->amounts <= MOST_AMOUNTS);
    for (uint32_t i = 0; i < w->amounts; i++)
        w->amount[i] = w->f->amount(&w->setting, w->key, i).initial;
    if (w->f->cell)
        w->cell = w->f->cell_initial(&w->setting, w->key);
    memset(w->content, 0, sizeof w->content);
    for (size_t i = 0; i < w->setting.init_count; i++) {
        const assay_binding *b = &w->setting.init[i];
        int64_t v = b->key.kind == ASSAY_NONE ? b->value.integer : b->key.integer;
        if (v < VALUES)
            w->under[v] = b->value;
        if (v < VALUES)
            w->content[v] += w->f->family != FAMILY_MEMBERS || w->f->counts || !w->content[v];
    }
    w->size = 0;
    for (int v = 0; v < VALUES; v++)
        w->size += w->content[v];
}

static void take_step(struct walk *w)
{
    struct made c;
    assay_saved saved;
    make_call(w, &c);
    assay_effect effect = hook_step(w->spec, w->state, &c.call, 0, &c.call.result, &saved);
    bool blocked = effect == ASSAY_BLOCKED;
    assert_true(!blocked || !w->f->never_blocks);
    if (blocked)
        c.call.result = (assay_value){0};
    if (w->amounts && is_mine(w, &c.call))
        follow_amounts(w, &c.call, blocked);
    if (w->f->cell && is_mine(w, &c.call) && !blocked)
        follow_cell(w, &c.call);
    if (w->f->counts == COUNTS_KEYS)
        follow_keys(w, &c.call);
    if (has_content(w) && !blocked)
        follow_content(w, &c.call);
}

static void walk(struct walk *w)
{
    begin(w);
    for (unsigned i = 0; i < STEPS; i++)
        take_step(w);
    hook_destroy(w->spec, w->state, &w->mem);
}

static void test_walks(void **state)
{
    (void)state;
    struct rng rng = {3};
    for (size_t i = 0; spec_table[i]; i++) {
        struct walk w = {.spec = spec_table[i], .f = facts_of(spec_table[i]), .rng = &rng};
        assert_ptr_equal(w.f->spec, w.spec);
        uint32_t walks = 0;
        if (w.spec == &spec_multi_register) /* it has no views: models of transactions */
            continue;
        for (unsigned s = 0; s < SETTINGS; s++) {
            assay_binding init[3];
            /* Initial values of a sequence that are not among those of calls could be returned. */
            if (!w.spec->create || !make_setting(&w, s, init) || (has_content(&w) && s == 2))
                continue;
            for (unsigned n = 0; n < WALKS; n++, walks++)
                walk(&w);
        }
        assert_true(!w.spec->create || walks);
        assert_true(!w.f->counts || w.told || w.f->counts == COUNTS_SUM);
        assert_true(!w.f->cell || w.seen);
        assert_true(!has_content(&w) || w.labelled);
        mem_release(&w.mem);
    }
}

/* A user's object may have the name of one of the library's, and has no facts. */
static void test_of_users(void **state)
{
    (void)state;
    assay_spec own = spec_queue;
    assert_true(facts_of(&spec_queue)->family == FAMILY_SEQUENCE);
    assert_true(facts_of(&own)->family == FAMILY_OTHER && !facts_of(&own)->labels);
    assert_true(facts_of(NULL)->family == FAMILY_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walks), cmocka_unit_test(test_of_users)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
