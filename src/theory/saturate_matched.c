/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is known: queue, stack, pqueue, register. This file turns events into operations that
 * take part. saturate_matched_facts.c derives which operation must precede which; saturate_matched_nodes.c has the
 * operations.
 *
 * Taking part. An operation takes part once it has returned; an adder also when its value has been found. A value that
 * no operation removed has, as long as that is possible, an unknown remover. When every remove that was open at the
 * return of x has returned, x is closed. An operation that removes the value later comes after x, so before(remover, x)
 * is false. When every operation that was open then has returned, x is settled.
 *
 * Invariant. Between events no clause is unit or false. The rows of active nodes are closed (those of the base together
 * with `late`). The set of operations that precede an open call is kept with it, closed as well. So an operation can be
 * dropped without losing a fact between the others.
 *
 * Removal ("+r"). A history without a match (all operations of a value) is admitted if the whole is. So dropping a
 * match cannot make a violation; dropping it too early loses some. A pair goes when its adder and its remover are
 * settled and everything has been derived. An operation that found nothing, or saw a value in a collection, goes when
 * it is settled. Where values are overwritten, a value goes with all its observations when a later adder is settled. Of
 * two successive observations of the same value the first has no further consequences, and goes at once.
 *
 * Ambiguous values. Values are meant to be distinct. A value may be added again when its remover has returned: the
 * matching is clear then. If it is added earlier, the matching is ambiguous, and the value is ignored with all its
 * operations. This ends when as many copies have been removed as were added (or all have been overwritten).
 *
 * Cost: O(c / 64 + derived facts) words per event for c live operations; nothing is allocated unless c grows. Source:
 * Emmi et al., PLDI 2015, section 6 (SATURATE). Closing is this file's treatment of values that are not
 * removed. */
#include "theory/saturate_matched_private.h"

#include <string.h>

/* ---- values that cannot be told apart ---- */

static struct ambiguous_value *find_ambiguous(struct matched *p, struct value v)
{
    uint32_t at = p->ambiguity_of.n ? value_map_get(&p->ambiguity_of, v) : ID_NONE;
    return at != ID_NONE ? &p->ambiguous.at[at] : NULL;
}

static void end_ambiguity(struct matched *p, struct ambiguous_value *s)
{
    uint32_t at = (uint32_t)(s - p->ambiguous.at);
    value_map_drop(p->mem, &p->ambiguity_of, s->value);
    *s = vec_last(&p->ambiguous);
    if (at != --p->ambiguous.n)
        *value_map_at(p->mem, &p->ambiguity_of, s->value) = at;
}

/* Is the value gone, without an open call that may have found it? Where values are overwritten, another must have been
 * written since the last adder returned, and every open call must have come after that write. */
static bool ambiguity_over(const struct matched *p, const struct ambiguous_value *s)
{
    uint64_t oldest = p->oldest == ID_NONE ? ONLINE_NEVER : p->open.at[p->oldest].called;
    if (s->open || oldest < s->last)
        return false;
    if (!p->theory->overwrites)
        return s->added == s->removed;
    BITSET_EACH (at, i, p->w, p->active[i] & p->closed[i]) {
        const struct online_op *write = &p->op[at];
        if (write->called > s->last && write->returned < oldest)
            return true;
    }
    return false;
}

static void end_ambiguities(struct matched *p)
{
    for (uint32_t i = p->ambiguous.n; i-- > 0;)
        if (ambiguity_over(p, &p->ambiguous.at[i]))
            end_ambiguity(p, &p->ambiguous.at[i]);
}

/* All operations of the value so far are left out from now on. */
static struct ambiguous_value *begin_ambiguous(struct matched *p, uint32_t pair)
{
    struct ambiguous_value s = {.value = p->value[pair]};
    for (uint32_t o = p->oldest; o != ID_NONE; o = p->open.at[o].next)
        if (p->open.at[o].pair == pair) {
            p->open.at[o].pair = ID_NONE;
            s.open++;
        }
    s.added = !s.open;
    s.removed = bitset_has(p->active, p->cap + pair);
    s.last = s.added ? p->op[pair].returned : 0;
    matched_drop_pair(p, pair);
    if (p->ambiguous.n >= 16 && !(p->ambiguous.n & (p->ambiguous.n - 1)))
        end_ambiguities(p); /* where values are overwritten, only this shows the end of one */
    *value_map_at(p->mem, &p->ambiguity_of, s.value) = p->ambiguous.n;
    vec_push(p->mem, &p->ambiguous, s);
    return &vec_last(&p->ambiguous);
}

