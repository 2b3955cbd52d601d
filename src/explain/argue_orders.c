/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/argue_orders.h"

#include <string.h>

enum { MOST_TRIES = 4000, MOST_DEPTH = 5, MOST_LINES = 28 };

struct argue_orders *argue_orders_new(struct mem *m)
{
    struct argue_orders *a = mem_new_zero(m, struct argue_orders, 1);
    struct argue_fact none = {0};
    a->m = m;
    vec_push(m, &a->facts, none);
    return a;
}

/* ---- facts ---- */

static bool is_before(const struct argue_state *s, uint8_t x, uint8_t y)
{
    return s->order[x][y] != ARGUE_NO_FACT;
}

static bool is_wrong(const struct argue_state *s)
{
    return s->wrong[0] != ARGUE_NO_FACT;
}

static void note(struct argue_orders *a, struct argue_state *s, struct argue_fact f)
{
    if (is_before(s, f.from, f.to) || is_wrong(s))
        return;
    s->order[f.from][f.to] = a->facts.n;
    vec_push(a->m, &a->facts, f);
    if (is_before(s, f.to, f.from)) {
        s->wrong[0] = s->order[f.from][f.to];
        s->wrong[1] = s->order[f.to][f.from];
    }
}

static void note_chain(struct argue_orders *a, struct argue_state *s, uint8_t x, uint8_t y, uint8_t z)
{
    struct argue_fact f = {x, z, ARGUMENT_CHAIN, {s->order[x][y], s->order[y][z]}, 2};
    note(a, s, f);
}

/* The fact with all that follows by transitivity. */
static void add(struct argue_orders *a, struct argue_state *s, struct argue_fact f)
{
    uint8_t x = f.from, y = f.to;
    if (is_before(s, x, y) || is_wrong(s))
        return;
    note(a, s, f);
    for (uint8_t p = 0; p < a->n; p++)
        if (is_before(s, p, x))
            note_chain(a, s, p, x, y);
    for (uint8_t p = 0; p < a->n; p++)
        for (uint8_t q = 0; q < a->n; q++)
            if ((p == x || is_before(s, p, x)) && is_before(s, p, y) && is_before(s, y, q))
                note_chain(a, s, p, y, q);
}

static void add_plain(struct argue_orders *a, struct argue_state *s, uint8_t x, uint8_t y, enum argument_rule rule)
{
    add(a, s, (struct argue_fact){.from = x, .to = y, .rule = rule});
}

void argue_in_time(struct argue_orders *a, struct argue_state *s, uint8_t x, uint8_t y)
{
    bool start = a->node[x].op == ASSAY_NO_OPERATION;
    add_plain(a, s, x, y, a->node[y].kind == ARGUE_NEVER ? ARGUMENT_LAST : start ? ARGUMENT_START : ARGUMENT_TIME);
}

/* ---- rules ---- */

struct pair {
    uint8_t x, y;
};

/* At least one of these orders holds. */
static void clause(struct argue_orders *a, struct argue_state *s, const struct pair *any, uint8_t n,
                   enum argument_rule rule)
{
    struct argue_fact f = {.rule = rule};
    uint8_t left = 0;
    for (uint8_t i = 0; i < n; i++) {
        if (any[i].x == any[i].y || is_before(s, any[i].x, any[i].y))
            return; /* it holds, or the call is itself the other one */
        if (is_before(s, any[i].y, any[i].x) && !(i + 1 == n && !left)) {
            f.premise[f.premises++] = s->order[any[i].y][any[i].x];
        } else {
            f.from = any[i].x;
            f.to = any[i].y;
            left++;
        }
    }
    if (left == 1)
        add(a, s, f);
}

static bool finds(const struct argue_orders *a, uint8_t o)
{
    return a->node[o].kind == ARGUE_TAKE || a->node[o].kind == ARGUE_PEEK;
}

/* o found nothing, or what u was is known to have been taken out. */
static void rule_empty(struct argue_orders *a, struct argue_state *s, uint8_t o, uint8_t u)
{
    if (s->taker[u] == ARGUE_NO)
        return;
    const struct pair any[] = {{o, u}, {s->taker[u], o}};
    clause(a, s, any, 2, ARGUMENT_EMPTY);
}

