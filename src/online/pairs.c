/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is known (queue, stack, pqueue, register): what must come before what, and nothing else.
 *
 * Idea. All that is known is a strict order of the operations, kept closed under transitivity as rows and columns of
 * bits. The rules of a theory (rules.h) are applied to it by unit propagation until nothing changes; a clause all of whose
 * literals are false is a contradiction. A clause fixes one value and ranges over all others: as the adder and the remover
 * of a value are the same bit of two planes, it is evaluated for 64 of them at once by a few operations on words, and
 * facts that are known already cost nothing.
 *
 * Who takes part. An operation does once it has returned; an adder also when its value has been found. A value that nobody
 * removed has, as long as that is possible, a remover that is not known. Once all that were open when x returned and could
 * remove something have returned, x is closed: whoever removes the value then comes after x, so before(remover, x) is
 * false. Once everything that was open has returned, x is settled.
 *
 * Invariant. Between events no clause is unit or false; the rows of active nodes are closed; what precedes an open
 * call is kept with it, closed as well. So an operation can be dropped and no fact between the others is lost.
 *
 * Removal ("+r"). A history without a match (all operations of a value) is admitted if the whole is, so dropping one cannot
 * make a violation; dropping it too early loses some. A pair goes when its adder and remover are settled and
 * everything has been derived; one that found nothing, or saw a value in a collection, when it is settled. In an object
 * where values are overwritten a value goes, with all that see it, when a later adder is settled; and of two that see
 * the same value one after the other the first says nothing more, and goes at once. Dead nodes keep their places until
 * room is needed; then all of them are cleared together, so that removal costs next to nothing.
 *
 * Values are meant to be distinct. One may come again when its remover has returned, for then it is clear who found which.
 * If it comes earlier, the value is ignored from there on, with all its operations, until as many have been removed as were
 * added (or all have been overwritten).
 *
 * Cost: O(c / 64 + derived facts) words per event for c live operations; nothing is allocated unless c grows. Source: Bouajjani et
 * al., PLDI 2015, section 6 (SATURATE); closing is this file's way of dealing with values that are not removed. */
#include "online/pairs_private.h"

#include <assert.h>
#include <string.h>

/* ---- faults ---- */

static bool contradict(struct pairs *p, struct reason why)
{
    p->fault = FAULT_ORDER;
    p->conflict = why;
    return false;
}

/* ---- facts ---- */

static void widen_open_calls(struct pairs *p)
{
    uint32_t n = pairs_words(p);
    for (uint32_t s = p->oldest; s != ID_NONE; s = p->open.at[s].next) {
        uint64_t *past = p->open_past + (size_t)s * n, hit = 0;
        for (uint32_t i = 0; i < n; i++)
            hit |= past[i] & p->targets[i];
        for (uint32_t i = 0; hit && i < n; i++)
            past[i] |= p->sources[i];
    }
}

/* All of `sources` before all of `targets`. One end of each new fact becomes dirty: rules are looked at from both. */
static void join(struct pairs *p)
{
    uint32_t n = pairs_words(p), from = 0, to = 0;
    uint64_t past = 0;
    for (uint32_t i = 0; i < n; i++) {
        from += (uint32_t)__builtin_popcountll(p->sources[i]);
        to += (uint32_t)__builtin_popcountll(p->targets[i]);
        past |= p->targets[i] & p->past[i];
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t bits = p->sources[i]; bits; bits &= bits - 1) {
            uint32_t node = 64 * i + (uint32_t)__builtin_ctzll(bits);
            if (bitset_join(pairs_row(p, p->succ, node), p->targets, n) && from < to)
                bitset_add(p->dirty, node);
        }
    for (uint32_t i = 0; i < n; i++)
        for (uint64_t bits = p->targets[i]; bits; bits &= bits - 1) {
            uint32_t node = 64 * i + (uint32_t)__builtin_ctzll(bits);
            if (bitset_join(pairs_row(p, p->pred, node), p->sources, n) && from >= to)
                bitset_add(p->dirty, node);
        }
    if (past)
        bitset_join(p->past, p->sources, n);
    widen_open_calls(p);
}

