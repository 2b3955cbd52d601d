/* SPDX-License-Identifier: Apache-2.0 */
/* Saturation where the matching is known (queue, stack, pqueue, register): what must come before what, and nothing else.
 *
 * Idea. All that is known is a strict order of the operations, kept closed under transitivity as rows and columns of
 * bits. The rules of a theory (rules.h) are applied to it by unit propagation until nothing changes; a clause all of whose
 * literals are false is a contradiction. A clause fixes one value and ranges over all others: as the adder and the remover
 * of a value are the same bit of two planes, it is evaluated for 64 of them at once by a few operations on words, and
 * facts that are known already cost nothing.
 *
 * Most facts are those of real time, and hold because one of the two precedes every open call. So the base, what does, is
 * not told of each operation that becomes active: these are late, and its rows get all of them at once when the base is
 * renewed, or when a row is asked for.
 *
 * Who takes part. An operation does once it has returned; an adder also when its value has been found. A value that nobody
 * removed has, as long as that is possible, a remover that is not known. Once all that were open when x returned and could
 * remove something have returned, x is closed: whoever removes the value then comes after x, so before(remover, x) is
 * false. Once everything that was open has returned, x is settled.
 *
 * Invariant. Between events no clause is unit or false; the rows of active nodes (of the base: with what is late) are
 * closed; what precedes an open call is kept with it, closed as well. So an operation can be dropped and no fact between the others is lost.
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
#include "theory/saturate_matched_private.h"

#include <assert.h>
#include <string.h>

/* ---- faults ---- */

static bool contradict(struct matched *p, struct reason why)
{
    p->fault = FAULT_ORDER;
    p->conflict = why;
    return false;
}

/* ---- facts ---- */

static void add_all(const struct matched *p, uint64_t *restrict to, const uint64_t *restrict from)
{
    for (uint32_t i = 0; i < p->used; i++)
        to[i] |= from[i];
}

/* What the node precedes. */
static uint64_t *followers(struct matched *p, uint32_t node)
{
    uint64_t *row = matched_row(p, p->succ, node);
    if (bitset_has(p->base, node))
        add_all(p, row, p->late);
    return row;
}

void matched_renew_base(struct matched *p)
{
    uint64_t limit = p->oldest == ID_NONE ? ONLINE_NEVER : p->open.at[p->oldest].called;
    for (uint32_t i = 0; i < p->used; i++) {
        uint64_t base = 0;
        for (uint64_t bits = p->active[i]; bits; bits &= bits - 1) {
            uint32_t node = 64 * i + (uint32_t)__builtin_ctzll(bits);
            followers(p, node);
            base |= p->since[node] < limit ? bits & -bits : 0;
        }
        p->base[i] = base;
    }
    memset(p->late, 0, matched_words(p) * sizeof *p->late);
    p->late_n = 0;
}

/* The sources precede all calls after the step. */
static void widen_pasts(struct matched *p, uint64_t since)
{
    add_all(p, p->past, p->sources);
    for (uint32_t s = p->newest; s != ID_NONE && p->open.at[s].called > since; s = p->open.at[s].prev)
        add_all(p, p->open_past + (size_t)s * matched_words(p), p->sources);
}

/* What follows y and did not follow x comes behind x and behind what precedes x and did not precede y: each of these facts
 * is new. One end of each becomes dirty: rules are looked at from both. */
