/* SPDX-License-Identifier: Apache-2.0 */
/* Levels (level.h) of live histories.
 *
 * A level is followed by its configurations (level_configs.h).
 *
 * Forgetting. A level with one configuration and no open operation is kept as a number. If this number is 0, which
 * every key has by default, the level is not kept at all.
 *
 * An unknown content (online_setup.attached). Below a top that is not too high, a level starts with one configuration
 * for each number up to the top. So a violation is one for every content. Without such a top it is given up at first.
 * It is known after a test that overlapped no other operation on it, and that one number alone passes. An operation
 * that was open at the start may have moved the level before. So the level is given up until all operations on it have
 * returned. That a key has level 0 is remembered then, for at most ABSENT keys. */
#include "scan/level_configs.h"

#include "base/bitset.h"
#include "history/value_map.h"
#include "scan/fault.h"

#include <string.h>

enum { RECENT = 64 };
enum { ABSENT = 1 << 16 };
#define AT_REST 0x80000000u /* in the table of keys: the other bits are the level itself */

struct levels {
    const struct level_object *object;
    struct level_space in;
    int64_t start;
    struct value_map keys;   /* keys with a level in `all`, or at rest above 0 */
    VEC(struct level *) all; /* levels in use or free */
    VEC(uint32_t) free;
    uint64_t attached; /* as in online_setup */
    uint32_t absent;   /* keys in `keys` that are at rest at 0 */
    bool weakened;
    bool named; /* some call returned the tag of the one that it releases: the level does not tell who holds it */
    struct online_op recent[RECENT]; /* for reports: moves that returned, by a hash of the key */
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
        vec_push(s->in.mem, &s->all, NULL);
        s->all.at[x] = mem_new_zero(s->in.mem, struct level, 1);
    }
    struct level *l = s->all.at[x];
    l->key = key;
    l->busy = (struct places){{0}};
    l->words = l->open = 0;
    l->branching = l->given_up = false;
    configs_clear(&l->now);
    vec_push(s->in.mem, &l->now.at, ((struct config){.level = at}));
    return x;
}

/* The level may be any number from 0 to the top. False: it is given up, since there is no such top. */
static bool make_unknown(struct levels *s, struct level *l)
{
    l->given_up = s->in.top > LEVEL_MOST_OPEN;
    if (l->given_up)
        return false;
    l->branching = true;
    configs_clear(&l->now);
    for (int64_t level = 0; level <= s->in.top; level++)
        configs_add(&s->in, &l->now, &(struct config){.level = level});
    return true;
}

static uint32_t unknown_level(struct levels *s, struct value key)
{
    uint32_t x = new_level(s, key, 0);
    make_unknown(s, s->all.at[x]);
    return x;
}

static uint32_t find_level(struct levels *s, struct value arg)
{
    if (!s->object->keyed)
        return 0;
    uint32_t *at = value_map_at(s->in.mem, &s->keys, arg);
    if (*at == ID_NONE && s->attached)
        *at = unknown_level(s, arg);
    if (*at == ID_NONE || *at & AT_REST) {
        s->absent -= *at == AT_REST;
        *at = new_level(s, arg, *at == ID_NONE ? 0 : (int64_t)(*at & ~AT_REST));
    }
    return *at;
}

struct absent_keys {
    const struct levels *of;
    VEC(struct value) all;
};

static void note_absent(void *arg, struct value v)
{
    struct absent_keys *keys = arg;
    if (value_map_get(&keys->of->keys, v) == AT_REST)
        vec_push(keys->of->in.mem, &keys->all, v);
}

/* Keys at level 0 are unknown again. */
static void forget_absent(struct levels *s)
{
    struct absent_keys keys = {.of = s};
    value_map_each(&s->keys, note_absent, &keys);
    for (uint32_t i = 0; i < keys.all.n; i++)
        value_map_drop(s->in.mem, &s->keys, keys.all.at[i]);
    vec_free(s->in.mem, &keys.all);
    s->absent = 0;
}

