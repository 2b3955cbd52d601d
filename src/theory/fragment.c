/* SPDX-License-Identifier: Apache-2.0 */
#include "theory/fragment.h"

#include <string.h>

enum truth { NO, OPEN, YES };

/* ---- room ---- */

static void allocate(struct fragment *u, uint32_t w)
{
    u->w = w;
    u->cap = 64 * w;
    size_t row = w * sizeof(uint64_t), rows = u->cap * row;
    char *at = mem_zero(u->mem, 3 * rows + 6 * row + u->cap * sizeof *u->op);
    u->pred = (uint64_t *)at;
    u->succ = (uint64_t *)(at += rows);
    u->may = (uint64_t *)(at += rows);
    uint64_t **sets[] = {&u->taken, &u->used, &u->returned, &u->past, &u->sources, &u->targets};
    at += rows;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++, at += row)
        *sets[i] = (uint64_t *)at;
    u->op = (struct fragment_op *)at;
}

static void grow(struct fragment *u)
{
    struct fragment old = *u;
    allocate(u, 2 * old.w);
    for (uint32_t i = 0; i < old.cap; i++) {
        memcpy(fragment_row(u, u->pred, i), fragment_row(&old, old.pred, i), old.w * sizeof *u->pred);
        memcpy(fragment_row(u, u->succ, i), fragment_row(&old, old.succ, i), old.w * sizeof *u->succ);
        memcpy(fragment_row(u, u->may, i), fragment_row(&old, old.may, i), old.w * sizeof *u->may);
    }
    memcpy(u->taken, old.taken, old.w * sizeof *u->taken);
    memcpy(u->used, old.used, old.w * sizeof *u->used);
    memcpy(u->returned, old.returned, old.w * sizeof *u->returned);
    memcpy(u->past, old.past, old.w * sizeof *u->past);
    memcpy(u->op, old.op, old.cap * sizeof *u->op);
    mem_free(u->mem, old.pred);
}

void fragment_open(struct fragment *u, const struct theory *t, const struct online_setup *s)
{
    *u = (struct fragment){
        .impossible = ID_NONE, .theory = t, .mem = s->mem, .budget = s->budget, .n = online_parameter(&s->setting)};
    u->least_first = assay_value_same(s->setting.parameter, assay_word("min"));
    allocate(u, 1);
}

void fragment_close(struct fragment *u)
{
    mem_free(u->mem, u->pred);
    vec_free(u->mem, &u->facts);
}

/* ---- facts ---- */

static bool contradict(struct fragment *u, const struct fragment_fact *why)
{
    u->conflict = *why;
    u->conflict.from = u->conflict.to = ID_NONE;
    return false;
}

static bool put_before(struct fragment *u, uint32_t x, uint32_t y, struct fragment_fact why)
{
    if (bitset_has(fragment_row(u, u->succ, x), y))
        return true;
    if (x == y || bitset_has(fragment_row(u, u->pred, x), y))
        return contradict(u, &why);
    why.from = x;
    why.to = y;
    vec_push(u->mem, &u->facts, why);
    memcpy(u->sources, fragment_row(u, u->pred, x), u->w * sizeof *u->sources);
    memcpy(u->targets, fragment_row(u, u->succ, y), u->w * sizeof *u->targets);
    bitset_add(u->sources, x);
    bitset_add(u->targets, y);
    uint64_t past = 0;
    for (uint32_t i = 0; i < u->w; i++) {
        for (uint64_t bits = u->sources[i]; bits; bits &= bits - 1)
            bitset_join(fragment_row(u, u->succ, 64 * i + (uint32_t)__builtin_ctzll(bits)), u->targets, u->w);
        for (uint64_t bits = u->targets[i]; bits; bits &= bits - 1)
            bitset_join(fragment_row(u, u->pred, 64 * i + (uint32_t)__builtin_ctzll(bits)), u->sources, u->w);
        past |= u->targets[i] & u->past[i];
    }
    if (past)
        bitset_join(u->past, u->sources, u->w);
    u->changed = true;
    return true;
}

/* It has taken effect, returned or not. */
static void use(struct fragment *u, uint32_t i)
{
    u->changed |= !bitset_has(u->used, i);
    bitset_add(u->used, i);
}

static bool returned(const struct fragment *u, uint32_t i)
{
    return bitset_has(u->returned, i);
}

static void put_match(struct fragment *u, uint32_t adder, uint32_t finder)
{
    use(u, adder);
    use(u, finder);
    uint64_t *may = fragment_row(u, u->may, finder);
    for (uint32_t i = 0; i < u->w && returned(u, finder); i++) {
        uint64_t only = i == adder / 64 ? UINT64_C(1) << (adder % 64) : 0;
        u->changed |= may[i] != only;
        may[i] = only;
    }
}

