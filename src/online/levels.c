/* SPDX-License-Identifier: Apache-2.0 */
#include "online/levels.h"

#include "base/memo.h"
#include "history/value_table.h"
#include "online/fault.h"

enum { MOST_OPEN = 64 }; /* operations of one level: a configuration has a word for them */

#define AT_REST 0x80000000u /* in the table of keys: the level is what the other bits say */

struct config {
    int64_t level;
    uint64_t done; /* open operations that are linearized */
};

struct configs {
    VEC(struct config) at;
};

struct level {
    struct value key;
    uint64_t busy; /* places of open operations */
    struct online_op op[MOST_OPEN];
    struct level_role role[MOST_OPEN];
    struct configs now;
    bool branching; /* one configuration may not be enough */
    bool given_up;
    uint32_t uncounted; /* given up: open operations */
};

struct levels {
    const struct levels_object *object;
    struct mem *mem;
    struct budget *budget;
    int64_t start, top;
    struct value_table keys; /* those that are not as at first */
    VEC(struct level *) all; /* in use or free */
    VEC(uint32_t) free;
    struct configs next, extended;
    struct memo seen_next, seen_extended;
    bool weakened;
    struct online_op wrong;
    uint32_t wrong_level;
};

/* ---- levels ---- */

static uint32_t new_level(struct levels *s, struct value key, int64_t at)
{
    uint32_t x = s->all.n;
    if (s->free.n) {
        x = vec_pop(&s->free);
    } else {
        vec_push(s->mem, &s->all, NULL);
        s->all.at[x] = mem_new_zero(s->mem, struct level, 1);
    }
    struct level *l = s->all.at[x];
    l->key = key;
    l->busy = 0;
    l->branching = l->given_up = false;
    l->uncounted = 0;
    vec_clear(&l->now.at);
    vec_push(s->mem, &l->now.at, ((struct config){at, 0}));
    return x;
}

static uint32_t find_level(struct levels *s, struct value arg)
{
    if (!s->object->keyed)
        return 0;
    uint32_t *at = value_table_at(s->mem, &s->keys, arg);
    if (*at == ID_NONE || *at & AT_REST)
        *at = new_level(s, arg, *at == ID_NONE ? 0 : (int64_t)(*at & ~AT_REST));
    return *at;
}

/* Nobody has an operation open on it. */
static void rest(struct levels *s, uint32_t x)
{
    struct level *l = s->all.at[x];
    if (l->now.at.n != 1 || l->given_up)
        return;
    l->branching = false;
    int64_t level = l->now.at.at[0].level;
    if (!s->object->keyed || level >= (int64_t)(AT_REST - 1))
        return;
    if (level)
        *value_table_at(s->mem, &s->keys, l->key) = AT_REST | (uint32_t)level;
    else
        value_table_drop(s->mem, &s->keys, l->key);
    vec_push(s->mem, &s->free, x);
}

/* ---- configurations ---- */

static bool passes(const struct level_role *r, int64_t level)
{
    return r->low <= level && level <= r->high;
}

/* Linearizes the tests that pass. */
static void settle(const struct level *l, struct config *c)
{
    for (uint64_t left = l->busy & ~c->done; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (l->role[i].kind == LEVEL_TEST && passes(&l->role[i], c->level))
            c->done |= left & -left;
    }
}

/* The open operation of the kind that returns first and is not linearized, or -1. */
static int first_of(const struct level *l, const struct config *c, enum level_kind kind)
{
    int first = -1;
    for (uint64_t left = l->busy & ~c->done; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (l->role[i].kind == kind && (first < 0 || l->op[i].returned < l->op[first].returned))
            first = i;
    }
    return first;
}

/* Linearizes the first of the kind, if there is one and it is possible. */
static bool move(const struct levels *s, const struct level *l, struct config *c, enum level_kind kind)
{
    bool up = kind == LEVEL_UP || kind == LEVEL_UP_IF, at_end = c->level == (up ? s->top : 0);
    if (at_end && (kind == LEVEL_UP || kind == LEVEL_DOWN))
        return false;
    int i = first_of(l, c, kind);
    if (i < 0)
        return false;
    c->done |= 1ull << i;
    if (at_end)
        return true;
    c->level += up ? 1 : -1;
    settle(l, c);
    return true;
}