static void join(struct matched *p, uint32_t x, uint32_t y)
{
    uint32_t from = 0, to = 0;
    const uint64_t *before = matched_row(p, p->pred, x), *known_before = matched_row(p, p->pred, y);
    const uint64_t *after = followers(p, y), *known_after = followers(p, x);
    uint64_t since = p->since[y];
    bool earlier = false;
    for (uint32_t i = 0; i < p->used; i++) {
        p->sources[i] = before[i] & ~known_before[i] & p->active[i];
        p->targets[i] = after[i] & ~known_after[i] & p->active[i];
        for (uint64_t bits = p->sources[i]; bits; bits &= bits - 1)
            p->source[from++] = 64 * i + (uint32_t)__builtin_ctzll(bits);
        for (uint64_t bits = p->targets[i]; bits; bits &= bits - 1)
            p->target[to++] = 64 * i + (uint32_t)__builtin_ctzll(bits);
    }
    bitset_add(p->sources, x);
    bitset_add(p->targets, y);
    p->source[from++] = x;
    p->target[to++] = y;
    for (uint32_t k = 0; k < to; k++) {
        since = p->since[p->target[k]] < since ? p->since[p->target[k]] : since;
        add_all(p, matched_row(p, p->pred, p->target[k]), p->sources);
    }
    for (uint32_t k = 0; k < from; k++) {
        if (p->since[p->source[k]] > since) {
            p->since[p->source[k]] = since;
            earlier = true;
        }
        add_all(p, matched_row(p, p->succ, p->source[k]), p->targets);
    }
    if (earlier)
        widen_pasts(p, since);
    for (uint32_t k = 0; k < (from < to ? from : to); k++)
        bitset_add(p->dirty, from < to ? p->source[k] : p->target[k]);
}

static bool put_fact(struct matched *p, struct reason why)
{
    if (bitset_has(matched_row(p, p->pred, why.to), why.from))
        return true;
    if (bitset_has(matched_row(p, p->pred, why.from), why.to)) {
        why.rule = why.rule >= RULE_MOST ? REASON_CYCLE : why.rule;
        return contradict(p, why);
    }
    vec_push(p->mem, &p->reasons, why);
    join(p, why.from, why.to);
    return true;
}

/* ---- rules ---- */

void matched_ends(const struct matched *p, const struct literal *l, uint32_t finder, uint32_t pair, uint32_t *from, uint32_t *to)
{
    uint32_t fixed = l->of_finder ? finder : matched_fixed_pair(p, finder);
    uint32_t free = matched_node(p, l->plane, pair);
    *from = l->free_first ? free : fixed;
    *to = l->free_first ? fixed : free;
}

/* The instances of a rule that have the finder in common, one for each free pair; or the free pair, one for each finder. */
struct instances {
    uint32_t rule, common; /* the node of the finder, or the pair */
    bool of_finder;
    const uint64_t *no[RULE_LITERALS], *yes[RULE_LITERALS]; /* where a literal is false, and where it is true */
};

struct word { /* of instances */
    uint64_t all;
    uint64_t unremoved; /* nobody removed the free value */
    uint64_t closed;    /* nobody will before the finder */
    uint32_t at, first; /* which word; what bit 0 stands for: a pair, or the node of a finder */
};

/* Where the literal is false: to be before the finder is what closing rules out for a remover that is not known. */
static inline uint64_t false_at(const struct instances *s, const struct literal *t, uint32_t l, struct word w)
{
    return s->no[l][w.at] | (t->plane == PLANE_REMOVE ? w.unremoved & w.closed : 0);
}

static struct reason reason_at(const struct instances *s, uint32_t at)
{
    return (struct reason){ID_NONE, ID_NONE, s->rule, s->of_finder ? s->common : at, s->of_finder ? at : s->common};
}

/* Puts the last literals of the unit clauses among those given, in which no literal is true and all but one are false. */
static bool put_units(struct matched *p, const struct instances *s, struct word w, uint64_t clauses)
{
    const struct rule *r = &p->rules[s->rule];
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint64_t unit = clauses & ~false_at(s, t, l, w) & (t->plane == PLANE_REMOVE ? ~w.unremoved : ~UINT64_C(0));
        clauses &= ~unit;
        for (; unit; unit &= unit - 1) {
            struct reason why = reason_at(s, w.first + (uint32_t)__builtin_ctzll(unit));
            matched_ends(p, t, why.finder, why.free, &why.from, &why.to);
            if (!put_fact(p, why))
                return false;
        }
    }
    return true;
}

