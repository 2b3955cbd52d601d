/* SPDX-License-Identifier: Apache-2.0 */
/* Facts and rules of saturation where the matching is known (saturate_matched.c).
 *
 * Idea. The facts are a strict order of the operations. It is kept closed under transitivity, as rows and columns of
 * bits. The rules of a theory (rules.h) are applied by unit propagation until nothing changes; a clause all of whose
 * literals are false is a contradiction. A clause fixes one value and ranges over all others. The adder and the remover
 * of a value are the same bit of two planes. So the clause is evaluated for 64 values at once by operations on words,
 * and known facts cost nothing.
 *
 * The base is the set of operations that precede every open call. Most facts hold because one of the two is in the
 * base. So its rows are updated lazily. Newly active operations collect in `late`, and are merged when the base is
 * renewed or when a row is asked for. */
#include "theory/saturate_matched_private.h"

#include <string.h>

/* ---- faults ---- */

static bool contradict(struct matched *p, struct fact why)
{
    p->fault = FAULT_ORDER;
    p->conflict = why;
    return false;
}

/* ---- facts ---- */

/* The nodes that the node precedes. */
static uint64_t *followers(struct matched *p, uint32_t node)
{
    uint64_t *row = matched_row(p, p->succ, node);
    if (bitset_has(p->base, node))
        matched_add_all(p, row, p->late);
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
    matched_add_all(p, p->past, p->sources);
    for (uint32_t s = p->newest; s != ID_NONE && p->open.at[s].called > since; s = p->open.at[s].prev)
        matched_add_all(p, p->open_past + (size_t)s * matched_words(p), p->sources);
}

/* Let F be the nodes that follow y and did not follow x, P the nodes that precede x and did not precede y. F comes
 * behind x and behind P: each of these facts is new. One end of each becomes dirty: rules are applied from both. */
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
        matched_add_all(p, matched_row(p, p->pred, p->target[k]), p->sources);
    }
    for (uint32_t k = 0; k < from; k++) {
        if (p->since[p->source[k]] > since) {
            p->since[p->source[k]] = since;
            earlier = true;
        }
        matched_add_all(p, matched_row(p, p->succ, p->source[k]), p->targets);
    }
    if (earlier)
        widen_pasts(p, since);
    for (uint32_t k = 0; k < (from < to ? from : to); k++)
        bitset_add(p->dirty, from < to ? p->source[k] : p->target[k]);
}

bool matched_put_fact(struct matched *p, struct fact why)
{
    if (bitset_has(matched_row(p, p->pred, why.to), why.from))
        return true;
    if (bitset_has(matched_row(p, p->pred, why.from), why.to)) {
        why.rule = why.rule >= RULE_MOST ? FACT_CYCLE : why.rule;
        return contradict(p, why);
    }
    vec_push(p->mem, &p->facts, why);
    join(p, why.from, why.to);
    return true;
}

/* ---- rules ---- */

void matched_ends(const struct matched *p, const struct literal *l, uint32_t finder, uint32_t pair, uint32_t *from,
                  uint32_t *to)
{
    uint32_t fixed = l->of_finder ? finder : matched_fixed_pair(p, finder);
    uint32_t free = matched_node(p, l->plane, pair);
    *from = l->free_first ? free : fixed;
    *to = l->free_first ? fixed : free;
}

/* The instances of a rule that have the finder in common, one for each free pair; or the free pair, one for each
 * finder. */
struct instances {
    uint32_t rule, common; /* the node of the finder, or the pair */
    bool of_finder;
    const uint64_t *no[RULE_LITERALS], *yes[RULE_LITERALS]; /* where a literal is false, and where it is true */
};

struct word { /* of instances */
    uint64_t all;
    uint64_t unremoved; /* no operation removed the free value */
    uint64_t closed;    /* none will before the finder */
    uint32_t at, first; /* the word; the meaning of bit 0: a pair, or the node of a finder */
};

/* Where the literal is false. Closing rules out that an unknown remover comes before the finder. */
static inline uint64_t false_at(const struct instances *s, const struct literal *t, uint32_t l, struct word w)
{
    return s->no[l][w.at] | (t->plane == PLANE_REMOVE ? w.unremoved & w.closed : 0);
}

