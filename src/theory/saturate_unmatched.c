/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is to be found (set, lock, semaphore, exchanger): fragments (fragment.h) of a few
 * operations.
 *
 * Idea. Operations with different values of a set are independent. So each value has a fragment of its own, and only
 * while several of its operations overlap; other operations are judged one by one. A lock, a semaphore and an exchanger
 * have one fragment.
 *
 * Removal ("+r"). An operation is settled when all that were open when it returned have returned.
 *   Sets: let x be settled, change the value, and let all others that change it be ordered with respect to x. Then x
 *   and the operations before it can be replaced by the state that x leaves. Later operations find x or an operation
 *   after x. Settled operations that change nothing may be dropped anyway. If a fragment outgrows a word without such
 *   an x, its value is not followed until none of its operations is open.
 *   Locks, semaphores: operations that returned before all open calls were called count the same for these and for all
 *   later ones. So they are replaced by their sum. Operations that returned since and overlap them are still counted,
 *   but not judged again. With tags, an adder and the remover that named it go together. The rest is a history of its
 *   own, except that a failed attempt may have met them. When a remover names none, tags are forgotten, and sums take
 *   over; so they do where a sum has a holder.
 *   Exchangers: two that are certainly partners go together; one without a partner goes at once. */
#include "theory/saturate.h"

#include "history/value_map.h"
#include "theory/fragment.h"

enum { FEW_MOST = 64 }; /* operations of one value of a set, with removal */

enum state { STATE_AWAY, STATE_THERE, STATE_UNKNOWN };

struct key { /* a value of a set; or all there is */
    struct value value;
    enum state state;  /* while there is no fragment */
    uint32_t fragment; /* or ID_NONE */
    uint32_t lone;     /* the slot of the one open call while there is no fragment, or ID_NONE */
    uint32_t skipped;  /* open calls of a value that is not followed */
    bool lost;         /* it is not followed */
};

struct unmatched_call {
    uint64_t called;
    struct value arg;
    unsigned method;
    uint32_t key, at; /* at: in the key's fragment; ID_NONE: not there */
};

struct unmatched {
    const struct theory *theory;
    struct online_setup setup;
    struct mem *mem;
    bool removal;
    bool names_tags; /* all removers that returned named their values; before the first one, adders have values */
    bool unnamed;    /* some did not, and operations have been replaced by their sum: tags say nothing any more */
    VEC(struct unmatched_call) calls; /* by slot */
    VEC(struct key) keys;
    VEC(uint32_t) free_keys;
    VEC(struct fragment) fragments;
    VEC(uint32_t) free_fragments;
    struct value_map map; /* value -> key */
    uint32_t open_n;
    uint32_t faulty;          /* key */
    struct online_op culprit; /* alone with a state that it contradicts; called 0: the fragment has the contradiction */
    uint64_t fault_step;
};

/* ---- keys and fragments ---- */

static uint32_t new_key(struct unmatched *f, struct value v)
{
    uint32_t k = f->free_keys.n ? vec_pop(&f->free_keys) : f->keys.n;
    if (k == f->keys.n)
        vec_push(f->mem, &f->keys, (struct key){0});
    f->keys.at[k] = (struct key){.value = v, .fragment = ID_NONE, .lone = ID_NONE};
    if (f->theory->by_value)
        *value_map_at(f->mem, &f->map, v) = k;
    return k;
}

static void free_key_if_idle(struct unmatched *f, uint32_t k)
{
    struct key *key = &f->keys.at[k];
    if (!f->theory->by_value || key->state != STATE_AWAY || key->fragment != ID_NONE || key->lone != ID_NONE ||
        key->lost)
        return;
    value_map_drop(f->mem, &f->map, key->value);
    key->value.kind = ASSAY_NONE;
    vec_push(f->mem, &f->free_keys, k);
}

static struct fragment *give_world(struct unmatched *f, struct key *key)
{
    if (f->free_fragments.n) {
        key->fragment = vec_pop(&f->free_fragments);
    } else {
        key->fragment = f->fragments.n;
        vec_push(f->mem, &f->fragments, (struct fragment){0});
        fragment_open(&vec_last(&f->fragments), f->theory, &f->setup);
    }
    struct fragment *u = &f->fragments.at[key->fragment];
    if (key->state == STATE_THERE)
        fragment_hold(u, key->value, true);
    return u;
}

