/* SPDX-License-Identifier: Apache-2.0 */
/* Unit propagation with two watched literals. Clauses are learned up to the first unique implication point. The
 * variable that was in most of the recent conflicts is chosen. There are restarts, and learned clauses stay: the
 * questions are small. Sources: Marques-Silva and Sakallah 1996 (GRASP), Moskewicz and others 2001 (Chaff). */
#include "search/clauses.h"

#include "base/hash.h"

enum { UNKNOWN, TRUE, FALSE };
enum { FIRST_RESTART = 128 };

#define NO_CLAUSE UINT32_MAX

struct watchers { /* of a literal: clauses that watch it */
    uint32_t *at;
    uint32_t n, cap;
};

struct clauses {
    struct mem *m;
    struct budget *b;
    uint32_t n;          /* variables */
    VEC(uint32_t) arena; /* of each clause: its length, then its literals; the first two are watched */
    struct watchers *watchers;
    uint8_t *value; /* of each literal */
    uint32_t *level, *reason;
    uint32_t *preferred; /* of each variable: a literal */
    VEC(uint32_t) trail; /* literals that are true, in order */
    VEC(uint32_t) marks; /* length of the trail at each decision */
    uint32_t next;       /* of the trail: to be propagated */
    double *weight, step;
    VEC(uint32_t) heap; /* of variables, the heaviest on top */
    uint32_t *place;    /* in the heap, or ID_NONE */
    bool *seen;
    VEC(uint32_t) learned;
    bool contradiction; /* a clause cannot be satisfied at all */
};

/* ---- choosing a variable ---- */

static void settle(struct clauses *c, uint32_t at, uint32_t v)
{
    c->heap.at[at] = v;
    c->place[v] = at;
}

static void sift_up(struct clauses *c, uint32_t at)
{
    uint32_t v = c->heap.at[at];
    for (; at && c->weight[v] > c->weight[c->heap.at[(at - 1) / 2]]; at = (at - 1) / 2)
        settle(c, at, c->heap.at[(at - 1) / 2]);
    settle(c, at, v);
}

static void sift_down(struct clauses *c, uint32_t at)
{
    uint32_t v = c->heap.at[at];
    for (uint32_t child; (child = 2 * at + 1) < c->heap.n; at = child) {
        if (child + 1 < c->heap.n && c->weight[c->heap.at[child + 1]] > c->weight[c->heap.at[child]])
            child++;
        if (c->weight[c->heap.at[child]] <= c->weight[v])
            break;
        settle(c, at, c->heap.at[child]);
    }
    settle(c, at, v);
}

static void into_heap(struct clauses *c, uint32_t v)
{
    if (c->place[v] != ID_NONE)
        return;
    vec_push(c->m, &c->heap, v);
    c->place[v] = c->heap.n - 1;
    sift_up(c, c->heap.n - 1);
}

static uint32_t heaviest(struct clauses *c)
{
    uint32_t v = c->heap.at[0], last = vec_pop(&c->heap);
    c->place[v] = ID_NONE;
    if (c->heap.n) {
        settle(c, 0, last);
        sift_down(c, 0);
    }
    return v;
}

static void bump(struct clauses *c, uint32_t v)
{
    c->weight[v] += c->step;
    if (c->weight[v] > 1e100) {
        for (uint32_t i = 0; i < c->n; i++)
            c->weight[i] *= 1e-100;
        c->step *= 1e-100;
    }
    if (c->place[v] != ID_NONE)
        sift_up(c, c->place[v]);
}

/* ---- propagation ---- */

static void assign(struct clauses *c, uint32_t literal, uint32_t reason)
{
    c->value[literal] = TRUE;
    c->value[clauses_not(literal)] = FALSE;
    c->level[literal / 2] = c->marks.n;
    c->reason[literal / 2] = reason;
    vec_push(c->m, &c->trail, literal);
}

/* Literal `away` of the clause has become false. Finds another literal to watch; false: all others are false too,
 * except perhaps the first, which the clause's literals then begin with. */