static struct fact fact_at(const struct instances *s, uint32_t at)
{
    return (struct fact){ID_NONE, ID_NONE, s->rule, s->of_finder ? s->common : at, s->of_finder ? at : s->common};
}

/* Puts the last literals of the unit clauses among those given, in which no literal is true and all but one are
 * false. */
static bool put_units(struct matched *p, const struct instances *s, struct word w, uint64_t clauses)
{
    const struct rule *r = &p->rules[s->rule];
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint64_t unit = clauses & ~false_at(s, t, l, w) & (t->plane == PLANE_REMOVE ? ~w.unremoved : ~UINT64_C(0));
        clauses &= ~unit;
        for (; unit; unit &= unit - 1) {
            struct fact why = fact_at(s, w.first + (uint32_t)__builtin_ctzll(unit));
            matched_ends(p, t, why.finder, why.free, &why.from, &why.to);
            if (!matched_put_fact(p, why))
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
        return contradict(p, fact_at(s, w.first + (uint32_t)__builtin_ctzll(none)));
    return !unit || put_units(p, s, w, unit);
}

/* The rule for one finder, and all free pairs of a range. */
static bool apply_to_finder(struct matched *p, uint32_t rule, uint32_t finder, enum range range)
{
    const struct rule *r = &p->rules[rule];
    uint32_t pair = matched_fixed_pair(p, finder);
    struct instances s = {.rule = rule, .common = finder, .of_finder = true};
    for (uint32_t l = 0; l < r->n; l++) {
        const struct literal *t = &r->at[l];
        uint32_t node = t->of_finder ? finder : pair,
                 plane = (uint32_t)t->plane * p->w; /* an adder's node is its pair */
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

/* The instances for one free pair, and the finders of a plane. Finders are removers, operations that found nothing
 * (fixed is ID_NONE), or operations that saw the fixed pair. */
static struct instances instances_of_free(struct matched *p, uint32_t rule, uint32_t pair, enum plane finders,
                                          uint32_t fixed)
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
static bool apply_to_free(struct matched *p, uint32_t rule, uint32_t pair, enum plane finders, const uint64_t *given,
                          uint32_t fixed)
{
    struct instances s = instances_of_free(p, rule, pair, finders, fixed);
    struct word w = {.unremoved = bitset_has(p->active, matched_node(p, PLANE_REMOVE, pair)) ? 0 : ~UINT64_C(0)};
    const uint64_t *closed = p->closed + (size_t)finders * p->w;
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

bool matched_apply_to_other(struct matched *p, uint32_t node, enum range range)
{
    unsigned role = p->pair_of[node - 2 * p->cap] == ID_NONE ? ROLE_MISS : ROLE_SEE;
    for (uint32_t k = 0; k < p->rule_n; k++)
        if ((p->rules[k].finders & role) && !apply_to_finder(p, k, node, range))
            return false;
    return true;
}

bool matched_apply_to_remover(struct matched *p, uint32_t remover, enum range range)
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
    if (bitset_has(p->active, remover) && !matched_apply_to_remover(p, remover, ALL_PAIRS))
        return false;
    for (uint32_t k = 0; k < p->rule_n; k++) {
        if ((p->rules[k].finders & ROLE_SEE) && bitset_has(p->has_sees, pair) && !apply_to_seen(p, k, pair))
            return false;
        if ((p->rules[k].finders & ROLE_SEE) && !apply_to_free_seen(p, k, pair))
            return false;
        if ((p->rules[k].finders & ROLE_REMOVE) && !apply_to_free(p, k, pair, PLANE_REMOVE, p->active + p->w, ID_NONE))
            return false;
        if ((p->rules[k].finders & ROLE_MISS) && p->miss_n &&
            !apply_to_free(p, k, pair, PLANE_OTHER, p->misses, ID_NONE))
            return false;
    }
    return true;
}

bool matched_saturate(struct matched *p)
{
    for (uint32_t i = 0; i < p->w;) {
        uint64_t *adders = p->dirty + i, *removers = p->dirty + p->w + i, *others = p->dirty + (size_t)2 * p->w + i;
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
        if (!(dirty ? apply_to_pair(p, at) : matched_apply_to_other(p, matched_node(p, PLANE_OTHER, at), ALL_PAIRS)))
            return false;
        i = 0;
    }
    return true;
}