static void put_no_match(struct fragment *u, uint32_t adder, uint32_t finder)
{
    if (!returned(u, finder))
        return;        /* its finds are not kept */
    u->changed = true; /* asked only where it was open */
    bitset_remove(fragment_row(u, u->may, finder), adder);
}

/* ---- atoms ---- */

static bool can_match(const struct fragment *u, uint32_t adder, uint32_t finder)
{
    if (adder == finder || bitset_has(fragment_row(u, u->succ, finder), adder))
        return false;
    if (u->op[adder].roles & ROLE_SWAP)
        return (u->op[finder].roles & ROLE_SWAP) && online_can_swap(&u->op[adder].op, &u->op[finder].op) &&
               !bitset_has(fragment_row(u, u->pred, finder), adder);
    return (u->op[adder].roles & ROLE_ADD) &&
           (!u->op[finder].known || value_same(u->op[adder].value, u->op[finder].value));
}

static enum truth compare(const struct fragment *u, enum theory_predicate predicate, const struct fragment_op *x,
                          const struct fragment_op *y)
{
    if (!x->known || !y->known)
        return OPEN;
    bool less = u->least_first ? x->value.bits > y->value.bits : x->value.bits < y->value.bits;
    return (predicate == SAME ? value_same(x->value, y->value) : less) ? YES : NO;
}

static enum truth truth_of(const struct fragment *u, const struct theory_atom *a, const uint32_t *v)
{
    uint32_t x = v[a->x], y = v[a->y];
    const uint64_t *may;
    switch (a->predicate) {
    case BEFORE:
        if (bitset_has(fragment_row(u, u->succ, x), y))
            return YES;
        return x == y || u->theory->interval || bitset_has(fragment_row(u, u->pred, x), y) ? NO : OPEN;
    case MATCH:
        if (!returned(u, y))
            return can_match(u, x, y) ? OPEN : NO;
        may = fragment_row(u, u->may, y);
        if (!bitset_has(may, x))
            return NO;
        return bitset_count(may, u->cap) == 1 ? YES : OPEN;
    case OTHER: return x != y ? YES : NO;
    case SAME:
    case LESS: return compare(u, a->predicate, &u->op[x], &u->op[y]);
    default: return NO;
    }
}

/* ---- clauses ---- */

static bool put_atom(struct fragment *u, const struct theory_atom *a, bool holds, const uint32_t *v,
                     const struct fragment_fact *why)
{
    if (a->predicate == BEFORE)
        return holds ? put_before(u, v[a->x], v[a->y], *why) : put_before(u, v[a->y], v[a->x], *why);
    if (a->predicate == MATCH && holds)
        put_match(u, v[a->x], v[a->y]);
    else if (a->predicate == MATCH)
        put_no_match(u, v[a->x], v[a->y]);
    return true;
}

/* Which operation can be W? YES if one is; else OPEN with the only candidate, or ID_NONE if there are several. */
static enum truth find_witness(const struct fragment *u, const struct theory_axiom *a, uint32_t *v, uint32_t *only)
{
    enum truth best = NO;
    *only = ID_NONE;
    BITSET_EACH (bit, i, u->w, u->taken[i]) {
        uint32_t at = v[W] = bit;
        if (!(u->op[at].roles & a->exists))
            continue;
        enum truth all = bitset_has(u->used, at) ? YES : OPEN;
        for (int k = 0; k < THEORY_ATOMS && a->such[k].predicate && all; k++) {
            enum truth t = truth_of(u, &a->such[k], v);
            all = t < all ? t : all;
        }
        if (all == YES)
            return YES;
        if (all == OPEN) {
            *only = best == NO ? at : ID_NONE;
            best = OPEN;
        }
    }
    return best;
}

static struct fragment_fact fact_of(const struct theory_axiom *a, const uint32_t *v)
{
    struct fragment_fact why = {.axiom = a, .from = ID_NONE, .to = ID_NONE};
    for (int i = 0; i < THEORY_VARIABLES; i++)
        why.bound[i] = a->forall[i] ? v[i] : ID_NONE;
    return why;
}