/* The fragment must be empty but for the value's state. */
static void take_world(struct unmatched *f, struct key *key, enum state state)
{
    struct fragment *u = &f->fragments.at[key->fragment];
    for (uint32_t i = 0; i < u->cap && u->live; i++)
        if (bitset_has(u->taken, i))
            fragment_drop(u, i);
    vec_push(f->mem, &f->free_fragments, key->fragment);
    key->fragment = ID_NONE;
    key->state = state;
}

/* ---- removal ---- */

static bool is_forgettable(const struct fragment *u, uint32_t i, uint64_t oldest)
{
    return bitset_has(u->returned, i) && u->op[i].op.returned < oldest;
}

static bool changes(const struct fragment *u, uint32_t i)
{
    return u->op[i].roles & (ROLE_ADD | ROLE_REMOVE);
}

/* Can the fragment begin behind x? */
static bool divides(const struct fragment *u, uint32_t x, uint64_t oldest)
{
    const uint64_t *before = fragment_row(u, u->pred, x), *after = fragment_row(u, u->succ, x);
    for (uint32_t i = 0; i < u->cap; i++)
        if (bitset_has(u->taken, i) && i != x && !bitset_has(before, i) && !bitset_has(after, i) &&
            (changes(u, i) || !is_forgettable(u, i, oldest)))
            return false;
    return true;
}

static void begin_behind(struct fragment *u, uint32_t x)
{
    const uint64_t *after = fragment_row(u, u->succ, x);
    for (uint32_t i = 0; i < u->cap; i++)
        if (bitset_has(u->taken, i) && i != x && !bitset_has(after, i))
            fragment_drop(u, i);
    if (u->op[x].roles & ROLE_ADD)
        u->op[x].roles = ROLE_ADD; /* its match is no longer asked for */
    else
        fragment_drop(u, x);
}

/* Is there nothing but a state? */
static bool quiet(const struct fragment *u, enum state *state)
{
    *state = STATE_AWAY;
    for (uint32_t i = 0; i < u->cap && u->live; i++)
        if (bitset_has(u->taken, i)) {
            if (u->live > 1 || u->op[i].roles != ROLE_ADD || !bitset_has(u->returned, i))
                return false;
            *state = STATE_THERE;
        }
    return true;
}

static void lose_value(struct unmatched *f, uint32_t k)
{
    struct key *key = &f->keys.at[k];
    for (uint32_t s = 0; s < f->calls.n; s++)
        if (f->calls.at[s].called && f->calls.at[s].key == k) {
            f->calls.at[s].at = ID_NONE;
            key->skipped++;
        }
    take_world(f, key, STATE_UNKNOWN);
    key->lost = key->skipped > 0;
}

static void remove_from_set(struct unmatched *f, uint32_t k)
{
    struct key *key = &f->keys.at[k];
    struct fragment *u = &f->fragments.at[key->fragment];
    uint64_t oldest = fragment_oldest(u);
    for (uint32_t i = 0; i < u->cap; i++)
        if (changes(u, i) && is_forgettable(u, i, oldest) && divides(u, i, oldest))
            begin_behind(u, i);
    enum state state;
    if (quiet(u, &state))
        take_world(f, key, state);
    else if (u->live >= FEW_MOST)
        lose_value(f, k);
}

static uint32_t only_match(const struct fragment *u, uint32_t i)
{
    const uint64_t *may = fragment_row(u, u->may, i);
    return bitset_has(u->returned, i) && bitset_count(may, u->cap) == 1 ? (uint32_t)bitset_next(may, u->cap, 0)
                                                                        : ID_NONE;
}

/* A failed attempt may have met the holder that is forgotten now. */
static void doubt_failures(struct fragment *u, uint32_t remover)
{
    for (uint32_t k = 0; k < u->cap; k++)
        if (bitset_has(u->taken, k) && (u->op[k].roles & ROLE_SEE) && !bitset_has(fragment_row(u, u->pred, k), remover))
            u->op[k].unchecked = true;
}

static void remove_matched(struct fragment *u)
{
    uint64_t oldest = fragment_oldest(u);
    for (uint32_t i = 0; i < u->cap; i++) {
        if (!bitset_has(u->taken, i) || !is_forgettable(u, i, oldest))
            continue;
        uint32_t adder = u->op[i].roles & ROLE_REMOVE ? only_match(u, i) : ID_NONE;
        if (adder != ID_NONE && is_forgettable(u, adder, oldest)) {
            doubt_failures(u, i);
            fragment_drop(u, adder);
            fragment_drop(u, i);
        } else if (!changes(u, i)) {
            fragment_drop(u, i);
        }
    }
}