static bool put_fact(struct pairs *p, struct reason why)
{
    uint32_t n = pairs_words(p), x = why.from, y = why.to;
    const uint64_t *before = pairs_row(p, p->pred, x), *after = pairs_row(p, p->succ, y);
    const uint64_t *known_before = pairs_row(p, p->pred, y), *known_after = pairs_row(p, p->succ, x);
    if (bitset_has(known_after, y))
        return true;
    if (bitset_has(before, y)) {
        why.rule = why.rule >= RULE_MOST ? REASON_CYCLE : why.rule;
        return contradict(p, why);
    }
    vec_push(p->mem, &p->reasons, why);
    for (uint32_t i = 0; i < n; i++) { /* what precedes y already precedes all that follows it */
        p->sources[i] = before[i] & ~known_before[i] & p->active[i];
        p->targets[i] = after[i] & ~known_after[i] & p->active[i];
    }
    bitset_add(p->sources, x);
    bitset_add(p->targets, y);
    join(p);
    return true;
}

/* ---- rules ---- */

void pairs_ends(const struct pairs *p, const struct literal *l, uint32_t finder, uint32_t pair, uint32_t *from, uint32_t *to)
{
    uint32_t fixed = l->of_finder ? finder : pairs_fixed_pair(p, finder);
    uint32_t free = pairs_node(p, l->plane, pair);
    *from = l->free_first ? free : fixed;
    *to = l->free_first ? fixed : free;
}

struct clause { /* one word of instances: for each literal where it is false, and where it may be put */
    uint64_t instances, no[RULE_LITERALS], open[RULE_LITERALS];
};

/* Puts the last literal of unit clauses. The instances of a word have either the finder in common, and first is
 * the pair that bit 0 stands for, or the free pair, and first is the finder that bit 0 stands for. */
static bool propagate(struct pairs *p, uint32_t rule, const struct clause *c, bool finder_fixed, uint32_t fixed, uint32_t first)
{
    const struct rule *r = &p->rules[rule];
    uint64_t all = c->instances;
    for (uint32_t l = 0; l < r->n; l++)
        all &= c->no[l];
    if (all) {
        uint32_t at = first + (uint32_t)__builtin_ctzll(all);
        return contradict(p, (struct reason){ID_NONE, ID_NONE, rule, finder_fixed ? fixed : at, finder_fixed ? at : fixed});
    }
    for (uint32_t l = 0; l < r->n; l++) {
        uint64_t unit = c->instances & c->open[l];
        for (uint32_t m = 0; m < r->n; m++)
            unit &= m == l ? ~UINT64_C(0) : c->no[m];
        for (; unit; unit &= unit - 1) {
            uint32_t at = first + (uint32_t)__builtin_ctzll(unit);
            struct reason why = {.rule = rule, .finder = finder_fixed ? fixed : at, .free = finder_fixed ? at : fixed};
            pairs_ends(p, &r->at[l], why.finder, why.free, &why.from, &why.to);
            if (!put_fact(p, why))
                return false;
        }
    }
    return true;
}

static void without(uint64_t *set, uint32_t word, uint32_t element)
{
    if (element / 64 == word)
        *set &= ~(UINT64_C(1) << (element % 64));
}

/* The rule for one finder, and all free pairs. */
static bool apply_to_finder(struct pairs *p, uint32_t rule, uint32_t finder)
{
    const struct rule *r = &p->rules[rule];
    uint32_t pair = pairs_fixed_pair(p, finder);
    bool closed = bitset_has(p->closed, finder);
    for (uint32_t i = 0; i < p->w; i++) {
        const uint64_t *adds = p->active + i, *removes = p->active + p->w + i;
        uint64_t unremoved = *adds & ~*removes;
        struct clause c = {.instances = *adds};
        if (pair != ID_NONE)
            without(&c.instances, i, pair);
        if (r->ranked)
            c.instances &= p->higher[(size_t)pair * p->w + i];
        for (uint32_t l = 0; l < r->n; l++) {
            const struct literal *t = &r->at[l];
            uint32_t s = t->of_finder ? finder : pair; /* an adder's node is its pair */
            uint32_t word = (uint32_t)t->plane * p->w + i;
            uint64_t before = pairs_row(p, p->pred, s)[word], after = pairs_row(p, p->succ, s)[word];
            c.no[l] = t->free_first ? after : before;
            c.open[l] = ~before & ~after;
            if (t->plane == PLANE_REMOVE) {
                c.open[l] &= ~unremoved;
                c.no[l] |= t->free_first && closed ? unremoved : 0;
            }
        }
        if (!propagate(p, rule, &c, true, finder, 64 * i))
            return false;
    }
    return true;
}