static inline bool propagate(struct matched *p, const struct instances *s, struct word w)
{
    const struct rule *r = &p->rules[s->rule];
    uint64_t one = 0, two = 0, yes = 0; /* where one literal at least, and two, are not false; where one is true */
    for (uint32_t l = 0; l < r->n; l++) {
        uint64_t not_false = ~false_at(s, &r->at[l], l, w);
        two |= one & not_false;
        one |= not_false;
        yes |= s->yes[l][w.at];
    }
    uint64_t none = w.all & ~one, unit = w.all & ~two & ~yes;
    if (none)
        return contradict(p, reason_at(s, w.first + (uint32_t)__builtin_ctzll(none)));
    return !unit || put_units(p, s, w, unit);
}

enum range { ALL_PAIRS, UNREMOVED_PAIRS };

/* The rule for one finder, and all free pairs of a range. */
static bool apply_to_finder(struct matched *p, uint32_t rule, uint32_t finder, enum range range)
{
    const struct rule *r = &p->rules[rule];
    uint32_t pair = matched_fixed_pair(p, finder);
    struct instances s = {.rule = rule, .common = finder, .of_finder = true};
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint32_t node = t->of_finder ? finder : pair, plane = (uint32_t)t->plane * p->w; /* an adder's node is its pair */
        const uint64_t *before = matched_row(p, p->pred, node) + plane, *after = followers(p, node) + plane;
        s.no[l] = t->free_first ? after : before;
        s.yes[l] = t->free_first ? before : after;
    }
    struct word w = {.closed = bitset_has(p->closed, finder) ? ~UINT64_C(0) : 0};
    for (uint32_t i = 0; i < p->w; i++) {
        w.at = i;
        w.first = 64 * i;
        w.unremoved = p->active[i] & ~p->active[p->w + i];
        w.all = range == UNREMOVED_PAIRS ? w.unremoved : p->active[i];
        if (r->ranked)
            w.all &= p->higher[(size_t)pair * p->w + i];
        if (pair / 64 == i)
            w.all &= ~(UINT64_C(1) << pair % 64);
        if (w.all && !propagate(p, &s, w))
            return false;
    }
    return true;
}

/* The instances for one free pair, and the finders of a plane: removers, those that found nothing (fixed is ID_NONE), or
 * those that saw the fixed pair. */
static struct instances instances_of_free(struct matched *p, uint32_t rule, uint32_t pair, enum plane finders, uint32_t fixed)
{
    const struct rule *r = &p->rules[rule];
    struct instances s = {.rule = rule, .common = pair};
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint32_t node = matched_node(p, t->plane, pair);
        if (!bitset_has(p->active, node)) {
            s.no[l] = s.yes[l] = p->nowhere;
            continue;
        }
        const uint64_t *before = matched_row(p, p->pred, node), *after = followers(p, node);
        if (t->of_finder || finders == PLANE_REMOVE) { /* a remover and its adder are the same bit */
            uint32_t plane = (t->of_finder ? (uint32_t)finders : PLANE_ADD) * p->w;
            before += plane;
            after += plane;
        } else {
            before = bitset_has(before, fixed) ? p->everywhere : p->nowhere;
            after = bitset_has(after, fixed) ? p->everywhere : p->nowhere;
        }
        s.no[l] = t->free_first ? before : after;
        s.yes[l] = t->free_first ? after : before;
    }
    return s;
}

/* The rule for one free pair, and the finders among those given. */
static bool apply_to_free(struct matched *p, uint32_t rule, uint32_t pair, enum plane finders, const uint64_t *given, uint32_t fixed)
{
    struct instances s = instances_of_free(p, rule, pair, finders, fixed);
    struct word w = {.unremoved = bitset_has(p->active, matched_node(p, PLANE_REMOVE, pair)) ? 0 : ~UINT64_C(0)};
    const uint64_t *closed = p->closed + (uint32_t)finders * p->w;
    for (uint32_t i = 0; i < p->w; i++) {
        w.at = i;
        w.first = matched_node(p, finders, 64 * i);
        w.closed = closed[i];
        w.all = given[i];
        if (finders == PLANE_REMOVE && pair / 64 == i)
            w.all &= ~(UINT64_C(1) << pair % 64);
        if (finders == PLANE_REMOVE && p->rules[rule].ranked)
            w.all &= p->lower[(size_t)pair * p->w + i];
        if (w.all && !propagate(p, &s, w))
            return false;
    }
    return true;
}