/* Keeps the level as a number if possible: no operation is open on it. */
static void rest(struct levels *s, uint32_t x)
{
    struct level *l = s->all.at[x];
    if (l->now.at.n != 1 || l->given_up)
        return;
    l->branching = false;
    int64_t level = l->now.at.at[0].level;
    if (!s->object->keyed || level >= (int64_t)(AT_REST - 1))
        return;
    if (level || s->attached)
        *value_map_at(s->in.mem, &s->keys, l->key) = AT_REST | (uint32_t)level;
    else
        value_map_drop(s->in.mem, &s->keys, l->key);
    vec_push(s->in.mem, &s->free, x);
    s->absent += s->attached && !level;
    if (s->absent > ABSENT)
        forget_absent(s);
}

/* ---- events ---- */

/* Can one configuration be too few once an operation of this role is open? */
static bool leaves_a_choice(const struct levels *s, const struct level_role *r)
{
    if (r->kind == LEVEL_TEST)
        return s->in.top > 1 && !(r->low == 1 && r->high == LEVEL_NO_TOP) && r->low <= r->high;
    return r->kind == LEVEL_UP_IF || r->kind == LEVEL_DOWN_IF;
}

/* The level has no room for one more open operation. */
static void give_up(struct levels *s, struct level *l)
{
    l->given_up = s->weakened = true;
}

/* The test that returned last overlapped no other operation. Does one number alone pass it? Then that is the level. */
static bool learn(struct levels *s, struct level *l, const struct level_role *test)
{
    l->given_up = test->kind != LEVEL_TEST || test->low != test->high;
    if (l->given_up)
        return false;
    configs_clear(&l->now);
    configs_add(&s->in, &l->now, &(struct config){.level = test->low});
    return true;
}

/* All operations on a level that was given up have returned, the last one with this role. */
static void resume(struct levels *s, uint32_t x, const struct level_role *last)
{
    struct level *l = s->all.at[x];
    l->busy = (struct places){{0}};
    if (!make_unknown(s, l) && l->alone && s->attached && learn(s, l, last))
        rest(s, x);
}

static uint32_t free_place(struct level *l)
{
    for (uint32_t w = 0; w < LEVEL_WORDS; w++)
        if (~l->busy.word[w]) {
            l->words = w < l->words ? l->words : w + 1;
            return 64 * w + (uint32_t)__builtin_ctzll(~l->busy.word[w]);
        }
    return ID_NONE;
}

static enum level_answer answer_of(struct value v)
{
    return v.kind == ASSAY_NONE         ? LEVEL_NO_ANSWER
           : v.kind == ASSAY_INT        ? LEVEL_NUMBER
           : online_is(v, ONLINE_TRUE)  ? LEVEL_TRUE
           : online_is(v, ONLINE_FALSE) ? LEVEL_FALSE
                                        : LEVEL_OTHER;
}

static struct level_role role_of(const struct levels *s, const struct online_op *op)
{
    struct level_op o = {op->method, answer_of(op->result), op->result.bits, op->returned == ONLINE_NEVER};
    return s->object->role(&o, s->in.top);
}

bool level_scan_call(void *state, struct scan_op *o)
{
    struct levels *s = state;
    uint32_t x = find_level(s, o->op.arg);
    s->named |= s->object->tagged && s->object->tagged(&o->op);
    struct level *l = s->all.at[x];
    o->mark = x * LEVEL_MOST_OPEN;
    l->open++;
    l->alone = l->open == 1 && o->op.called >= s->attached;
    l->given_up |= o->op.called < s->attached;
    if (l->given_up)
        return true;
    uint32_t i = free_place(l);
    if (i == ID_NONE) {
        give_up(s, l);
        return true;
    }
    o->mark += i;
    l->op[i] = o->op;
    l->role[i] = role_of(s, &o->op);
    l->branching |= leaves_a_choice(s, &l->role[i]);
    bitset_add(l->busy.word, i);
    if (l->role[i].kind == LEVEL_TEST)
        for (uint32_t k = 0; k < l->now.at.n; k++)
            if (level_passes(&l->role[i], l->now.at.at[k].level))
                bitset_add(l->now.at.at[k].done.word, i);
    return true;
}