/* The literals of an instance with the free pair fixed; the finders are a word of one plane. */
static void clause_of_free(const struct pairs *p, const struct rule *r, uint32_t pair, enum plane finders, uint32_t i, uint32_t fixed_pair,
                           struct clause *c)
{
    bool removed = bitset_has(p->active, pairs_node(p, PLANE_REMOVE, pair));
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint32_t f = pairs_node(p, t->plane, pair);
        const uint64_t *before = pairs_row(p, p->pred, f), *after = pairs_row(p, p->succ, f);
        if (t->plane == PLANE_REMOVE && !removed) {
            c->no[l] = t->free_first && t->of_finder ? p->closed[(uint32_t)finders * p->w + i] : 0;
            c->open[l] = 0;
        } else if (t->of_finder || fixed_pair == ID_NONE) { /* a remover and its adder are the same bit */
            uint32_t word = (t->of_finder ? (uint32_t)finders : PLANE_ADD) * p->w + i;
            c->no[l] = t->free_first ? before[word] : after[word];
            c->open[l] = ~before[word] & ~after[word];
        } else {
            bool b = bitset_has(before, fixed_pair), a = bitset_has(after, fixed_pair);
            c->no[l] = (t->free_first ? b : a) ? ~UINT64_C(0) : 0;
            c->open[l] = b || a ? 0 : ~UINT64_C(0);
        }
    }
}

static bool apply_to_free_seen(struct pairs *p, uint32_t rule, uint32_t pair)
{
    const struct rule *r = &p->rules[rule];
    for (uint32_t k = 0; k < p->w; k++)
        for (uint64_t bits = p->has_sees[k]; bits; bits &= bits - 1) {
            uint32_t fixed = 64 * k + (uint32_t)__builtin_ctzll(bits);
            if (fixed == pair || (r->ranked && !bitset_has(p->higher + (size_t)fixed * p->w, pair)))
                continue;
            for (uint32_t i = 0; i < p->w; i++) {
                struct clause c = {.instances = p->sees[(size_t)fixed * p->w + i]};
                if (!c.instances)
                    continue;
                clause_of_free(p, r, pair, PLANE_OTHER, i, fixed, &c);
                if (!propagate(p, rule, &c, false, pair, 2 * p->cap + 64 * i))
                    return false;
            }
        }
    return true;
}

/* The rule for one free pair, and all finders. */
static bool apply_to_free(struct pairs *p, uint32_t rule, uint32_t pair)
{
    const struct rule *r = &p->rules[rule];
    for (uint32_t i = 0; i < p->w; i++) {
        struct clause c = {.instances = p->misses[i]};
        if ((r->finders & ROLE_MISS) && c.instances) {
            clause_of_free(p, r, pair, PLANE_OTHER, i, ID_NONE, &c);
            if (!propagate(p, rule, &c, false, pair, 2 * p->cap + 64 * i))
                return false;
        }
        c.instances = p->active[p->w + i];
        without(&c.instances, i, pair);
        if (r->ranked)
            c.instances &= p->lower[(size_t)pair * p->w + i];
        if ((r->finders & ROLE_REMOVE) && c.instances) {
            clause_of_free(p, r, pair, PLANE_REMOVE, i, ID_NONE, &c);
            if (!propagate(p, rule, &c, false, pair, p->cap + 64 * i))
                return false;
        }
    }
    return !(r->finders & ROLE_SEE) || apply_to_free_seen(p, rule, pair);
}

static bool apply_to_seen(struct pairs *p, uint32_t rule, uint32_t pair)
{
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->sees[(size_t)pair * p->w + i]; bits; bits &= bits - 1)
            if (!apply_to_finder(p, rule, 2 * p->cap + 64 * i + (uint32_t)__builtin_ctzll(bits)))
                return false;
    return true;
}