static bool watch_another(struct clauses *c, uint32_t clause, uint32_t away)
{
    uint32_t length = c->arena.at[clause], *at = c->arena.at + clause + 1;
    if (at[0] == away) {
        at[0] = at[1];
        at[1] = away;
    }
    for (uint32_t i = 2; i < length; i++)
        if (c->value[at[i]] != FALSE) {
            at[1] = at[i];
            at[i] = away;
            vec_push(c->m, &c->watchers[at[1]], clause);
            return true;
        }
    return false;
}

/* Returns a clause all of whose literals are false, or NO_CLAUSE. */
static uint32_t propagate_one(struct clauses *c, uint32_t away)
{
    uint32_t kept = 0, conflict = NO_CLAUSE;
    for (uint32_t i = 0; i < c->watchers[away].n; i++) {
        uint32_t clause = c->watchers[away].at[i];
        const uint32_t *at = c->arena.at + clause + 1;
        bool holds = c->value[at[0]] == TRUE || c->value[at[1]] == TRUE;
        if (conflict == NO_CLAUSE && !holds && watch_another(c, clause, away))
            continue;
        c->watchers[away].at[kept++] = clause;
        if (conflict != NO_CLAUSE || holds)
            continue;
        if (c->value[at[0]] == FALSE)
            conflict = clause;
        else
            assign(c, at[0], clause);
    }
    c->watchers[away].n = kept;
    return conflict;
}

static uint32_t propagate(struct clauses *c)
{
    uint32_t conflict = NO_CLAUSE;
    while (conflict == NO_CLAUSE && c->next < c->trail.n) {
        budget_tick(c->b);
        conflict = propagate_one(c, clauses_not(c->trail.at[c->next++]));
    }
    return conflict;
}

static void go_back(struct clauses *c, uint32_t level)
{
    if (c->marks.n <= level)
        return;
    while (c->trail.n > c->marks.at[level]) {
        uint32_t literal = vec_pop(&c->trail);
        c->value[literal] = c->value[clauses_not(literal)] = UNKNOWN;
        c->preferred[literal / 2] = literal;
        into_heap(c, literal / 2);
    }
    c->marks.n = level;
    c->next = c->trail.n;
}

/* ---- learning ---- */

static uint32_t add_clause(struct clauses *c, const uint32_t *literals, uint32_t n)
{
    uint32_t clause = c->arena.n;
    vec_push(c->m, &c->arena, n);
    for (uint32_t i = 0; i < n; i++)
        vec_push(c->m, &c->arena, literals[i]);
    vec_push(c->m, &c->watchers[literals[0]], clause);
    vec_push(c->m, &c->watchers[literals[1]], clause);
    return clause;
}

/* Notes the literals of the clause: those of this level are resolved upon, earlier ones are part of the learned
 * clause. Returns the number of the former. */
static uint32_t note_literals(struct clauses *c, uint32_t clause, uint32_t resolved)
{
    uint32_t here = 0;
    for (uint32_t i = 1; i <= c->arena.at[clause]; i++) {
        uint32_t literal = c->arena.at[clause + i], v = literal / 2;
        if (literal == resolved || c->seen[v] || !c->level[v])
            continue;
        c->seen[v] = true;
        bump(c, v);
        if (c->level[v] == c->marks.n)
            here++;
        else
            vec_push(c->m, &c->learned, literal);
    }
    return here;
}

/* Learns a clause from the conflict; its first literal becomes true when the search has gone back. */
static void learn(struct clauses *c, uint32_t conflict)
{
    uint32_t at = c->trail.n, resolved = NO_CLAUSE;
    vec_clear(&c->learned);
    vec_push(c->m, &c->learned, 0);
    for (uint32_t open = note_literals(c, conflict, resolved);;) {
        while (!c->seen[c->trail.at[--at] / 2])
            ;
        resolved = c->trail.at[at];
        c->seen[resolved / 2] = false;
        if (!--open)
            break;
        open += note_literals(c, c->reason[resolved / 2], resolved);
    }
    c->learned.at[0] = clauses_not(resolved);
    for (uint32_t i = 1; i < c->learned.n; i++)
        c->seen[c->learned.at[i] / 2] = false;
}