/* o found the value of v, while there may have been that of u. */
static void rule_found(struct argue_orders *a, struct argue_state *s, uint8_t o, uint8_t v, uint8_t u)
{
    uint8_t r = s->taker[u];
    if (r == ARGUE_NO || r == o)
        return;
    const struct argue_node *of = a->node;
    if (a->by_priority) {
        const struct pair any[] = {{o, u}, {r, o}};
        if (of[u].priority > of[v].priority)
            clause(a, s, any, 2, ARGUMENT_PRIORITY);
        return;
    }
    bool whole = of[v].end != of[o].end, same = of[u].end == of[o].end, deque = of[u].end != of[v].end;
    const struct pair nearer[] = {{u, v}, {o, u}, {r, o}}, farther[] = {{v, u}, {r, o}};
    if (same)
        clause(a, s, nearer, 3, whole || deque ? ARGUMENT_NEARER : ARGUMENT_LIFO);
    if (whole)
        clause(a, s, farther, 2, same || deque ? ARGUMENT_NEARER : ARGUMENT_FIFO);
}

static void apply(struct argue_orders *a, struct argue_state *s, uint8_t o)
{
    uint8_t v = s->match[o];
    if (s->out[o] || (finds(a, o) && v == ARGUE_NO))
        return;
    for (uint8_t u = 0; u < a->n && !is_wrong(s); u++) {
        if (a->node[u].kind != ARGUE_ADD || u == v)
            continue;
        if (a->node[o].kind == ARGUE_EMPTY)
            rule_empty(a, s, o, u);
        else if (finds(a, o))
            rule_found(a, s, o, v, u);
    }
    if (finds(a, o)) {
        add_plain(a, s, v, o, ARGUMENT_FOUND);
        if (a->node[o].kind == ARGUE_PEEK && s->taker[v] != ARGUE_NO)
            add_plain(a, s, o, s->taker[v], ARGUMENT_TAKEN);
    }
}

static void propagate(struct argue_orders *a, struct argue_state *s)
{
    for (uint32_t before = 0; before != a->facts.n && !is_wrong(s);) {
        before = a->facts.n;
        for (uint8_t o = 0; o < a->n && !is_wrong(s); o++)
            apply(a, s, o);
    }
}

/* ---- which value did a call find? ---- */

static bool is_of(const struct argue_orders *a, uint8_t o, uint8_t u)
{
    bool any = a->node[o].open && a->node[o].value == ID_NONE;
    return a->node[u].kind == ARGUE_ADD && (any || a->node[o].value == a->node[u].value);
}

static bool may_match(const struct argue_orders *a, const struct argue_state *s, uint8_t o, uint8_t u)
{
    return is_of(a, o, u) && !is_before(s, o, u) && (a->node[o].kind == ARGUE_PEEK || s->taker[u] == ARGUE_NO);
}

static bool is_undecided(const struct argue_orders *a, const struct argue_state *s, uint8_t o)
{
    return finds(a, o) && s->match[o] == ARGUE_NO && !s->out[o];
}

static uint8_t never_of(const struct argue_orders *a, uint8_t u)
{
    for (uint8_t i = 0; i < a->n; i++)
        if (a->node[i].kind == ARGUE_NEVER && a->node[i].priority == u)
            return i;
    return ARGUE_NO;
}

/* Values that no call can have taken any more are never taken. */
static void settle_takers(struct argue_orders *a, struct argue_state *s)
{
    for (uint8_t u = 0; u < a->n; u++) {
        if (a->node[u].kind != ARGUE_ADD || s->taker[u] != ARGUE_NO)
            continue;
        bool open = false;
        for (uint8_t o = 0; o < a->n; o++)
            open |= a->node[o].kind == ARGUE_TAKE && is_undecided(a, s, o) && may_match(a, s, o, u);
        if (!open)
            s->taker[u] = never_of(a, u);
    }
}

static void take(struct argue_orders *a, struct argue_state *s, uint8_t o, uint8_t u)
{
    s->match[o] = u;
    if (a->node[o].kind == ARGUE_TAKE)
        s->taker[u] = o;
}

static uint32_t adds_of_value(const struct argue_orders *a, uint32_t value)
{
    uint32_t n = 0;
    for (uint8_t u = 0; u < a->n; u++)
        n += a->node[u].kind == ARGUE_ADD && a->node[u].value == value;
    return n;
}