static bool apply_rules(struct pairs *p, uint32_t node)
{
    enum plane plane = (enum plane)(node / p->cap);
    uint32_t i = node % p->cap;
    for (uint32_t k = 0; k < p->rule_n; k++) {
        const struct rule *r = &p->rules[k];
        bool fine = true;
        if (plane == PLANE_OTHER) {
            if (r->finders & (p->pair_of[i] == ID_NONE ? ROLE_MISS : ROLE_SEE))
                fine = apply_to_finder(p, k, node);
        } else {
            uint32_t remover = pairs_node(p, PLANE_REMOVE, i);
            if ((r->finders & ROLE_REMOVE) && bitset_has(p->active, remover))
                fine = apply_to_finder(p, k, remover);
            if (fine && plane == PLANE_ADD && (r->finders & ROLE_SEE) && bitset_has(p->has_sees, i))
                fine = apply_to_seen(p, k, i);
            fine = fine && apply_to_free(p, k, i);
        }
        if (!fine)
            return false;
    }
    return true;
}

static bool saturate(struct pairs *p)
{
    for (uint32_t n = pairs_words(p), i = 0; i < n;) {
        if (!p->dirty[i]) {
            i++;
            continue;
        }
        uint32_t node = 64 * i + (uint32_t)__builtin_ctzll(p->dirty[i]);
        bitset_remove(p->dirty, node);
        budget_tick(p->budget);
        if (bitset_has(p->active, node) && !apply_rules(p, node))
            return false;
        i = 0;
    }
    return true;
}

/* ---- operations ---- */

static uint32_t take_index(struct pairs *p, int of_other)
{
    for (;;) {
        for (uint32_t i = 0; i < p->w; i++)
            if (~p->taken[of_other][i]) {
                uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(~p->taken[of_other][i]);
                bitset_add(p->taken[of_other], at);
                return at;
            }
        pairs_make_room(p);
    }
}

static uint32_t new_pair(struct pairs *p, struct value v)
{
    uint32_t pair = take_index(p, 0);
    p->value[pair] = v;
    p->again[pair] = false;
    memset(p->sees + (size_t)pair * p->w, 0, p->w * sizeof *p->sees);
    return pair;
}

static void rank(struct pairs *p, uint32_t pair)
{
    size_t w = p->w;
    memset(p->higher + pair * w, 0, w * sizeof *p->higher);
    memset(p->lower + pair * w, 0, w * sizeof *p->lower);
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->active[i]; bits; bits &= bits - 1) {
            uint32_t other = 64 * i + (uint32_t)__builtin_ctzll(bits);
            int64_t a = p->value[pair].bits, b = p->value[other].bits;
            uint64_t *up = p->least_first ? p->lower : p->higher, *down = p->least_first ? p->higher : p->lower;
            bitset_remove(up + other * w, pair);
            bitset_remove(down + other * w, pair);
            if (a != b) {
                bitset_add((b > a ? up : down) + pair * w, other);
                bitset_add((b > a ? down : up) + other * w, pair);
            }
        }
}

/* The node takes part from now on; `past` is closed. */
static void activate(struct pairs *p, uint32_t node, const uint64_t *past, struct online_op op)
{
    uint32_t n = pairs_words(p);
    uint64_t *before = pairs_row(p, p->pred, node);
    memset(pairs_row(p, p->succ, node), 0, n * sizeof *before);
    for (uint32_t i = 0; i < n; i++) {
        before[i] = past[i] & p->active[i];
        for (uint64_t bits = before[i]; bits; bits &= bits - 1)
            bitset_add(pairs_row(p, p->succ, 64 * i + (uint32_t)__builtin_ctzll(bits)), node);
    }
    if (node < p->cap && p->ranked)
        rank(p, node);
    bitset_add(p->active, node);
    bitset_remove(p->closed, node);
    bitset_add(p->dirty, node);
    p->op[node] = op;
}