static void remove_counted(struct fragment *u)
{
    uint64_t oldest = fragment_oldest(u);
    for (uint32_t i = 0; i < u->cap; i++) {
        if (!is_forgettable(u, i, oldest))
            continue;
        for (uint32_t k = 0; k < u->cap; k++)
            if (bitset_has(u->taken, k) && k != i && !is_forgettable(u, k, oldest) &&
                !bitset_has(fragment_row(u, u->pred, k), i))
                u->op[k].unchecked = true;
    }
    for (uint32_t i = 0; i < u->cap; i++)
        if (is_forgettable(u, i, oldest)) {
            u->level += u->op[i].roles & ROLE_ADD ? 1 : u->op[i].roles & ROLE_REMOVE ? -1 : 0;
            fragment_drop(u, i);
        }
}

static void remove_swapped(struct fragment *u)
{
    bool open = fragment_oldest(u) != ONLINE_NEVER;
    for (uint32_t i = 0; i < u->cap; i++) {
        if (!bitset_has(u->returned, i))
            continue;
        uint32_t other = only_match(u, i);
        if (!open || !(u->op[i].roles & ROLE_SWAP)) {
            fragment_drop(u, i);
        } else if (other != ID_NONE && only_match(u, other) == i) {
            fragment_drop(u, i);
            fragment_drop(u, other);
        }
    }
}

static void forget_operations(struct unmatched *f, uint32_t k)
{
    struct fragment *u = &f->fragments.at[f->keys.at[k].fragment];
    if (f->theory->by_value)
        remove_from_set(f, k);
    else if (f->theory->interval)
        remove_swapped(u);
    else if (f->names_tags)
        remove_matched(u);
    else
        remove_counted(u);
}

/* ---- events ---- */

static uint32_t key_of(struct unmatched *f, struct value v)
{
    if (!f->theory->by_value)
        return 0;
    uint32_t key = value_map_get(&f->map, v);
    return key != ID_NONE ? key : new_key(f, v);
}

static void enter(struct unmatched *f, struct fragment *u, uint32_t slot)
{
    struct unmatched_call *c = &f->calls.at[slot];
    c->at = fragment_call(u, c->called, c->method, c->arg);
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct unmatched *f = state;
    struct value arg = arity ? args[0] : (struct value){0};
    while (slot >= f->calls.n)
        vec_push(f->mem, &f->calls, (struct unmatched_call){0});
    uint32_t k = key_of(f, arg);
    struct key *key = &f->keys.at[k];
    f->calls.at[slot] = (struct unmatched_call){step, arg, method, k, ID_NONE};
    f->open_n++;
    if (key->lost) {
        key->skipped++;
    } else if (key->fragment != ID_NONE) {
        enter(f, &f->fragments.at[key->fragment], slot);
    } else if (key->lone == ID_NONE && f->removal && f->theory->by_value) {
        key->lone = slot;
    } else if (key->state == STATE_UNKNOWN) { /* nothing follows from it until it is quiet again */
        key->lost = true;
        key->skipped = 1 + (key->lone != ID_NONE);
        key->lone = ID_NONE;
    } else {
        struct fragment *u = give_world(f, key);
        if (key->lone != ID_NONE)
            enter(f, u, key->lone);
        key->lone = ID_NONE;
        enter(f, u, slot);
    }
}

/* An operation that no other overlaps. */
static bool return_alone(struct unmatched *f, struct key *key, const struct unmatched_call *c, uint64_t step,
                         struct value result)
{
    const struct call_label *l = call_label_of(f->theory->labels, c->method, online_outcome(result));
    unsigned roles = l ? l->roles : 0;
    key->lone = ID_NONE;
    if (!roles || ((roles & ROLE_SEE) && key->state == STATE_AWAY) ||
        ((roles & ROLE_MISS) && key->state == STATE_THERE)) {
        f->culprit = (struct online_op){c->called, step, c->method, c->arg, result};
        return false;
    }
    if (roles & (ROLE_ADD | ROLE_SEE))
        key->state = STATE_THERE;
    if (roles & (ROLE_REMOVE | ROLE_MISS) && !(roles & ROLE_ADD))
        key->state = STATE_AWAY;
    return true;
}