static bool check_instance(struct fragment *u, const struct theory_axiom *a, uint32_t *v)
{
    const struct theory_atom *open = NULL;
    bool holds = false;
    int open_n = 0;
    for (int k = 0; k < THEORY_ATOMS; k++) {
        enum truth given = a->given[k].predicate ? truth_of(u, &a->given[k], v) : YES;
        enum truth then = a->then[k].predicate ? truth_of(u, &a->then[k], v) : NO;
        if (given == NO || then == YES)
            return true;
        if (given == OPEN) {
            open = &a->given[k];
            holds = false;
            open_n++;
        }
        if (then == OPEN) {
            open = &a->then[k];
            holds = true;
            open_n++;
        }
    }
    if (open_n > 1)
        return true;
    uint32_t only = ID_NONE;
    enum truth witness = a->exists ? find_witness(u, a, v, &only) : NO;
    struct fragment_fact why = fact_of(a, v);
    if (witness == YES || (witness == OPEN && (open_n || only == ID_NONE)))
        return true;
    if (witness == OPEN) {
        v[W] = only;
        use(u, only);
        for (int k = 0; k < THEORY_ATOMS && a->such[k].predicate; k++)
            if (!put_atom(u, &a->such[k], true, v, &why))
                return false;
        return true;
    }
    return open_n ? put_atom(u, open, holds, v, &why) : contradict(u, &why);
}

/* All instances with the first `depth` variables as they are. */
static bool check_instances(struct fragment *u, const struct theory_axiom *a, uint32_t *v, int depth)
{
    if (depth == THEORY_VARIABLES || !a->forall[depth])
        return check_instance(u, a, v);
    BITSET_EACH (at, i, u->w, u->used[i]) {
        v[depth] = at;
        if (!(u->op[v[depth]].roles & a->forall[depth]))
            continue;
        bool dead = false;
        for (int k = 0; k < THEORY_ATOMS && a->given[k].predicate; k++) {
            const struct theory_atom *g = &a->given[k];
            if ((int)(g->x > g->y ? g->x : g->y) == depth)
                dead |= truth_of(u, g, v) == NO;
        }
        if (!dead && !check_instances(u, a, v, depth + 1))
            return false;
    }
    return true;
}

/* ---- bounds ---- */

struct count {
    int64_t certain, possible; /* before the operation */
};

static struct count count_before(const struct fragment *u, uint32_t x, unsigned role)
{
    struct count c = {0, 0};
    const uint64_t *before = fragment_row(u, u->pred, x), *after = fragment_row(u, u->succ, x);
    BITSET_EACH (y, i, u->w, u->taken[i] & ~after[i]) {
        if (y == x || !(u->op[y].roles & role))
            continue;
        c.possible++;
        c.certain += bitset_has(before, y) && bitset_has(u->used, y);
    }
    return c;
}

/* No choice is left. Every operation with the one role that may come before x does. Every operation with the other role
 * that may come after x does. */
static bool force(struct fragment *u, uint32_t x, unsigned before, unsigned after, const struct fragment_fact *why)
{
    for (uint32_t y = 0; y < u->cap; y++) {
        if (!bitset_has(u->taken, y) || y == x)
            continue;
        if (u->op[y].roles & before && !bitset_has(fragment_row(u, u->succ, x), y)) {
            use(u, y);
            if (!put_before(u, y, x, *why))
                return false;
        } else if (u->op[y].roles & after && bitset_has(u->used, y) && !bitset_has(fragment_row(u, u->pred, x), y)) {
            if (!put_before(u, x, y, *why))
                return false;
        }
    }
    return true;
}

static bool check_bound(struct fragment *u, const struct theory_axiom *a, uint32_t x)
{
    struct count up = count_before(u, x, ROLE_ADD), down = count_before(u, x, ROLE_REMOVE);
    int64_t least = u->level + up.certain - down.possible, most = u->level + up.possible - down.certain;
    struct fragment_fact why = fact_of(a, (uint32_t[]){x, ID_NONE, ID_NONE});
    if (a->bound == BOUND_ROOM)
        return least > u->n - 1    ? contradict(u, &why)
               : least == u->n - 1 ? force(u, x, ROLE_REMOVE, ROLE_ADD, &why)
                                   : true;
    int64_t need = a->bound == BOUND_FULL ? u->n : 1;
    return most < need ? contradict(u, &why) : most == need ? force(u, x, ROLE_ADD, ROLE_REMOVE, &why) : true;
}