static void complete(struct pairs *p, uint32_t node, uint64_t step)
{
    p->op[node].returned = step;
    bitset_join(p->past, pairs_row(p, p->pred, node), pairs_words(p));
    bitset_add(p->past, node);
    if (p->settling_n == p->settling.n) { /* a ring that is full: unroll it into one twice as large */
        uint32_t old = p->settling.n;
        vec_reserve(p->mem, &p->settling, old ? old : 64);
        p->settling.n = old ? 2 * old : 64;
        for (uint32_t i = 0; i < p->settling_at; i++)
            p->settling.at[old + i] = p->settling.at[i];
    }
    p->settling.at[(p->settling_at + p->settling_n++) & (p->settling.n - 1)] = (struct settling){step, node};
}

static void drop_node(struct pairs *p, uint32_t node)
{
    bitset_remove(p->active, node);
    bitset_remove(p->past, node);
    bitset_remove(p->dirty, node);
}

static void drop_other(struct pairs *p, uint32_t node)
{
    uint32_t i = node - 2 * p->cap, pair = p->pair_of[i];
    if (pair == ID_NONE) {
        bitset_remove(p->misses, i);
    } else {
        uint64_t *sees = p->sees + (size_t)pair * p->w;
        bitset_remove(sees, i);
        if (bitset_next(sees, p->cap, 0) == p->cap)
            bitset_remove(p->has_sees, pair);
    }
    drop_node(p, node);
    bitset_add(p->dropped[1], i);
}

static void drop_pair(struct pairs *p, uint32_t pair)
{
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->sees[(size_t)pair * p->w + i]; bits; bits &= bits - 1)
            drop_other(p, 2 * p->cap + 64 * i + (uint32_t)__builtin_ctzll(bits));
    struct value_entry *e = value_map_find(&p->pairs, p->value[pair]);
    if (e && e->id == pair)
        value_map_take(&p->pairs, p->mem, p->value[pair]);
    drop_node(p, pair);
    drop_node(p, p->cap + pair);
    bitset_add(p->dropped[0], pair);
}

/* ---- values that cannot be told apart ---- */

static struct spell *find_spell(struct pairs *p, struct value v)
{
    struct value_entry *e = p->spells.n ? value_map_find(&p->spells, v) : NULL;
    return e ? &p->spell.at[e->id] : NULL;
}

static void end_spell(struct pairs *p, struct spell *s)
{
    uint32_t at = (uint32_t)(s - p->spell.at);
    value_map_take(&p->spells, p->mem, s->value);
    *s = vec_last(&p->spell);
    if (at != --p->spell.n)
        value_map_find(&p->spells, s->value)->id = at;
}

/* Is nothing left of the value, nor open that may have found it? */
static bool spell_over(const struct pairs *p, const struct spell *s)
{
    if (s->open || (p->oldest != ID_NONE && p->open.at[p->oldest].called < s->last))
        return false;
    if (!p->theory->overwrites)
        return s->added == s->removed;
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->active[i] & p->closed[i]; bits; bits &= bits - 1)
            if (p->op[64 * i + (uint32_t)__builtin_ctzll(bits)].called > s->last)
                return true;
    return false;
}

static void end_spells(struct pairs *p)
{
    for (uint32_t i = p->spell.n; i-- > 0;)
        if (spell_over(p, &p->spell.at[i]))
            end_spell(p, &p->spell.at[i]);
}

/* All operations of the value so far are left out from now on. */
static struct spell *begin_spell(struct pairs *p, uint32_t pair)
{
    struct spell s = {.value = p->value[pair]};
    for (uint32_t o = p->oldest; o != ID_NONE; o = p->open.at[o].next)
        if (p->open.at[o].pair == pair) {
            p->open.at[o].pair = ID_NONE;
            s.open++;
        }
    s.added = !s.open;
    s.removed = bitset_has(p->active, p->cap + pair);
    s.last = s.added ? p->op[pair].returned : 0;
    drop_pair(p, pair);
    if (p->spell.n >= 16 && !(p->spell.n & (p->spell.n - 1)))
        end_spells(p); /* where values are overwritten nothing else tells when one is over */
    value_map_put(&p->spells, p->mem, s.value, p->spell.n);
    vec_push(p->mem, &p->spell, s);
    return &vec_last(&p->spell);
}

/* ---- events ---- */

static struct online_op op_of(const struct open_call *c, struct value result)
{
    return (struct online_op){c->called, ONLINE_NEVER, c->method, c->arg, result};
}