/* The hash has no key of this process: reports are the same in all processes. */
static struct online_op *recent_move(struct levels *s, struct value key)
{
    return &s->recent[hash_mix((uint64_t)key.bits) % RECENT];
}

bool level_scan_ret(void *state, struct scan_op *o)
{
    struct levels *s = state;
    if (o->op.returned == ONLINE_NEVER)
        return true;
    uint32_t x = o->mark / LEVEL_MOST_OPEN, i = o->mark % LEVEL_MOST_OPEN;
    struct level *l = s->all.at[x];
    l->open--;
    if (l->given_up) {
        struct level_role role = role_of(s, &o->op);
        if (!l->open)
            resume(s, x, &role);
        return true;
    }
    if (!level_linearize(&s->in, l, i)) {
        s->wrong = o->op;
        s->wrong_level = x;
        return false;
    }
    for (uint32_t k = 0; k < l->now.at.n; k++)
        bitset_remove(l->now.at.at[k].done.word, i);
    bitset_remove(l->busy.word, i);
    if (l->role[i].kind != LEVEL_TEST)
        *recent_move(s, o->op.arg) = o->op;
    if (!l->open)
        rest(s, x);
    return true;
}

bool level_scan_pending(void *state, const struct online_op *op)
{
    struct levels *s = state;
    return s->object->role(&(struct level_op){.method = op->method, .pending = true}, s->in.top).kind != LEVEL_NOTHING;
}

bool level_scan_is_empty(const void *state)
{
    const struct levels *s = state;
    if (s->object->keyed || s->named || s->weakened)
        return false;
    const struct level *l = s->all.at[0];
    return !l->open && l->now.at.n == 1 && l->now.at.at[0].level == s->start;
}

/* ---- opening and closing ---- */

void *level_scan_open(const struct level_object *o, const struct online_setup *setup, int64_t start, int64_t top)
{
    struct levels *s = mem_new_zero(setup->mem, struct levels, 1);
    s->object = o;
    s->in.mem = setup->mem;
    s->in.budget = setup->budget;
    s->start = start;
    s->in.top = top;
    s->attached = setup->attached;
    if (!o->keyed) {
        uint32_t x = new_level(s, (struct value){0}, start);
        if (s->attached)
            make_unknown(s, s->all.at[x]);
        return s;
    }
    for (size_t i = 0; i < setup->setting.init_count; i++) {
        uint32_t *at = value_map_at(s->in.mem, &s->keys, value_internal(setup->setting.init[i].value));
        *at = *at == ID_NONE ? AT_REST | 1 : *at - AT_REST < top ? *at + 1 : *at;
    }
    return s;
}

bool level_scan_attaches(const struct online_setup *setup)
{
    (void)setup;
    return true;
}

void level_scan_close(void *state)
{
    struct levels *s = state;
    struct mem *m = s->in.mem;
    for (uint32_t x = 0; x < s->all.n; x++) {
        configs_free(m, &s->all.at[x]->now);
        mem_free(m, s->all.at[x]);
    }
    vec_free(m, &s->all);
    vec_free(m, &s->free);
    configs_free(m, &s->in.next);
    configs_free(m, &s->in.extended);
    value_map_free(m, &s->keys);
    mem_free(m, s);
}

/* ---- hooks ---- */