/* Goes back as far as the learned clause has one literal that is not false. */
static void use_learned(struct clauses *c)
{
    uint32_t *at = c->learned.at, last = 1;
    if (c->learned.n == 1) {
        go_back(c, 0);
        assign(c, at[0], NO_CLAUSE);
        return;
    }
    for (uint32_t i = 2; i < c->learned.n; i++)
        last = c->level[at[i] / 2] > c->level[at[last] / 2] ? i : last;
    uint32_t other = at[1];
    at[1] = at[last];
    at[last] = other;
    go_back(c, c->level[at[1] / 2]);
    assign(c, at[0], add_clause(c, at, c->learned.n));
}

/* ---- solving ---- */

void clauses_add(struct clauses *c, const uint32_t *literals, uint32_t n)
{
    vec_clear(&c->learned);
    for (uint32_t i = 0; i < n; i++) {
        if (c->value[literals[i]] == TRUE)
            return;
        if (c->value[literals[i]] == UNKNOWN)
            vec_push(c->m, &c->learned, literals[i]);
    }
    if (!c->learned.n)
        c->contradiction = true;
    else if (c->learned.n == 1)
        assign(c, c->learned.at[0], NO_CLAUSE);
    else
        add_clause(c, c->learned.at, c->learned.n);
}

/* Makes a decision. False: all variables have values. */
static bool decide(struct clauses *c)
{
    while (c->heap.n) {
        uint32_t v = heaviest(c);
        if (c->value[(size_t)2 * v] != UNKNOWN)
            continue;
        vec_push(c->m, &c->marks, c->trail.n);
        assign(c, c->preferred[v], NO_CLAUSE);
        return true;
    }
    return false;
}

bool clauses_solve(struct clauses *c)
{
    for (uint32_t conflicts = 0, restart = FIRST_RESTART; !c->contradiction;) {
        uint32_t conflict = propagate(c);
        if (conflict == NO_CLAUSE) {
            if (!decide(c))
                return true;
            continue;
        }
        if (!c->marks.n)
            return false;
        learn(c, conflict);
        use_learned(c);
        c->step *= 1.05;
        if (++conflicts == restart) {
            conflicts = 0;
            restart += restart / 2;
            go_back(c, 0);
        }
    }
    return false;
}

bool clauses_value(const struct clauses *c, uint32_t variable)
{
    return c->value[(size_t)2 * variable] == TRUE;
}

void clauses_prefer(struct clauses *c, uint32_t literal)
{
    c->preferred[literal / 2] = literal;
}

struct clauses *clauses_new(struct mem *m, struct budget *b, uint32_t variables)
{
    struct clauses *c = mem_new_zero(m, struct clauses, 1);
    size_t literals = 2 * (size_t)variables + 1;
    c->m = m;
    c->b = b;
    c->n = variables;
    c->step = 1;
    c->watchers = mem_new_zero(m, struct watchers, literals);
    c->value = mem_new_zero(m, uint8_t, literals);
    c->level = mem_new_zero(m, uint32_t, variables + 1);
    c->reason = mem_new(m, uint32_t, variables + 1);
    c->preferred = mem_new(m, uint32_t, variables + 1);
    c->weight = mem_new_zero(m, double, variables + 1);
    c->place = mem_new_ids(m, variables + 1);
    c->seen = mem_new_zero(m, bool, variables + 1);
    for (uint32_t v = 0; v < variables; v++) {
        c->preferred[v] = 2 * v;
        into_heap(c, v);
    }
    return c;
}

void clauses_free(struct clauses *c)
{
    struct mem *m = c->m;
    for (size_t i = 0; i < 2 * (size_t)c->n; i++)
        vec_free(m, &c->watchers[i]);
    void *const blocks[] = {c->arena.at, c->watchers, c->value,   c->level, c->reason, c->preferred, c->trail.at,
                            c->marks.at, c->weight,   c->heap.at, c->place, c->seen,   c->learned.at};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        mem_free(m, blocks[i]);
    mem_free(m, c);
}