static uint32_t call_adder(struct pairs *p, struct value v)
{
    struct spell *s = find_spell(p, v);
    if (s && spell_over(p, s)) {
        end_spell(p, s);
        s = NULL;
    }
    struct value_entry *e = value_map_find(&p->pairs, v);
    bool again = false;
    if (!s && e) {
        again = !p->theory->overwrites && bitset_has(p->active, p->cap + e->id);
        if (!again)
            s = begin_spell(p, e->id);
    }
    if (s) {
        s->open++;
        return ID_NONE;
    }
    uint32_t pair = new_pair(p, v);
    if (again)
        value_map_find(&p->pairs, v)->id = pair;
    else
        value_map_put(&p->pairs, p->mem, v, pair);
    p->again[pair] = again;
    return pair;
}

void pairs_call(struct pairs *p, uint32_t slot, uint64_t step, unsigned method, struct value arg)
{
    if (slot >= p->open.n) {
        uint32_t old = p->open.n;
        vec_reserve(p->mem, &p->open, slot + 1 - old);
        memset(p->open.at + old, 0, (slot + 1 - old) * sizeof *p->open.at);
        p->open.n = slot + 1;
        p->open_past = mem_resize(p->mem, p->open_past, mem_product(p->open.n, pairs_words(p) * sizeof *p->open_past));
    }
    const struct theory_label *l = theory_label(p->theory, method, OUTCOME_NEVER);
    uint32_t pair = l && l->roles == ROLE_ADD ? call_adder(p, arg) : ID_NONE;
    p->open.at[slot] = (struct open_call){step, arg, method, pair, p->newest, ID_NONE, l && (l->roles & ROLE_REMOVE)};
    *(p->newest == ID_NONE ? &p->oldest : &p->open.at[p->newest].next) = slot;
    p->newest = slot;
    p->open_n++;
    memcpy(p->open_past + (size_t)slot * pairs_words(p), p->past, pairs_words(p) * sizeof *p->past);
}

static void close_call(struct pairs *p, uint32_t slot)
{
    struct open_call *c = &p->open.at[slot];
    *(c->prev == ID_NONE ? &p->oldest : &p->open.at[c->prev].next) = c->next;
    *(c->next == ID_NONE ? &p->newest : &p->open.at[c->next].prev) = c->prev;
    p->open_n--;
}

static const uint64_t *past_of(const struct pairs *p, uint32_t slot)
{
    return p->open_past + (size_t)slot * pairs_words(p);
}

/* An adder that has not returned, but whose value was found. */
static void activate_open_adder(struct pairs *p, uint32_t pair)
{
    for (uint32_t s = p->newest; s != ID_NONE; s = p->open.at[s].prev)
        if (p->open.at[s].pair == pair)
            activate(p, pair, past_of(p, s), op_of(&p->open.at[s], (struct value){0}));
}

static bool return_adder(struct pairs *p, uint32_t slot, uint64_t step)
{
    uint32_t pair = p->open.at[slot].pair;
    if (pair == ID_NONE) {
        struct spell *s = find_spell(p, p->open.at[slot].arg);
        s->open--;
        s->added++;
        s->last = step;
        return true;
    }
    if (!bitset_has(p->active, pair))
        activate(p, pair, past_of(p, slot), op_of(&p->open.at[slot], (struct value){0}));
    complete(p, pair, step);
    return true;
}

static bool fail_with(struct pairs *p, enum fault f, struct online_op op, uint32_t twin)
{
    p->fault = f;
    p->culprit = op;
    p->twin = twin;
    return false;
}

/* The pair of a value that was found; ID_NONE: there is none, or nothing is to be said about it (*ignored). */
static uint32_t find_pair(struct pairs *p, struct value v, bool takes, uint64_t step, bool *ignored)
{
    struct spell *s = find_spell(p, v);
    struct value_entry *e = s ? NULL : value_map_find(&p->pairs, v);
    *ignored = s || (e && !takes && p->again[e->id]);
    if (s && takes) {
        s->removed++;
        s->last = step;
        *ignored = s->removed <= s->added + s->open; /* whoever took which, there were not more */
    }
    if (!e || *ignored)
        return ID_NONE;
    if (!bitset_has(p->active, e->id))
        activate_open_adder(p, e->id);
    return e->id;
}