/* The least number (the greatest, if `greatest`) of adders less removers before x, or (ID_NONE) of all so far. */
static int64_t level_before(const struct fragment *u, uint32_t x, bool greatest)
{
    unsigned certain = greatest ? ROLE_REMOVE : ROLE_ADD, possible = greatest ? ROLE_ADD : ROLE_REMOVE;
    int64_t n = 0;
    for (uint32_t y = 0; y < u->cap; y++) {
        bool may = bitset_has(u->taken, y) && y != x && (x == ID_NONE || !bitset_has(fragment_row(u, u->succ, x), y));
        bool must = may && bitset_has(u->used, y) && (x == ID_NONE || bitset_has(fragment_row(u, u->pred, x), y));
        n += must && (u->op[y].roles & certain) ? 1 : may && (u->op[y].roles & possible) ? -1 : 0;
    }
    return u->level + (greatest ? -n : n);
}

/* At no time may there be more than n, or fewer than none. That follows from the bounds for the last adder and for the
 * last remover, but not by unit propagation. Which one is the last may be open. */
static bool check_level(struct fragment *u, const struct theory_axiom *a, uint32_t x)
{
    bool fine = a->bound == BOUND_ROOM ? level_before(u, x, false) <= u->n : level_before(u, x, true) >= 0;
    struct fragment_fact why = fact_of(a, (uint32_t[]){x, ID_NONE, ID_NONE});
    return fine || contradict(u, &why);
}

static bool check_bounds(struct fragment *u, const struct theory_axiom *a)
{
    unsigned moves = a->bound == BOUND_ROOM ? ROLE_ADD : a->bound == BOUND_HELD ? ROLE_REMOVE : 0;
    if (a->forall[0] & moves) {
        if (!check_level(u, a, ID_NONE))
            return false;
        for (uint32_t x = 0; x < u->cap; x++)
            if (bitset_has(u->used, x) && !u->op[x].unchecked && !check_level(u, a, x))
                return false;
    }
    for (uint32_t x = 0; x < u->cap; x++)
        if (bitset_has(u->used, x) && !u->op[x].unchecked && (u->op[x].roles & a->forall[0]) && !check_bound(u, a, x))
            return false;
    return true;
}

static bool saturate(struct fragment *u)
{
    do {
        u->changed = false;
        for (const struct theory_axiom *const *a = u->theory->axioms; *a; a++) {
            uint32_t v[THEORY_VARIABLES + 1] = {0};
            budget_tick(u->budget);
            if ((*a)->tagged && (!u->tagged || u->unnamed))
                continue;
            if (!((*a)->bound ? check_bounds(u, *a) : check_instances(u, *a, v, 0)))
                return false;
        }
    } while (u->changed);
    return true;
}

/* ---- events ---- */

static uint32_t take(struct fragment *u)
{
    uint32_t i = 0;
    while (i < u->cap && bitset_has(u->taken, i))
        i++;
    if (i == u->cap)
        grow(u);
    bitset_add(u->taken, i);
    memset(fragment_row(u, u->pred, i), 0, u->w * sizeof *u->pred);
    memset(fragment_row(u, u->succ, i), 0, u->w * sizeof *u->succ);
    memset(fragment_row(u, u->may, i), 0, u->w * sizeof *u->may);
    u->live++;
    return i;
}

static void label(struct fragment_op *o, const struct call_label *l)
{
    o->value = l ? call_label_value(l, o->op.arg, o->op.result) : (struct value){0};
    o->known = l && (l->value != VALUE_RESULT || o->op.result.kind != ASSAY_NONE);
}

uint32_t fragment_call(struct fragment *u, uint64_t step, unsigned method, struct value arg)
{
    uint32_t i = take(u);
    const struct call_label *l = call_label_of(u->theory->labels, method, OUTCOME_NEVER);
    u->op[i] = (struct fragment_op){.op = {step, ONLINE_NEVER, method, arg, {0}}, .roles = l ? l->roles : 0};
    label(&u->op[i], l);
    memcpy(fragment_row(u, u->pred, i), u->past, u->w * sizeof *u->pred);
    BITSET_EACH (at, k, u->w, u->past[k])
        bitset_add(fragment_row(u, u->succ, at), i);
    return i;
}

static bool was_there(const struct fragment *u, uint32_t i)
{
    return u->op[i].op.method == ASSAY_ANY_ARITY + 1;
}

uint32_t fragment_hold(struct fragment *u, struct value v, bool first)
{
    uint32_t i = take(u);
    u->op[i] = (struct fragment_op){.op = {.method = ASSAY_ANY_ARITY + 1, .arg = v},
                                    .roles = ROLE_ADD,
                                    .value = v,
                                    .known = true,
                                    .unchecked = true};
    for (uint32_t k = 0; k < u->cap; k++)
        if (k != i && bitset_has(u->taken, k) && (first || !was_there(u, k))) {
            bitset_add(fragment_row(u, u->succ, i), k);
            bitset_add(fragment_row(u, u->pred, k), i);
        }
    bitset_add(u->used, i);
    bitset_add(u->returned, i);
    bitset_add(u->past, i);
    return i;
}