static bool apply_to_free_seen(struct matched *p, uint32_t rule, uint32_t pair)
{
    BITSET_EACH (fixed, k, p->w, p->has_sees[k]) {
        if (fixed == pair || (p->rules[rule].ranked && !bitset_has(p->higher + (size_t)fixed * p->w, pair)))
            continue;
        if (!apply_to_free(p, rule, pair, PLANE_OTHER, p->sees + (size_t)fixed * p->w, fixed))
            return false;
    }
    return true;
}

static bool apply_to_seen(struct matched *p, uint32_t rule, uint32_t pair)
{
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i])
        if (!apply_to_finder(p, rule, 2 * p->cap + at, ALL_PAIRS))
            return false;
    return true;
}

static bool apply_to_other(struct matched *p, uint32_t node, enum range range)
{
    unsigned role = p->pair_of[node - 2 * p->cap] == ID_NONE ? ROLE_MISS : ROLE_SEE;
    for (uint32_t k = 0; k < p->rule_n; k++)
        if ((p->rules[k].finders & role) && !apply_to_finder(p, k, node, range))
            return false;
    return true;
}

static bool apply_to_remover(struct matched *p, uint32_t remover, enum range range)
{
    for (uint32_t k = 0; k < p->rule_n; k++)
        if ((p->rules[k].finders & ROLE_REMOVE) && !apply_to_finder(p, k, remover, range))
            return false;
    return true;
}

/* All rules in which the adder or the remover of a pair may stand. */
static bool apply_to_pair(struct matched *p, uint32_t pair)
{
    uint32_t remover = matched_node(p, PLANE_REMOVE, pair);
    if (bitset_has(p->active, remover) && !apply_to_remover(p, remover, ALL_PAIRS))
        return false;
    for (uint32_t k = 0; k < p->rule_n; k++) {
        if ((p->rules[k].finders & ROLE_SEE) && bitset_has(p->has_sees, pair) && !apply_to_seen(p, k, pair))
            return false;
        if ((p->rules[k].finders & ROLE_SEE) && !apply_to_free_seen(p, k, pair))
            return false;
        if ((p->rules[k].finders & ROLE_REMOVE) && !apply_to_free(p, k, pair, PLANE_REMOVE, p->active + p->w, ID_NONE))
            return false;
        if ((p->rules[k].finders & ROLE_MISS) && p->miss_n && !apply_to_free(p, k, pair, PLANE_OTHER, p->misses, ID_NONE))
            return false;
    }
    return true;
}

static bool saturate(struct matched *p)
{
    for (uint32_t i = 0; i < p->w;) {
        uint64_t *adders = p->dirty + i, *removers = p->dirty + p->w + i, *others = p->dirty + 2 * p->w + i;
        uint64_t dirty = *adders | *removers;
        if (!dirty && !*others) {
            i++;
            continue;
        }
        uint64_t lowest = dirty ? dirty & -dirty : *others & -*others;
        uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(lowest);
        budget_tick(p->budget);
        if (dirty) {
            *adders &= ~lowest;
            *removers &= ~lowest;
        } else {
            *others &= ~lowest;
        }
        if (!(dirty ? apply_to_pair(p, at) : apply_to_other(p, matched_node(p, PLANE_OTHER, at), ALL_PAIRS)))
            return false;
        i = 0;
    }
    return true;
}

/* ---- operations ---- */

static uint32_t take_index(struct matched *p, int of_other)
{
    for (;;) {
        for (uint32_t i = 0; i < p->w; i++)
            if (~p->taken[of_other][i]) {
                uint32_t at = 64 * i + (uint32_t)__builtin_ctzll(~p->taken[of_other][i]);
                bitset_add(p->taken[of_other], at);
                p->used = of_other ? matched_words(p) : p->used;
                return at;
            }
        matched_make_room(p);
    }
}