static bool return_remover(struct pairs *p, uint32_t slot, uint64_t step, struct online_op op)
{
    bool ignored;
    uint32_t pair = find_pair(p, op.result, true, step, &ignored), node = p->cap + pair;
    if (ignored)
        return true;
    if (pair == ID_NONE)
        return fail_with(p, FAULT_UNKNOWN, op, ID_NONE);
    if (bitset_has(p->active, node))
        return fail_with(p, FAULT_TWICE, op, node);
    activate(p, node, past_of(p, slot), op);
    bitset_add(p->dirty, pair); /* for the rules in which the remover was not known */
    complete(p, node, step);
    if (!put_fact(p, (struct reason){pair, node, REASON_FOUND, node, pair}))
        return false;
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->sees[(size_t)pair * p->w + i]; bits; bits &= bits - 1) {
            uint32_t see = 2 * p->cap + 64 * i + (uint32_t)__builtin_ctzll(bits);
            if (!put_fact(p, (struct reason){see, node, REASON_SEEN, node, pair}))
                return false;
        }
    return true;
}

/* Those that saw the value before this one did say nothing more. */
static void drop_earlier_seen(struct pairs *p, uint32_t pair, uint32_t node)
{
    const uint64_t *before = pairs_row(p, p->pred, node) + 2 * p->w;
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->sees[(size_t)pair * p->w + i] & before[i]; bits; bits &= bits - 1)
            drop_other(p, 2 * p->cap + 64 * i + (uint32_t)__builtin_ctzll(bits));
}

static bool return_other(struct pairs *p, uint32_t slot, uint64_t step, struct online_op op, bool sees)
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
    uint32_t i = take_index(p, 1), node;
    if (sees) /* room may have been made: pairs have new indices */
        pair = value_map_find(&p->pairs, op.result)->id;
    node = 2 * p->cap + i;
    p->pair_of[i] = pair;
    activate(p, node, past_of(p, slot), op);
    complete(p, node, step);
    if (!sees) {
        bitset_add(p->misses, i);
        return true;
    }
    bitset_add(p->sees + (size_t)pair * p->w, i);
    bitset_add(p->has_sees, pair);
    if (!put_fact(p, (struct reason){pair, node, REASON_FOUND, node, pair}))
        return false;
    uint32_t remover = p->cap + pair;
    if (bitset_has(p->active, remover) && !put_fact(p, (struct reason){node, remover, REASON_SEEN, remover, pair}))
        return false;
    if (p->removal && p->theory->overwrites)
        drop_earlier_seen(p, pair, node);
    return true;
}

/* ---- settling ---- */

/* All that returned before the limit is settled. */
static void remove_settled(struct pairs *p, uint32_t node, uint64_t limit)
{
    uint32_t i = node % p->cap;
    if (node >= 2 * p->cap) {
        if (!p->theory->overwrites)
            drop_other(p, node);
    } else if (p->theory->overwrites) {
        for (uint32_t k = 0; k < p->w; k++)
            for (uint64_t bits = pairs_row(p, p->pred, node)[k] & p->active[k]; bits; bits &= bits - 1)
                drop_pair(p, 64 * k + (uint32_t)__builtin_ctzll(bits));
    } else if (bitset_has(p->active, p->cap + i) && p->op[i].returned < limit && p->op[p->cap + i].returned < limit) {
        drop_pair(p, i);
    }
}

static struct settling *settling_at(struct pairs *p, uint32_t i)
{
    return &p->settling.at[(p->settling_at + i) & (p->settling.n - 1)];
}

static uint64_t called_first(const struct pairs *p, bool takes)
{
    uint32_t s = p->oldest;
    while (takes && s != ID_NONE && !p->open.at[s].takes)
        s = p->open.at[s].next;
    return s == ID_NONE ? UINT64_MAX : p->open.at[s].called;
}

/* Nobody takes anything any more before what returned before the first open call that may take something. */
static bool close_returned(struct pairs *p)
{
    for (uint64_t limit = called_first(p, true); p->closed_n < p->settling_n; p->closed_n++) {
        struct settling *s = settling_at(p, p->closed_n);
        if (s->returned > limit)
            break;
        if (s->node == ID_NONE || !bitset_has(p->active, s->node) || p->op[s->node].returned != s->returned) {
            s->node = ID_NONE; /* dropped earlier */
            continue;
        }
        bitset_add(p->closed, s->node);
        if (s->node >= p->cap) /* rules ask it of finders */
            bitset_add(p->dirty, s->node);
    }
    return saturate(p);
}