/* ---- events ---- */

static struct online_op op_of(const struct open_call *c, struct value result)
{
    return (struct online_op){c->called, ONLINE_NEVER, c->method, c->arg, result};
}

static uint32_t call_adder(struct matched *p, struct value v)
{
    struct ambiguous_value *s = find_ambiguous(p, v);
    if (s && ambiguity_over(p, s)) {
        end_ambiguity(p, s);
        s = NULL;
    }
    uint32_t old = value_map_get(&p->pairs, v);
    bool again = false;
    if (!s && old != ID_NONE) {
        again = !p->theory->overwrites && bitset_has(p->active, p->cap + old);
        if (!again)
            s = begin_ambiguous(p, old);
    }
    if (s) {
        s->open++;
        return ID_NONE;
    }
    uint32_t pair = matched_new_pair(p, v);
    *value_map_at(p->mem, &p->pairs, v) = pair;
    p->again[pair] = again;
    return pair;
}

static void call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct matched *p = state;
    struct value arg = arity ? args[0] : (struct value){0};
    if (slot >= p->open.n) {
        uint32_t old = p->open.n;
        vec_reserve(p->mem, &p->open, slot + 1 - old);
        memset(p->open.at + old, 0, (slot + 1 - old) * sizeof *p->open.at);
        p->open.n = slot + 1;
        p->open_past = mem_resize(p->mem, p->open_past,
                                  mem_product(p->open.n, matched_words(p) * sizeof *p->open_past));
    }
    const struct call_label *l = call_label_of(p->theory->labels, method, OUTCOME_NEVER);
    uint32_t pair = l && l->roles == ROLE_ADD ? call_adder(p, arg) : ID_NONE;
    p->open.at[slot] = (struct open_call){step, arg, method, pair, p->newest, ID_NONE, l && (l->roles & ROLE_REMOVE)};
    *(p->newest == ID_NONE ? &p->oldest : &p->open.at[p->newest].next) = slot;
    p->newest = slot;
    p->open_n++;
    memcpy(p->open_past + (size_t)slot * matched_words(p), p->past, matched_words(p) * sizeof *p->past);
}

static void close_call(struct matched *p, uint32_t slot)
{
    struct open_call *c = &p->open.at[slot];
    *(c->prev == ID_NONE ? &p->oldest : &p->open.at[c->prev].next) = c->next;
    *(c->next == ID_NONE ? &p->newest : &p->open.at[c->next].prev) = c->prev;
    p->open_n--;
}

static const uint64_t *past_of(const struct matched *p, uint32_t slot)
{
    return p->open_past + (size_t)slot * matched_words(p);
}

/* An adder that has not returned, but whose value was found. */
static void activate_open_adder(struct matched *p, uint32_t pair)
{
    for (uint32_t s = p->newest; s != ID_NONE; s = p->open.at[s].prev)
        if (p->open.at[s].pair == pair)
            matched_activate(p, pair, past_of(p, s), op_of(&p->open.at[s], (struct value){0}));
}

static bool return_adder(struct matched *p, uint32_t slot, uint64_t step)
{
    uint32_t pair = p->open.at[slot].pair;
    if (pair == ID_NONE) {
        struct ambiguous_value *s = find_ambiguous(p, p->open.at[slot].arg);
        s->open--;
        s->added++;
        s->last = step;
        return true;
    }
    if (!bitset_has(p->active, pair))
        matched_activate(p, pair, past_of(p, slot), op_of(&p->open.at[slot], (struct value){0}));
    matched_complete(p, pair, step);
    return true;
}

static bool fail_with(struct matched *p, enum fault f, struct online_op op, uint32_t twin)
{
    p->fault = f;
    p->culprit = op;
    p->twin = twin;
    return false;
}

/* The pair of a value that was found; ID_NONE: there is none, or the value is ignored (*ignored). */
static uint32_t find_pair(struct matched *p, struct value v, bool takes, uint64_t step, bool *ignored)
{
    struct ambiguous_value *s = find_ambiguous(p, v);
    uint32_t pair = s ? ID_NONE : value_map_get(&p->pairs, v);
    *ignored = s || (pair != ID_NONE && !takes && p->again[pair]);
    if (s && takes) {
        s->removed++;
        s->last = step;
        *ignored = s->removed <= s->added + s->open; /* for every matching, there were not more */
    }
    if (pair == ID_NONE || *ignored)
        return ID_NONE;
    if (!bitset_has(p->active, pair))
        activate_open_adder(p, pair);
    return pair;
}