static uint32_t new_pair(struct matched *p, struct value v)
{
    uint32_t pair = take_index(p, 0);
    p->value[pair] = v;
    p->again[pair] = false;
    memset(p->sees + (size_t)pair * p->w, 0, p->w * sizeof *p->sees);
    return pair;
}

static void rank(struct matched *p, uint32_t pair)
{
    size_t w = p->w;
    memset(p->higher + pair * w, 0, w * sizeof *p->higher);
    memset(p->lower + pair * w, 0, w * sizeof *p->lower);
    BITSET_EACH (other, i, p->w, p->active[i]) {
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
static void activate(struct matched *p, uint32_t node, const uint64_t *past, struct online_op op)
{
    if (p->late_n++ == PAIRS_LATE)
        matched_renew_base(p);
    uint32_t n = matched_words(p);
    uint64_t *before = matched_row(p, p->pred, node), mine = UINT64_C(1) << node % 64;
    uint64_t *column = p->succ + node / 64;
    memset(matched_row(p, p->succ, node), 0, n * sizeof *before);
    memset(before, 0, n * sizeof *before);
    for (uint32_t i = 0; i < p->used; i++) {
        before[i] = past[i] & p->active[i];
        for (uint64_t bits = before[i] & ~p->base[i]; bits; bits &= bits - 1)
            column[(64 * i + (uint32_t)__builtin_ctzll(bits)) * (size_t)n] |= mine;
    }
    if (node < p->cap && p->ranked)
        rank(p, node);
    bitset_add(p->active, node);
    bitset_add(p->late, node);
    bitset_add(p->ahead, node);
    bitset_remove(p->closed, node);
    bitset_add(p->dirty, node);
    p->op[node] = op;
    p->since[node] = ONLINE_NEVER;
}

static void complete(struct matched *p, uint32_t node, uint64_t step)
{
    const uint64_t *before = matched_row(p, p->pred, node);
    p->op[node].returned = step;
    p->since[node] = p->since[node] < step ? p->since[node] : step;
    bitset_remove(p->ahead, node);
    add_all(p, p->past, before);
    bitset_add(p->past, node);
    BITSET_EACH (other, i, p->w, before[i] & p->ahead[i]) { /* only adders take part before they return */
        p->since[other] = p->since[other] < step ? p->since[other] : step;
    }
    if (p->settling_n == p->settling.n) { /* a ring that is full: unroll it into one twice as large */
        uint32_t old = p->settling.n;
        vec_reserve(p->mem, &p->settling, old ? old : 64);
        p->settling.n = old ? 2 * old : 64;
        for (uint32_t i = 0; i < p->settling_at; i++)
            p->settling.at[old + i] = p->settling.at[i];
    }
    p->settling.at[(p->settling_at + p->settling_n++) & (p->settling.n - 1)] = (struct settling){step, node};
}

static void drop_node(struct matched *p, uint32_t node)
{
    bitset_remove(p->active, node);
    bitset_remove(p->past, node);
    bitset_remove(p->dirty, node);
    bitset_remove(p->ahead, node);
}

static void drop_other(struct matched *p, uint32_t node)
{
    uint32_t i = node - 2 * p->cap, pair = p->pair_of[i];
    if (pair == ID_NONE) {
        bitset_remove(p->misses, i);
        p->miss_n--;
    } else {
        uint64_t *sees = p->sees + (size_t)pair * p->w;
        bitset_remove(sees, i);
        if (bitset_next(sees, p->cap, 0) == p->cap)
            bitset_remove(p->has_sees, pair);
    }
    drop_node(p, node);
    bitset_add(p->dropped[1], i);
}

static void drop_pair(struct matched *p, uint32_t pair)
{
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i])
        drop_other(p, 2 * p->cap + at);
    if (value_map_get(&p->pairs, p->value[pair]) == pair)
        value_map_drop(p->mem, &p->pairs, p->value[pair]);
    drop_node(p, pair);
    drop_node(p, p->cap + pair);
    bitset_add(p->dropped[0], pair);
}

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