/* Operations that took an open call for their partner may have been wrong. */
static void part_swaps(struct fragment *u, uint32_t i)
{
    for (uint32_t k = 0; k < u->cap; k++)
        if (bitset_has(u->returned, k) && bitset_has(fragment_row(u, u->may, k), i) &&
            !(u->op[i].roles & ROLE_SWAP && online_can_swap(&u->op[i].op, &u->op[k].op)))
            bitset_remove(fragment_row(u, u->may, k), i);
}

bool fragment_return(struct fragment *u, uint32_t i, uint64_t step, struct value result)
{
    struct fragment_op *o = &u->op[i];
    const struct call_label *l = call_label_of(u->theory->labels, o->op.method, online_outcome(result));
    o->op.returned = step;
    o->op.result = result;
    if (!l) {
        u->impossible = i;
        return false;
    }
    o->roles = l->roles;
    label(o, l);
    u->tagged |= theory_names(l, result);
    bitset_add(u->returned, i);
    bitset_add(u->used, i);
    bitset_join(u->past, fragment_row(u, u->pred, i), u->w);
    bitset_add(u->past, i);
    for (uint32_t k = 0; k < u->cap; k++)
        if (bitset_has(u->taken, k) && can_match(u, k, i))
            bitset_add(fragment_row(u, u->may, i), k);
    if (u->theory->interval)
        part_swaps(u, i);
    return saturate(u);
}

void fragment_drop(struct fragment *u, uint32_t i)
{
    uint64_t *sets[] = {u->taken, u->used, u->returned, u->past};
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++)
        bitset_remove(sets[k], i);
    for (uint32_t k = 0; k < u->cap; k++)
        if (bitset_has(u->taken, k)) {
            bitset_remove(fragment_row(u, u->pred, k), i);
            bitset_remove(fragment_row(u, u->succ, k), i);
            bitset_remove(fragment_row(u, u->may, k), i);
        }
    uint32_t n = 0;
    for (uint32_t k = 0; k < u->facts.n; k++) {
        const struct fragment_fact *r = &u->facts.at[k];
        bool gone = r->from == i || r->to == i;
        for (int b = 0; b < THEORY_VARIABLES; b++)
            gone |= r->bound[b] == i;
        if (!gone)
            u->facts.at[n++] = *r;
    }
    u->facts.n = n;
    u->live--;
}

uint64_t fragment_oldest(const struct fragment *u)
{
    uint64_t oldest = ONLINE_NEVER;
    BITSET_EACH (at, i, u->w, u->taken[i] & ~u->returned[i]) {
        uint64_t called = u->op[at].op.called;
        oldest = called < oldest ? called : oldest;
    }
    return oldest;
}

/* ---- explaining ---- */

static void say(const struct fragment *u, struct online_fault *out, uint32_t *place, uint32_t i, struct mem *m)
{
    if (place[i] == ID_NONE) {
        place[i] = out->ops.n;
        vec_push(m, &out->ops, u->op[i].op);
    }
    text_printf(&out->why, "{%u}", (unsigned)place[i]);
}

void fragment_explain(const struct fragment *u, struct online_fault *out, struct mem *m)
{
    if (u->impossible != ID_NONE) {
        vec_push(m, &out->ops, u->op[u->impossible].op);
        text_puts(&out->why, "{0} cannot return this\n");
        return;
    }
    uint32_t *place = mem_new(m, uint32_t, u->cap);
    for (uint32_t i = 0; i < u->cap; i++)
        place[i] = ID_NONE;
    for (uint32_t i = 0; i < u->facts.n; i++) {
        const struct fragment_fact *r = &u->facts.at[i];
        say(u, out, place, r->from, m);
        text_puts(&out->why, " comes before ");
        say(u, out, place, r->to, m);
        text_printf(&out->why, ", because %s\n", r->axiom->says);
    }
    text_printf(&out->why, "But %s: ", u->conflict.axiom->says);
    for (int b = 0; b < THEORY_VARIABLES && u->conflict.bound[b] != ID_NONE; b++) {
        text_puts(&out->why, b ? " and " : "");
        say(u, out, place, u->conflict.bound[b], m);
    }
    if (u->conflict.bound[0] == ID_NONE) { /* all of them together */
        for (uint32_t i = 0; i < u->cap; i++)
            if (bitset_has(u->used, i))
                say(u, out, place, i, m);
    }
    text_puts(&out->why, " cannot be placed\n");
    mem_free(m, place);
}