/* Calls whose value was put in only once need no word. */
static void match_plain(struct argue_orders *a, struct argue_state *s)
{
    for (uint8_t o = 0; o < a->n; o++)
        if (is_undecided(a, s, o) && !a->node[o].open && adds_of_value(a, a->node[o].value) == 1)
            for (uint8_t u = 0; u < a->n; u++)
                if (may_match(a, s, o, u))
                    take(a, s, o, u);
}

/* ---- cases ---- */

struct scene { /* a case, and the argument in it */
    struct argue_state s;
    enum { LEAF, NONE_LEFT, SPLIT } kind;
    uint8_t about; /* the call whose choices the cases are, or of which none is left; ARGUE_NO: cases of a pair */
    uint32_t n;
    struct scene **cases;
    struct argument_line head; /* the assumption */
};

static struct argument_end end_of(const struct argue_orders *a, uint8_t i)
{
    const struct argue_node *node = &a->node[i];
    bool never = node->kind == ARGUE_NEVER;
    return (struct argument_end){node->op, node->shown, never, never ? a->node[node->priority].op : ASSAY_NO_OPERATION};
}

static struct argument_order told(const struct argue_orders *a, uint8_t x, uint8_t y, enum argument_rule rule)
{
    return (struct argument_order){end_of(a, x), end_of(a, y), rule};
}

static struct scene *scene_of(struct argue_orders *a, const struct argue_state *s)
{
    struct scene *c = mem_new_zero(a->m, struct scene, 1);
    c->s = *s;
    c->about = ARGUE_NO;
    return c;
}

static struct scene *assume_before(struct argue_orders *a, const struct argue_state *s, uint8_t x, uint8_t y)
{
    struct scene *c = scene_of(a, s);
    c->head = (struct argument_line){.kind = ARGUMENT_IF_BEFORE, .order = told(a, x, y, ARGUMENT_ASSUMED)};
    add_plain(a, &c->s, x, y, ARGUMENT_ASSUMED);
    propagate(a, &c->s);
    return c;
}

static struct scene *assume_found(struct argue_orders *a, const struct argue_state *s, uint8_t o, uint8_t u)
{
    struct scene *c = scene_of(a, s);
    c->head.kind = u == ARGUE_NO ? ARGUMENT_IF_NOT : ARGUMENT_IF_FOUND;
    c->head.order = told(a, u == ARGUE_NO ? o : u, o, ARGUMENT_ASSUMED);
    if (u == ARGUE_NO)
        c->s.out[o] = true;
    else
        take(a, &c->s, o, u);
    settle_takers(a, &c->s);
    propagate(a, &c->s);
    return c;
}

/* Did it take effect? An open call may not have. */
static bool is_sure(const struct argue_orders *a, const struct argue_state *s, uint8_t x)
{
    return a->node[x].op != ASSAY_NO_OPERATION && a->node[x].kind != ARGUE_NEVER && !s->out[x] &&
           !(a->node[x].open && s->match[x] == ARGUE_NO);
}

/* The two cases of a pair, and how many of them fail. If none does they are forgotten. */
static uint8_t try_pair(struct argue_orders *a, const struct argue_state *s, uint8_t x, uint8_t y,
                        struct scene *cases[2])
{
    uint32_t mark = a->facts.n;
    cases[0] = assume_before(a, s, x, y);
    cases[1] = assume_before(a, s, y, x);
    uint8_t wrong = (uint8_t)(is_wrong(&cases[0]->s) + is_wrong(&cases[1]->s));
    if (wrong)
        return wrong;
    a->facts.n = mark;
    mem_free(a->m, cases[0]);
    mem_free(a->m, cases[1]);
    return 0;
}

static bool solve(struct argue_orders *a, struct scene *c, uint32_t depth);

static bool solve_cases(struct argue_orders *a, struct scene *c, uint32_t depth)
{
    c->kind = SPLIT;
    for (uint32_t i = 0; i < c->n; i++)
        if (!solve(a, c->cases[i], depth + 1))
            return false;
    return true;
}