static bool return_remover(struct matched *p, uint32_t slot, uint64_t step, struct online_op op)
{
    bool ignored;
    uint32_t pair = find_pair(p, op.result, true, step, &ignored), node = p->cap + pair;
    if (ignored)
        return true;
    if (pair == ID_NONE)
        return fail_with(p, FAULT_UNKNOWN, op, ID_NONE);
    if (bitset_has(p->active, node))
        return fail_with(p, FAULT_TWICE, op, node);
    matched_activate(p, node, past_of(p, slot), op);
    matched_complete(p, node, step);
    if (!matched_put_fact(p, (struct fact){pair, node, FACT_FOUND, node, pair}))
        return false;
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i]) {
        uint32_t see = 2 * p->cap + at;
        if (!matched_put_fact(p, (struct fact){see, node, FACT_SEEN, node, pair}))
            return false;
    }
    return true;
}

/* Earlier observations of the value have no further consequences. */
static void drop_earlier_seen(struct matched *p, uint32_t pair, uint32_t node)
{
    const uint64_t *before = matched_row(p, p->pred, node) + (size_t)2 * p->w;
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i] & before[i])
        matched_drop_other(p, 2 * p->cap + at);
}

static bool return_other(struct matched *p, uint32_t slot, uint64_t step, struct online_op op, bool sees)
{
    bool ignored;
    uint32_t pair = ID_NONE;
    if (sees) {
        pair = find_pair(p, op.result, false, step, &ignored);
        if (ignored)
            return true;
        if (pair == ID_NONE)
            return fail_with(p, FAULT_UNKNOWN, op, ID_NONE);
    }
    uint32_t i = matched_take_index(p, 1), node;
    if (sees) /* room may have been made: pairs have new indices */
        pair = value_map_get(&p->pairs, op.result);
    node = 2 * p->cap + i;
    p->pair_of[i] = pair;
    matched_activate(p, node, past_of(p, slot), op);
    matched_complete(p, node, step);
    if (!sees) {
        bitset_add(p->misses, i);
        p->miss_n++;
        return true;
    }
    bitset_add(p->sees + (size_t)pair * p->w, i);
    bitset_add(p->has_sees, pair);
    if (!matched_put_fact(p, (struct fact){pair, node, FACT_FOUND, node, pair}))
        return false;
    uint32_t remover = p->cap + pair;
    if (bitset_has(p->active, remover) && !matched_put_fact(p, (struct fact){node, remover, FACT_SEEN, remover, pair}))
        return false;
    if (p->removal && p->theory->overwrites)
        drop_earlier_seen(p, pair, node);
    return true;
}

/* ---- settling ---- */

/* All that returned before the limit is settled. */
static void forget_value(struct matched *p, uint32_t node, uint64_t limit)
{
    uint32_t i = node % p->cap;
    if (node >= 2 * p->cap) {
        if (!p->theory->overwrites)
            matched_drop_other(p, node);
    } else if (p->theory->overwrites) {
        BITSET_EACH (at, k, p->w, matched_row(p, p->pred, node)[k] & p->active[k])
            matched_drop_pair(p, at);
    } else if (bitset_has(p->active, p->cap + i) && p->op[i].returned < limit && p->op[p->cap + i].returned < limit) {
        matched_drop_pair(p, i);
    }
}

static uint64_t called_first(const struct matched *p, bool takes)
{
    uint32_t s = p->oldest;
    while (takes && s != ID_NONE && !p->open.at[s].takes)
        s = p->open.at[s].next;
    return s == ID_NONE ? UINT64_MAX : p->open.at[s].called;
}

/* No remove can come any more before operations that returned before the first open call that may remove. */
static bool close_returned(struct matched *p)
{
    bool finders = false;
    for (uint64_t limit = called_first(p, true); p->closed_n < p->settling.n; p->closed_n++) {
        struct settling *s = &ring_at(&p->settling, p->closed_n);
        if (s->returned > limit)
            break;
        if (s->node == ID_NONE || !bitset_has(p->active, s->node) || p->op[s->node].returned != s->returned) {
            s->node = ID_NONE; /* dropped earlier */
            continue;
        }
        bitset_add(p->closed, s->node);
        finders |= s->node >= p->cap;
        if (s->node >= 2 * p->cap ? !matched_apply_to_other(p, s->node, UNREMOVED_PAIRS)
                                  : s->node >= p->cap && !matched_apply_to_remover(p, s->node, UNREMOVED_PAIRS))
            return false;
    }
    return !finders || matched_saturate(p);
}