/* The one configuration, up to the linearization of i. */
static bool go_straight(const struct levels *s, const struct level *l, struct config *c, int i)
{
    const struct level_role *r = &l->role[i];
    if (r->kind != LEVEL_TEST) {
        enum level_kind back = r->kind == LEVEL_UP ? LEVEL_DOWN : LEVEL_UP;
        return move(s, l, c, r->kind) || (move(s, l, c, back) && move(s, l, c, r->kind));
    }
    while (r->low <= r->high && !passes(r, c->level))
        if (!move(s, l, c, c->level < r->low ? LEVEL_UP : LEVEL_DOWN))
            return false;
    return r->low <= r->high;
}

static void add(struct levels *s, struct configs *to, struct memo *seen, struct config c)
{
    struct memo_key key = {hash_join((uint64_t)c.level, c.done), hash_mix(c.done * 31 + (uint64_t)c.level)};
    if (memo_add(seen, s->mem, key))
        vec_push(s->mem, &to->at, c);
}

/* All configurations, up to the linearization of i. */
static void branch(struct levels *s, struct level *l, int i)
{
    uint64_t bit = 1ull << i;
    vec_clear(&s->next.at);
    vec_clear(&s->extended.at);
    memo_clear(&s->seen_next);
    memo_clear(&s->seen_extended);
    for (uint32_t k = 0; k < l->now.at.n; k++) {
        struct config c = l->now.at.at[k];
        if (c.done & bit)
            add(s, &s->next, &s->seen_next, c);
        else
            add(s, &s->extended, &s->seen_extended, c);
    }
    for (uint32_t k = 0; k < s->extended.at.n; k++)
        for (int kind = LEVEL_UP; kind < LEVEL_TEST; kind++) {
            struct config c = s->extended.at.at[k];
            budget_tick(s->budget);
            if (!move(s, l, &c, (enum level_kind)kind))
                continue;
            if (c.done & bit)
                add(s, &s->next, &s->seen_next, c);
            else
                add(s, &s->extended, &s->seen_extended, c);
        }
    struct configs used = l->now;
    l->now = s->next;
    s->next = used;
}

/* ---- events ---- */

/* Can one configuration be too few once this is open? */
static bool leaves_a_choice(const struct levels *s, const struct level_role *r)
{
    if (r->kind == LEVEL_TEST)
        return s->top > 1 && !(r->low == 1 && r->high == LEVEL_NO_TOP) && r->low <= r->high;
    return r->kind == LEVEL_UP_IF || r->kind == LEVEL_DOWN_IF;
}

static void give_up(struct levels *s, struct level *l)
{
    l->given_up = s->weakened = true;
    l->uncounted = (uint32_t)__builtin_popcountll(l->busy);
}

bool levels_call(void *state, struct scan_op *o)
{
    struct levels *s = state;
    uint32_t x = find_level(s, o->op.arg);
    struct level *l = s->all.at[x];
    o->mark = x * MOST_OPEN;
    if (!l->given_up && !~l->busy)
        give_up(s, l);
    if (l->given_up) {
        l->uncounted++;
        return true;
    }
    int i = __builtin_ctzll(~l->busy);
    o->mark += (uint32_t)i;
    l->op[i] = o->op;
    l->role[i] = s->object->role(&o->op, s->top);
    l->branching |= leaves_a_choice(s, &l->role[i]);
    l->busy |= 1ull << i;
    if (l->role[i].kind == LEVEL_TEST)
        for (uint32_t k = 0; k < l->now.at.n; k++)
            if (passes(&l->role[i], l->now.at.at[k].level))
                l->now.at.at[k].done |= 1ull << i;
    return true;
}

static bool linearize(struct levels *s, struct level *l, int i)
{
    uint64_t bit = 1ull << i;
    if (l->now.at.n == 1 && l->now.at.at[0].done & bit)
        return true;
    if (!l->branching)
        return go_straight(s, l, &l->now.at.at[0], i);
    branch(s, l, i);
    return l->now.at.n;
}