static void take_pair(struct argue_orders *a, struct scene *c, struct scene *first, struct scene *second)
{
    c->cases = mem_new(a->m, struct scene *, 2);
    c->cases[0] = first;
    c->cases[1] = second;
    c->n = 2;
    c->kind = SPLIT;
    c->about = ARGUE_NO;
}

/* Two cases that both fail are the argument. Else one that fails, and what is left: a step. */
static bool split_pair(struct argue_orders *a, struct scene *c, uint32_t depth, bool only_both)
{
    struct scene *best[2] = {NULL};
    for (uint8_t x = 0; x < a->n; x++)
        for (uint8_t y = (uint8_t)(x + 1); y < a->n; y++) {
            struct scene *cases[2];
            if (!is_sure(a, &c->s, x) || !is_sure(a, &c->s, y) || is_before(&c->s, x, y) || is_before(&c->s, y, x))
                continue;
            if (++a->tries > MOST_TRIES)
                return false;
            uint8_t wrong = try_pair(a, &c->s, x, y, cases);
            if (wrong == 2) {
                take_pair(a, c, cases[0], cases[1]);
                return true;
            }
            if (wrong == 1 && !best[0]) {
                best[0] = cases[0];
                best[1] = cases[1];
            }
        }
    if (only_both || !best[0])
        return false;
    bool second = !is_wrong(&best[0]->s); /* the failing case stands first */
    take_pair(a, c, best[second], best[!second]);
    return solve_cases(a, c, depth);
}

static uint32_t choices_of(const struct argue_orders *a, const struct argue_state *s, uint8_t o)
{
    uint32_t n = a->node[o].open;
    for (uint8_t u = 0; u < a->n; u++)
        n += may_match(a, s, o, u);
    return n;
}

/* The cases of the call, and how many of them fail at once. */
static uint32_t open_cases(struct argue_orders *a, struct scene *c, uint8_t o)
{
    uint32_t wrong = 0;
    c->n = 0;
    c->cases = mem_new(a->m, struct scene *, choices_of(a, &c->s, o) + 1);
    for (uint8_t u = 0; u < a->n; u++)
        if (may_match(a, &c->s, o, u))
            c->cases[c->n++] = assume_found(a, &c->s, o, u);
    if (a->node[o].open)
        c->cases[c->n++] = assume_found(a, &c->s, o, ARGUE_NO);
    for (uint32_t i = 0; i < c->n; i++)
        wrong += is_wrong(&c->cases[i]->s);
    a->tries += c->n;
    return wrong;
}

static void close_cases(struct argue_orders *a, struct scene *c, uint32_t mark)
{
    for (uint32_t i = 0; i < c->n; i++)
        mem_free(a->m, c->cases[i]);
    mem_free(a->m, c->cases);
    c->cases = NULL;
    c->n = 0;
    a->facts.n = mark;
}

/* A call of which all choices fail at once; else the one with the fewest choices. */
static bool split_match(struct argue_orders *a, struct scene *c, uint32_t depth)
{
    uint8_t best = ARGUE_NO;
    uint32_t fewest = UINT32_MAX, mark = a->facts.n;
    for (uint8_t o = 0; o < a->n; o++) {
        uint32_t n = is_undecided(a, &c->s, o) ? choices_of(a, &c->s, o) : UINT32_MAX;
        if (n == UINT32_MAX)
            continue;
        c->about = o;
        if (!n) {
            c->kind = NONE_LEFT;
            return true;
        }
        if (open_cases(a, c, o) == c->n) {
            c->kind = SPLIT;
            return true;
        }
        close_cases(a, c, mark);
        best = n < fewest ? o : best;
        fewest = n < fewest ? n : fewest;
    }
    c->about = best;
    if (best == ARGUE_NO)
        return false;
    open_cases(a, c, best);
    return solve_cases(a, c, depth);
}

static bool solve(struct argue_orders *a, struct scene *c, uint32_t depth)
{
    bool done;
    if (is_wrong(&c->s)) {
        c->kind = LEAF;
        return true;
    }
    if (depth > MOST_DEPTH || ++a->tries > MOST_TRIES)
        return false;
    done = split_pair(a, c, depth, true) || split_match(a, c, depth);
    return done || (a->tries <= MOST_TRIES && split_pair(a, c, depth, false));
}

/* ---- telling it ---- */