/* Before the first remover, adders with tags say that tags are used. */
static void note_tags(struct unmatched *f, const struct unmatched_call *c, struct value result)
{
    const struct call_label *l = call_label_of(f->theory->labels, c->method, online_outcome(result));
    if (!l || l->value == VALUE_NONE || f->theory->by_value || f->theory->interval)
        return;
    bool names = call_label_value(l, c->arg, result).kind != ASSAY_NONE;
    struct fragment *u = &f->fragments.at[f->keys.at[c->key].fragment];
    f->unnamed |= (!names && (l->roles & ROLE_REMOVE)) || (names && u->level);
    f->names_tags = !f->unnamed && (f->names_tags || names);
    u->unnamed = f->unnamed;
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct unmatched *f = state;
    struct unmatched_call c = f->calls.at[slot];
    struct key *key = &f->keys.at[c.key];
    f->calls.at[slot].called = 0;
    f->open_n--;
    f->faulty = c.key;
    f->fault_step = step;
    if (key->lost) {
        key->lost = --key->skipped > 0;
    } else if (c.at == ID_NONE) {
        if (!return_alone(f, key, &c, step, result))
            return false;
    } else {
        if (f->removal)
            note_tags(f, &c, result);
        if (!fragment_return(&f->fragments.at[key->fragment], c.at, step, result))
            return false;
        if (f->removal)
            forget_operations(f, c.key);
    }
    free_key_if_idle(f, c.key);
    return true;
}

static void *open_unmatched(const struct online_setup *s)
{
    struct unmatched *f = mem_new_zero(s->mem, struct unmatched, 1);
    const struct theory *t = online_theory(s->spec);
    f->theory = t;
    f->setup = *s;
    f->mem = s->mem;
    f->removal = s->variant && (!theory_of_spec(s->spec) || theory_is_built_in(t));
    size_t n = online_initials(t, &s->setting);
    for (size_t i = 0; i < n && t->by_value; i++) {
        uint32_t k = key_of(f, online_initial(&s->setting, i));
        f->keys.at[k].state = STATE_THERE;
    }
    if (!t->by_value) {
        uint32_t all = new_key(f, (struct value){0});
        struct fragment *u = give_world(f, &f->keys.at[all]);
        while (n-- > 0) /* from the last: each comes before the others */
            fragment_hold(u, online_initial(&s->setting, n), t->initial == INITIAL_SEQUENCE);
    }
    return f;
}

static void close_unmatched(void *state)
{
    struct unmatched *f = state;
    struct mem *m = f->mem;
    for (uint32_t i = 0; i < f->fragments.n; i++)
        fragment_close(&f->fragments.at[i]);
    vec_free(m, &f->calls);
    vec_free(m, &f->keys);
    vec_free(m, &f->free_keys);
    vec_free(m, &f->fragments);
    vec_free(m, &f->free_fragments);
    value_map_free(m, &f->map);
    mem_free(m, f);
}

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    const struct unmatched *f = state;
    out->step = f->fault_step;
    out->why = text_in(m);
    if (f->culprit.called) {
        vec_push(m, &out->ops, f->culprit);
        text_puts(&out->why, f->keys.at[f->faulty].state == STATE_THERE ? "{0} did not find what was there\n"
                                                                        : "{0} found what was not there\n");
    } else {
        fragment_explain(&f->fragments.at[f->keys.at[f->faulty].fragment], out, m);
    }
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct unmatched *f = state;
    for (uint32_t k = 0; k < f->keys.n; k++)
        if (f->keys.at[k].value.kind)
            visit(arg, f->keys.at[k].value);
    for (uint32_t i = 0; i < f->fragments.n && f->theory->interval; i++)
        for (uint32_t k = 0; k < f->fragments.at[i].cap; k++)
            if (bitset_has(f->fragments.at[i].taken, k)) {
                visit(arg, f->fragments.at[i].op[k].op.arg);
                visit(arg, f->fragments.at[i].op[k].op.result);
            }
}

static uint64_t live(const void *state)
{
    const struct unmatched *f = state;
    uint64_t n = f->open_n;
    for (uint32_t i = 0; i < f->fragments.n; i++)
        n += bitset_count(f->fragments.at[i].returned, f->fragments.at[i].cap);
    return n;
}

const struct online saturate_unmatched = {
    .open = open_unmatched,
    .close = close_unmatched,
    .call = call,
    .ret = ret,
    .explain = explain,
    .each_value = each_value,
    .live = live,
};