/* Is nothing left of the value, nor open that may have found it? Where values are overwritten, another must have been written
 * since the last adder returned, and every open call have come after that write. */
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
    drop_pair(p, pair);
    if (p->ambiguous.n >= 16 && !(p->ambiguous.n & (p->ambiguous.n - 1)))
        end_ambiguities(p); /* where values are overwritten nothing else tells when one is over */
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
    uint32_t pair = new_pair(p, v);
    *value_map_at(p->mem, &p->pairs, v) = pair;
    p->again[pair] = again;
    return pair;
}

void matched_call(struct matched *p, uint32_t slot, uint64_t step, unsigned method, struct value arg)
{
    if (slot >= p->open.n) {
        uint32_t old = p->open.n;
        vec_reserve(p->mem, &p->open, slot + 1 - old);
        memset(p->open.at + old, 0, (slot + 1 - old) * sizeof *p->open.at);
        p->open.n = slot + 1;
        p->open_past = mem_resize(p->mem, p->open_past, mem_product(p->open.n, matched_words(p) * sizeof *p->open_past));
    }
    const struct theory_label *l = theory_label(p->theory, method, OUTCOME_NEVER);
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
            activate(p, pair, past_of(p, s), op_of(&p->open.at[s], (struct value){0}));
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
        activate(p, pair, past_of(p, slot), op_of(&p->open.at[slot], (struct value){0}));
    complete(p, pair, step);
    return true;
}

static bool fail_with(struct matched *p, enum fault f, struct online_op op, uint32_t twin)
{
    p->fault = f;
    p->culprit = op;
    p->twin = twin;
    return false;
}

/* The pair of a value that was found; ID_NONE: there is none, or nothing is to be said about it (*ignored). */
static uint32_t find_pair(struct matched *p, struct value v, bool takes, uint64_t step, bool *ignored)
{
    struct ambiguous_value *s = find_ambiguous(p, v);
    uint32_t pair = s ? ID_NONE : value_map_get(&p->pairs, v);
    *ignored = s || (pair != ID_NONE && !takes && p->again[pair]);
    if (s && takes) {
        s->removed++;
        s->last = step;
        *ignored = s->removed <= s->added + s->open; /* whoever took which, there were not more */
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
    activate(p, node, past_of(p, slot), op);
    complete(p, node, step);
    if (!put_fact(p, (struct reason){pair, node, REASON_FOUND, node, pair}))
        return false;
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i]) {
        uint32_t see = 2 * p->cap + at;
        if (!put_fact(p, (struct reason){see, node, REASON_SEEN, node, pair}))
            return false;
    }
    return true;
}