static void settle(struct pairs *p)
{
    uint64_t limit = called_first(p, false);
    while (p->settling_n && settling_at(p, 0)->returned < limit) {
        struct settling s = *settling_at(p, 0);
        p->settling_at = (p->settling_at + 1) & (p->settling.n - 1);
        p->settling_n--;
        p->closed_n--;
        if (p->removal && s.node != ID_NONE && bitset_has(p->active, s.node) && p->op[s.node].returned == s.returned)
            remove_settled(p, s.node, limit);
    }
}

bool pairs_return(struct pairs *p, uint32_t slot, uint64_t step, struct value result)
{
    struct open_call *c = &p->open.at[slot];
    const struct theory_label *l = theory_label(p->theory, c->method, online_outcome(result));
    struct online_op op = op_of(c, result);
    op.returned = step;
    p->fault_step = step;
    bool fine = !l                        ? fail_with(p, FAULT_IMPOSSIBLE, op, ID_NONE)
                : l->roles == ROLE_ADD    ? return_adder(p, slot, step)
                : l->roles == ROLE_REMOVE ? return_remover(p, slot, step, op)
                                          : return_other(p, slot, step, op, l->roles == ROLE_SEE);
    close_call(p, slot);
    if (!fine || !saturate(p) || !close_returned(p))
        return false;
    settle(p);
    return true;
}

/* ---- opening and closing ---- */

static void add_initials(struct pairs *p, const assay_setting *setting)
{
    size_t n = online_initials(p->theory, setting);
    for (size_t i = 0; i < n; i++) {
        struct value v = online_initial(setting, i);
        uint32_t pair = call_adder(p, v);
        if (pair == ID_NONE) {
            struct spell *s = find_spell(p, v);
            s->open--;
            s->added++;
            continue;
        }
        memset(p->sources, 0, pairs_words(p) * sizeof *p->sources);
        activate(p, pair, p->theory->initial == INITIAL_SEQUENCE ? p->past : p->sources,
                 (struct online_op){.method = PAIRS_INITIAL, .arg = v});
        bitset_add(p->past, pair);
        bitset_add(p->closed, pair);
    }
}

struct pairs *pairs_open(const struct online_setup *s, const struct theory *t, bool removal)
{
    struct pairs *p = mem_new_zero(s->mem, struct pairs, 1);
    p->theory = t;
    p->mem = s->mem;
    p->budget = s->budget;
    p->removal = removal;
    p->least_first = assay_value_same(s->setting->parameter, assay_word("min"));
    p->oldest = p->newest = ID_NONE;
    p->rule_n = rules_of(t, p->rules);
    for (uint32_t i = 0; i < p->rule_n; i++)
        p->ranked |= p->rules[i].ranked;
    pairs_first_room(p);
    add_initials(p, s->setting);
    return p;
}

void pairs_close(struct pairs *p)
{
    struct mem *m = p->mem;
    pairs_free_room(p);
    vec_free(m, &p->open);
    mem_free(m, p->open_past);
    mem_free(m, p->pairs.at);
    mem_free(m, p->spells.at);
    vec_free(m, &p->spell);
    vec_free(m, &p->settling);
    vec_free(m, &p->reasons);
    mem_free(m, p);
}

void pairs_each_value(struct pairs *p, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; i < p->w; i++)
        for (uint64_t bits = p->taken[0][i] & ~p->dropped[0][i]; bits; bits &= bits - 1)
            visit(arg, p->value[64 * i + (uint32_t)__builtin_ctzll(bits)]);
    for (uint32_t i = 0; i < p->spell.n; i++)
        visit(arg, p->spell.at[i].value);
    if (p->fault) {
        visit(arg, p->culprit.arg);
        visit(arg, p->culprit.result);
    }
}

uint64_t pairs_live(const struct pairs *p)
{
    return bitset_count(p->active, 64 * pairs_words(p)) + p->open_n;
}