void level_scan_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct levels *s = state;
    for (uint32_t i = 0; s->keys.slots && i <= s->keys.mask; i++)
        if (s->keys.slots[i].id != ID_NONE)
            visit(arg, (struct value){s->keys.slots[i].bits, s->keys.slots[i].kind});
    for (uint32_t i = 0; i < RECENT; i++)
        visit(arg, s->recent[i].arg);
    visit(arg, s->wrong.arg);
    visit(arg, s->wrong.result);
}

uint64_t level_scan_live(const void *state)
{
    const struct levels *s = state;
    return s->keys.n;
}

const char *level_scan_weakened(const void *state)
{
    const struct levels *s = state;
    if (s->named)
        return "releases name their holders by tags";
    return s->weakened ? "more than 256 operations were open at once on one value" : NULL;
}

static void image_level(struct image *x, struct levels *s, struct level *l)
{
    image_plain(x, &l->key);
    image_plain(x, &l->busy);
    image_plain(x, &l->words);
    image_plain(x, &l->open);
    image_plain(x, &l->branching);
    image_plain(x, &l->given_up);
    image_plain(x, &l->alone);
    BITSET_EACH (at, w, l->words, l->busy.word[w]) {
        image_plain(x, &l->op[at]);
        image_plain(x, &l->role[at]);
    }
    uint32_t n = image_count(x, l->now.at.n, sizeof(struct config));
    if (x->loads)
        configs_clear(&l->now);
    for (uint32_t i = 0; i < n; i++) {
        struct config c = {0};
        if (!x->loads)
            c = l->now.at.at[i];
        image_plain(x, &c);
        if (x->loads)
            configs_add(&s->in, &l->now, &c);
    }
}

void level_scan_image(void *state, struct image *x)
{
    struct levels *s = state;
    value_map_image(x, s->in.mem, &s->keys);
    uint32_t n = image_count(x, s->all.n, sizeof(struct value));
    while (x->loads && s->all.n < n) {
        vec_push(s->in.mem, &s->all, NULL);
        vec_last(&s->all) = mem_new_zero(s->in.mem, struct level, 1);
    }
    for (uint32_t i = 0; i < n; i++)
        image_level(x, s, s->all.at[i]);
    image_vec(x, s->in.mem, &s->free);
    image_plain(x, &s->attached);
    image_plain(x, &s->absent);
    image_plain(x, &s->weakened);
    image_plain(x, &s->named);
    image_plain(x, &s->recent);
}

/* ---- reports ---- */

void level_scan_explain(void *state, struct online_fault *out, struct mem *m)
{
    struct levels *s = state;
    const struct level *l = s->all.at[s->wrong_level];
    const struct configs *before = l->branching ? &s->in.next
                                                : &l->now; /* level_linearize puts the old configurations there */
    unsigned wrong = fault_op(out, m, &s->wrong);
    out->step = s->wrong.returned;
    text_puts(&out->why, "when what had to take effect before has done so, ");
    for (uint32_t k = 0; k < before->at.n && k < 3; k++) {
        text_puts(&out->why, k ? ", or " : "");
        s->object->say(&out->why, before->at.at[k].level);
    }
    text_char(&out->why, '\n');
    const struct online_op *recent = recent_move(s, s->wrong.arg);
    if (recent->called && value_same(recent->arg, s->wrong.arg))
        text_printf(&out->why, "the last that changed it and returned is {%u}\n", fault_op(out, m, recent));
    const char *joint = "still open are ";
    for (uint32_t i = 0; i < 64 * l->words; i++) {
        bool counts = bitset_has(l->busy.word, i) && l->role[i].kind != LEVEL_TEST &&
                      l->op[i].called != s->wrong.called;
        if (!counts || configs_all_did(before, i))
            continue;
        text_printf(&out->why, "%s{%u}", joint, fault_op(out, m, &l->op[i]));
        joint = ", ";
    }
    text_puts(&out->why, joint[0] == ',' ? "\n" : "no other operation that could change this is open\n");
    text_printf(&out->why, "{%u} returned, but in no order of these could it have taken effect\n", wrong);
}