/* Those that saw the value before this one did say nothing more. */
static void drop_earlier_seen(struct matched *p, uint32_t pair, uint32_t node)
{
    const uint64_t *before = matched_row(p, p->pred, node) + 2 * p->w;
    BITSET_EACH (at, i, p->w, p->sees[(size_t)pair * p->w + i] & before[i])
        drop_other(p, 2 * p->cap + at);
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
    uint32_t i = take_index(p, 1), node;
    if (sees) /* room may have been made: pairs have new indices */
        pair = value_map_get(&p->pairs, op.result);
    node = 2 * p->cap + i;
    p->pair_of[i] = pair;
    activate(p, node, past_of(p, slot), op);
    complete(p, node, step);
    if (!sees) {
        bitset_add(p->misses, i);
        p->miss_n++;
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
static void forget_value(struct matched *p, uint32_t node, uint64_t limit)
{
    uint32_t i = node % p->cap;
    if (node >= 2 * p->cap) {
        if (!p->theory->overwrites)
            drop_other(p, node);
    } else if (p->theory->overwrites) {
        BITSET_EACH (at, k, p->w, matched_row(p, p->pred, node)[k] & p->active[k])
            drop_pair(p, at);
    } else if (bitset_has(p->active, p->cap + i) && p->op[i].returned < limit && p->op[p->cap + i].returned < limit) {
        drop_pair(p, i);
    }
}

static struct settling *settling_at(struct matched *p, uint32_t i)
{
    return &p->settling.at[(p->settling_at + i) & (p->settling.n - 1)];
}

static uint64_t called_first(const struct matched *p, bool takes)
{
    uint32_t s = p->oldest;
    while (takes && s != ID_NONE && !p->open.at[s].takes)
        s = p->open.at[s].next;
    return s == ID_NONE ? UINT64_MAX : p->open.at[s].called;
}

/* Nobody takes anything any more before what returned before the first open call that may take something. */
static bool close_returned(struct matched *p)
{
    bool finders = false;
    for (uint64_t limit = called_first(p, true); p->closed_n < p->settling_n; p->closed_n++) {
        struct settling *s = settling_at(p, p->closed_n);
        if (s->returned > limit)
            break;
        if (s->node == ID_NONE || !bitset_has(p->active, s->node) || p->op[s->node].returned != s->returned) {
            s->node = ID_NONE; /* dropped earlier */
            continue;
        }
        bitset_add(p->closed, s->node);
        finders |= s->node >= p->cap;
        if (s->node >= 2 * p->cap ? !apply_to_other(p, s->node, UNREMOVED_PAIRS)
                                  : s->node >= p->cap && !apply_to_remover(p, s->node, UNREMOVED_PAIRS))
            return false;
    }
    return !finders || saturate(p);
}

static void forget_values(struct matched *p)
{
    uint64_t limit = called_first(p, false);
    while (p->settling_n && settling_at(p, 0)->returned < limit) {
        struct settling s = *settling_at(p, 0);
        p->settling_at = (p->settling_at + 1) & (p->settling.n - 1);
        p->settling_n--;
        p->closed_n--;
        if (p->removal && s.node != ID_NONE && bitset_has(p->active, s.node) && p->op[s.node].returned == s.returned)
            forget_value(p, s.node, limit);
    }
}

bool matched_return(struct matched *p, uint32_t slot, uint64_t step, struct value result)
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
        activate(p, pair, p->theory->initial == INITIAL_SEQUENCE ? p->past : p->nowhere,
                 (struct online_op){.method = PAIRS_INITIAL, .arg = v});
        p->since[pair] = 0;
        bitset_add(p->past, pair);
        bitset_remove(p->ahead, pair);
        bitset_add(p->closed, pair);
    }
}

struct matched *matched_open(const struct online_setup *s, const struct theory *t, bool removal)
{
    struct matched *p = mem_new_zero(s->mem, struct matched, 1);
    p->theory = t;
    p->mem = s->mem;
    p->budget = s->budget;
    p->removal = removal;
    p->least_first = assay_value_same(s->setting.parameter, assay_word("min"));
    p->oldest = p->newest = ID_NONE;
    p->rule_n = rules_of(t, p->rules);
    for (uint32_t i = 0; i < p->rule_n; i++)
        p->ranked |= p->rules[i].ranked;
    matched_first_room(p);
    add_initials(p, &s->setting);
    return p;
}

void matched_close(struct matched *p)
{
    struct mem *m = p->mem;
    matched_free_room(p);
    vec_free(m, &p->open);
    mem_free(m, p->open_past);
    value_map_free(m, &p->pairs);
    value_map_free(m, &p->ambiguity_of);
    vec_free(m, &p->ambiguous);
    vec_free(m, &p->settling);
    vec_free(m, &p->reasons);
    mem_free(m, p);
}

void matched_each_value(struct matched *p, void (*visit)(void *arg, struct value v), void *arg)
{
    BITSET_EACH (at, i, p->w, p->taken[0][i] & ~p->dropped[0][i])
        visit(arg, p->value[at]);
    for (uint32_t i = 0; i < p->ambiguous.n; i++)
        visit(arg, p->ambiguous.at[i].value);
    if (p->fault) {
        visit(arg, p->culprit.arg);
        visit(arg, p->culprit.result);
    }
}

uint64_t matched_live(const struct matched *p)
{
    return bitset_count(p->active, 64 * matched_words(p)) + p->open_n;
}