bool levels_ret(void *state, struct scan_op *o)
{
    struct levels *s = state;
    if (o->op.returned == ONLINE_NEVER)
        return true;
    uint32_t x = o->mark / MOST_OPEN;
    int i = (int)(o->mark % MOST_OPEN);
    struct level *l = s->all.at[x];
    if (l->given_up) {
        l->uncounted--;
        return true;
    }
    if (!linearize(s, l, i)) {
        s->wrong = o->op;
        s->wrong_level = x;
        return false;
    }
    for (uint32_t k = 0; k < l->now.at.n; k++)
        l->now.at.at[k].done &= ~(1ull << i);
    l->busy &= ~(1ull << i);
    if (!l->busy)
        rest(s, x);
    return true;
}

bool levels_pending(void *state, const struct online_op *op)
{
    struct levels *s = state;
    return !s->object->looks(op->method);
}

bool levels_matters(void *state, const struct online_op *op)
{
    (void)state;
    (void)op;
    return false;
}

/* ---- opening and closing ---- */

void *levels_open(const struct levels_object *o, const struct online_setup *setup, int64_t start, int64_t top)
{
    struct levels *s = mem_new_zero(setup->mem, struct levels, 1);
    s->object = o;
    s->mem = setup->mem;
    s->budget = setup->budget;
    s->top = top;
    if (!o->keyed) {
        new_level(s, (struct value){0}, start);
        return s;
    }
    for (size_t i = 0; i < setup->setting->init_count; i++) {
        uint32_t *at = value_table_at(s->mem, &s->keys, online_value(setup->setting->init[i].value));
        *at = *at == ID_NONE ? AT_REST | 1 : *at - AT_REST < top ? *at + 1 : *at;
    }
    return s;
}

void levels_close(void *state)
{
    struct levels *s = state;
    struct mem *m = s->mem;
    for (uint32_t x = 0; x < s->all.n; x++) {
        vec_free(m, &s->all.at[x]->now.at);
        mem_free(m, s->all.at[x]);
    }
    vec_free(m, &s->all);
    vec_free(m, &s->free);
    vec_free(m, &s->next.at);
    vec_free(m, &s->extended.at);
    memo_free(&s->seen_next, m);
    memo_free(&s->seen_extended, m);
    value_table_free(m, &s->keys);
    mem_free(m, s);
}

/* ---- hooks ---- */

void levels_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct levels *s = state;
    for (uint32_t i = 0; s->keys.slots && i <= s->keys.mask; i++)
        if (s->keys.slots[i].id != ID_NONE)
            visit(arg, (struct value){s->keys.slots[i].bits, s->keys.slots[i].kind});
    visit(arg, s->wrong.arg);
    visit(arg, s->wrong.result);
}

uint64_t levels_live(const void *state)
{
    const struct levels *s = state;
    return s->keys.n;
}

const char *levels_weakened(const void *state)
{
    const struct levels *s = state;
    return s->weakened ? "more than 64 operations were open at once on one value" : NULL;
}

/* ---- reports ---- */

void levels_explain(void *state, struct online_fault *out, struct mem *m)
{
    struct levels *s = state;
    const struct level *l = s->all.at[s->wrong_level];
    const struct configs *before = l->branching ? &s->next : &l->now; /* branch() puts the old ones there */
    unsigned wrong = fault_op(out, m, &s->wrong);
    out->step = s->wrong.returned;
    text_puts(&out->why, "when what had to take effect before has done so, ");
    for (uint32_t k = 0; k < before->at.n && k < 3; k++) {
        text_puts(&out->why, k ? ", or " : "");
        s->object->say(&out->why, before->at.at[k].level);
    }
    text_char(&out->why, '\n');
    const char *joint = "still open are ";
    for (uint64_t left = l->busy; left; left &= left - 1) {
        int i = __builtin_ctzll(left);
        bool done = true;
        for (uint32_t k = 0; k < before->at.n; k++)
            done &= before->at.at[k].done >> i & 1;
        if (done || l->op[i].called == s->wrong.called || l->role[i].kind == LEVEL_TEST)
            continue;
        text_printf(&out->why, "%s{%u}", joint, fault_op(out, m, &l->op[i]));
        joint = ", ";
    }
    text_puts(&out->why, joint[0] == ',' ? "\n" : "no other operation that could change this is open\n");
    text_printf(&out->why, "{%u} returned, but in no order of these could it have taken effect\n", wrong);
}