static void forget_values(struct matched *p)
{
    uint64_t limit = called_first(p, false);
    while (p->settling.n && ring_front(&p->settling).returned < limit) {
        struct settling s = ring_front(&p->settling);
        ring_drop(&p->settling);
        p->closed_n--;
        if (p->removal && s.node != ID_NONE && bitset_has(p->active, s.node) && p->op[s.node].returned == s.returned)
            forget_value(p, s.node, limit);
    }
}

static bool ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct matched *p = state;
    struct open_call *c = &p->open.at[slot];
    const struct call_label *l = call_label_of(p->theory->labels, c->method, online_outcome(result));
    struct online_op op = op_of(c, result);
    op.returned = step;
    p->fault_step = step;
    bool fine = !l                        ? fail_with(p, FAULT_IMPOSSIBLE, op, ID_NONE)
                : l->roles == ROLE_ADD    ? return_adder(p, slot, step)
                : l->roles == ROLE_REMOVE ? return_remover(p, slot, step, op)
                                          : return_other(p, slot, step, op, l->roles == ROLE_SEE);
    close_call(p, slot);
    if (!fine || !matched_saturate(p) || !close_returned(p))
        return false;
    forget_values(p);
    return true;
}

/* ---- opening and closing ---- */

static void add_initials(struct matched *p, const assay_setting *setting)
{
    size_t n = online_initials(p->theory, setting);
    for (size_t i = 0; i < n; i++) {
        struct value v = online_initial(setting, i);
        uint32_t pair = call_adder(p, v);
        if (pair == ID_NONE) {
            struct ambiguous_value *s = find_ambiguous(p, v);
            s->open--;
            s->added++;
            continue;
        }
        matched_activate(p, pair, p->theory->initial == INITIAL_SEQUENCE ? p->past : p->nowhere,
                         (struct online_op){.method = MATCHED_INITIAL, .arg = v});
        p->since[pair] = 0;
        bitset_add(p->past, pair);
        bitset_remove(p->ahead, pair);
        bitset_add(p->closed, pair);
    }
}

static void *open_matched(const struct online_setup *s)
{
    struct matched *p = mem_new_zero(s->mem, struct matched, 1);
    const struct theory *t = online_theory(s->spec);
    p->theory = t;
    p->mem = s->mem;
    p->budget = s->budget;
    p->removal = s->variant != NULL;
    p->least_first = assay_value_same(s->setting.parameter, assay_word("min"));
    p->oldest = p->newest = ID_NONE;
    p->rule_n = rules_of(t, p->rules);
    for (uint32_t i = 0; i < p->rule_n; i++)
        p->ranked |= p->rules[i].ranked;
    matched_first_room(p);
    add_initials(p, &s->setting);
    return p;
}

static void close_matched(void *state)
{
    struct matched *p = state;
    struct mem *m = p->mem;
    matched_free_room(p);
    vec_free(m, &p->open);
    mem_free(m, p->open_past);
    value_map_free(m, &p->pairs);
    value_map_free(m, &p->ambiguity_of);
    vec_free(m, &p->ambiguous);
    ring_free(m, &p->settling);
    vec_free(m, &p->facts);
    mem_free(m, p);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct matched *p = state;
    BITSET_EACH (at, i, p->w, p->taken[0][i] & ~p->dropped[0][i])
        visit(arg, p->value[at]);
    for (uint32_t i = 0; i < p->ambiguous.n; i++)
        visit(arg, p->ambiguous.at[i].value);
    if (p->fault) {
        visit(arg, p->culprit.arg);
        visit(arg, p->culprit.result);
    }
}

static uint64_t live(const void *state)
{
    const struct matched *p = state;
    return bitset_count(p->active, (size_t)64 * matched_words(p)) + p->open_n;
}

const struct online saturate_matched = {
    .open = open_matched,
    .close = close_matched,
    .call = call,
    .ret = ret,
    .explain = matched_explain,
    .each_value = each_value,
    .live = live,
};