static void need(const struct argue_orders *a, uint32_t fact, bool *needed)
{
    if (needed[fact])
        return;
    needed[fact] = true;
    for (uint8_t i = 0; i < a->facts.at[fact].premises; i++)
        need(a, a->facts.at[fact].premise[i], needed);
}

/* A value that was put in only after the call is none of its choices. */
static void need_exclusions(const struct argue_orders *a, const struct scene *c, bool *needed)
{
    for (uint8_t u = 0; c->about != ARGUE_NO && u < a->n; u++)
        if (is_of(a, c->about, u) && is_before(&c->s, c->about, u))
            need(a, c->s.order[c->about][u], needed);
}

static void need_all(const struct argue_orders *a, const struct scene *c, bool *needed)
{
    need_exclusions(a, c, needed);
    if (c->kind == LEAF) {
        need(a, c->s.wrong[0], needed);
        need(a, c->s.wrong[1], needed);
    }
    for (uint32_t i = 0; i < c->n; i++)
        need_all(a, c->cases[i], needed);
}

static void tell_path(const struct argue_orders *a, struct explanation *x, uint32_t fact)
{
    const struct argue_fact *f = &a->facts.at[fact];
    if (f->rule == ARGUMENT_CHAIN) {
        tell_path(a, x, f->premise[0]);
        tell_path(a, x, f->premise[1]);
        return;
    }
    vec_push(x->mem, &x->argument.orders, told(a, f->from, f->to, f->rule));
}

static void tell_line(const struct argue_orders *a, struct explanation *x, struct argument_line line,
                      const uint32_t *facts, uint32_t n)
{
    line.path_at = x->argument.orders.n;
    for (uint32_t i = 0; i < n; i++)
        tell_path(a, x, facts[i]);
    line.path_count = x->argument.orders.n - line.path_at;
    vec_push(x->mem, &x->argument.lines, line);
}

static bool is_derived(const struct argue_fact *f)
{
    return f->rule > ARGUMENT_CHAIN;
}

/* The facts of the case that are needed, found before its cases were looked at or in one that was a step. */
static void tell(const struct argue_orders *a, const struct scene *c, const bool *needed, bool *said,
                 struct explanation *x, uint32_t depth)
{
    for (uint32_t i = 1; i < a->facts.n; i++) {
        const struct argue_fact *f = &a->facts.at[i];
        if (!needed[i] || said[i] || !is_derived(f) || c->s.order[f->from][f->to] != i)
            continue;
        said[i] = true;
        struct argument_line line = {ARGUMENT_SO, depth, told(a, f->from, f->to, f->rule), 0, 0};
        tell_line(a, x, line, f->premise, f->premises);
    }
    if (c->kind == LEAF) {
        struct argument_line line = {.kind = ARGUMENT_BUT, .depth = depth};
        tell_line(a, x, line, c->s.wrong, 2);
    } else if (c->kind == NONE_LEFT) {
        struct argument_line line = {ARGUMENT_NONE_LEFT, depth, told(a, c->about, c->about, ARGUMENT_ASSUMED), 0, 0};
        tell_line(a, x, line, NULL, 0);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        struct argument_line head = c->cases[i]->head;
        head.depth = depth;
        tell_line(a, x, head, NULL, 0);
        tell(a, c->cases[i], needed, said, x, depth + 1);
    }
}

bool argue_contradiction(struct argue_orders *a, struct argue_state *s, struct explanation *x)
{
    struct scene *all = scene_of(a, s);
    match_plain(a, &all->s);
    settle_takers(a, &all->s);
    propagate(a, &all->s);
    if (!solve(a, all, 0))
        return false;
    bool *needed = mem_new_zero(a->m, bool, a->facts.n + 1), *said = mem_new_zero(a->m, bool, a->facts.n + 1);
    need_all(a, all, needed);
    struct explanation out = {.mem = a->m};
    tell(a, all, needed, said, &out, 0);
    if (out.argument.lines.n > MOST_LINES)
        return false;
    for (uint32_t i = 0; i < out.argument.lines.n; i++)
        vec_push(x->mem, &x->argument.lines, out.argument.lines.at[i]);
    for (uint32_t i = 0; i < out.argument.orders.n; i++)
        vec_push(x->mem, &x->argument.orders, out.argument.orders.at[i]);
    return true;
}
