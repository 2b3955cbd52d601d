/* SPDX-License-Identifier: Apache-2.0 */
/* Lemmas and learned clauses: no order of the writes is left.
 *
 * A lemma, a cycle, says that not all the store orders that it assumes hold together. Its assumptions are the case
 * steps of the cycle and of the paths it rests on. The store order of a variable is total. So "v before w" and "w
 * before v" are a literal and its negation, and lemmas are clauses. To check a learned clause, "not all of these
 * pairs", all of its pairs are assumed. It is accepted when unit propagation over the lemmas and the clauses before it
 * then runs into a contradiction. So it follows from them; and when the clause without any pair does, there is no store
 * order.
 *
 * Invariant of the propagation: each clause that is kept has two watched literals, its first two. One of them is false
 * only if the other is true, or while the watchers of that literal are being visited. Consequences of no assumption
 * stay on the trail for good.
 * Source: reverse unit propagation (Goldberg and Novikov, DATE'03; Van Gelder, ISAIM'08), watched literals
 * (Moskewicz et al., DAC'01). */
#include "recheck/recheck.h"

#include <stdio.h>

struct clause {
    uint32_t at, count; /* in literals */
    uint32_t next[2];   /* the next watcher of the first and of the second literal */
};

enum { UNKNOWN, TRUE, FALSE };

struct cases {
    struct recheck *x;
    struct idmap variables; /* a pair of writes, smaller first -> number; literal 2n: in this order */
    uint32_t literals_made;
    VEC(uint32_t) literals;
    VEC(struct clause) clauses;
    VEC(uint32_t) watchers; /* of a literal: 2 * clause + which of its first two, or ID_NONE */
    VEC(uint8_t) value;     /* of a literal */
    VEC(uint32_t) mark;     /* of a literal: the last clause collected that has it, + 1 */
    uint32_t collected;
    VEC(uint32_t) trail; /* literals that are true */
    uint32_t done;       /* of the trail, propagated */
    bool contradiction;  /* without any assumption */

    VEC(uint32_t) waiting; /* reasons to be looked through for assumptions */
    uint32_t *visited;     /* of a reason: the last lemma that rests on it, + 1 */
};

/* ---- literals ---- */

/* "v is stored before w". */
static uint32_t literal(struct cases *c, uint32_t v, uint32_t w)
{
    uint64_t key = v < w ? (uint64_t)v << 32 | w : (uint64_t)w << 32 | v;
    struct mem *m = c->x->mem;
    uint32_t *number = idmap_at(m, &c->variables, key);
    if (*number == ID_NONE) {
        *number = c->literals_made++;
        for (int sign = 0; sign < 2; sign++) {
            vec_push(m, &c->watchers, ID_NONE);
            vec_push(m, &c->value, UNKNOWN);
            vec_push(m, &c->mark, 0);
        }
    }
    return 2 * *number + (v > w);
}

static void assign(struct cases *c, uint32_t l)
{
    c->value.at[l] = TRUE;
    c->value.at[l ^ 1] = FALSE;
    vec_push(c->x->mem, &c->trail, l);
}

static void forget(struct cases *c, uint32_t trail)
{
    while (c->trail.n > trail) {
        uint32_t l = vec_pop(&c->trail);
        c->value.at[l] = c->value.at[l ^ 1] = UNKNOWN;
    }
    c->done = trail;
}

/* ---- propagation ---- */

static void watch(struct cases *c, uint32_t clause, uint32_t which)
{
    struct clause *k = &c->clauses.at[clause];
    uint32_t *head = &c->watchers.at[c->literals.at[k->at + which]];
    k->next[which] = *head;
    *head = 2 * clause + which;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t t = *a;
    *a = *b;
    *b = t;
}

/* The watched literal `which` has become false: watch another one that is not. False: there is none. */
static bool watch_another(struct cases *c, uint32_t clause, uint32_t which)
{
    struct clause *k = &c->clauses.at[clause];
    uint32_t *l = c->literals.at + k->at;
    for (uint32_t i = 2; i < k->count; i++)
        if (c->value.at[l[i]] != FALSE) {
            swap(&l[which], &l[i]);
            watch(c, clause, which);
            return true;
        }
    return false;
}

/* Visits the clauses that watch l, which is false. False: one of them is violated. */
static bool visit_watchers(struct cases *c, uint32_t l)
{
    uint32_t next = c->watchers.at[l];
    bool fine = true;
    c->watchers.at[l] = ID_NONE;
    while (next != ID_NONE) {
        uint32_t clause = next / 2, which = next % 2;
        struct clause *k = &c->clauses.at[clause];
        uint32_t other = c->literals.at[k->at + 1 - which];
        budget_tick(c->x->budget);
        next = k->next[which];
        if (fine && c->value.at[other] != TRUE && watch_another(c, clause, which))
            continue;
        watch(c, clause, which);
        if (!fine || c->value.at[other] == TRUE)
            continue;
        fine = c->value.at[other] != FALSE;
        if (fine)
            assign(c, other);
    }
    return fine;
}

static bool propagate(struct cases *c)
{
    while (c->done < c->trail.n)
        if (!visit_watchers(c, c->trail.at[c->done++] ^ 1))
            return false;
    return true;
}

/* ---- clauses ---- */

static void begin_clause(struct cases *c)
{
    struct clause k = {.at = c->literals.n};
    vec_push(c->x->mem, &c->clauses, k);
    c->collected++;
}

/* A literal of the clause begun: v is not stored before w. */
static void exclude(struct cases *c, uint32_t v, uint32_t w)
{
    uint32_t l = literal(c, v, w) ^ 1;
    if (c->mark.at[l] == c->collected)
        return;
    c->mark.at[l] = c->collected;
    vec_push(c->x->mem, &c->literals, l);
    vec_last(&c->clauses).count++;
}

/* The clause begun is complete, and nothing is assumed. A literal that is false now stays false. So a clause with a
 * single literal left is that literal and need not be kept. */
static void end_clause(struct cases *c)
{
    struct clause *k = &vec_last(&c->clauses);
    uint32_t *l = k->count ? c->literals.at + k->at : NULL, open = 0;
    for (uint32_t i = 0; i < k->count && open < 2; i++)
        if (c->value.at[l[i]] != FALSE)
            swap(&l[open++], &l[i]);
    if (open == 2) {
        watch(c, c->clauses.n - 1, 0);
        watch(c, c->clauses.n - 1, 1);
        return;
    }
    if (open && c->value.at[l[0]] == UNKNOWN)
        assign(c, l[0]);
    c->contradiction |= !open || !propagate(c);
    c->literals.n = k->at;
    (void)vec_pop(&c->clauses);
}

/* ---- lemmas ---- */

static void collect(struct cases *c, struct span steps)
{
    const struct evidence *ev = &c->x->line->evidence;
    for (uint32_t i = steps.at; i < steps.at + steps.count; i++) {
        const assay_step *s = &ev->steps.at[i];
        if (s->rule == ASSAY_CASE) {
            exclude(c, s->from, s->to);
        } else if (s->reason != ASSAY_NO_REASON && c->visited[s->reason] != c->collected) {
            c->visited[s->reason] = c->collected;
            vec_push(c->x->mem, &c->waiting, s->reason);
        }
    }
}

static void add_lemma(struct cases *c, struct span cycle)
{
    const struct evidence *ev = &c->x->line->evidence;
    begin_clause(c);
    collect(c, cycle);
    while (c->waiting.n) {
        const struct reason *r = &ev->reasons.at[vec_pop(&c->waiting)];
        collect(c, (struct span){r->path_at, r->path_count});
    }
    end_clause(c);
}

/* ---- learned clauses ---- */

static bool check_pairs(const struct cases *c, uint32_t i, struct span pairs)
{
    const struct recheck *x = c->x;
    char where[40];
    snprintf(where, sizeof where, "learned clause %u", i);
    for (uint32_t at = pairs.at; at < pairs.at + pairs.count; at++) {
        assay_pair p = x->line->evidence.pairs.at[at];
        if (!takes_part(x, p.first, where) || !takes_part(x, p.second, where))
            return false;
        if (!are_writes(x, p.first, p.second))
            return refuse(x, "%s: %s and %s are not two writes of one variable", where, operation_text(x, p.first),
                          operation_text(x, p.second));
    }
    return true;
}

/* Does assuming all the pairs lead to a contradiction? */
static bool follows(struct cases *c, struct span pairs)
{
    if (c->contradiction)
        return true;
    uint32_t trail = c->trail.n;
    bool fine = true;
    for (uint32_t at = pairs.at; fine && at < pairs.at + pairs.count; at++) {
        assay_pair p = c->x->line->evidence.pairs.at[at];
        uint32_t l = literal(c, p.first, p.second);
        fine = c->value.at[l] != FALSE;
        if (c->value.at[l] == UNKNOWN)
            assign(c, l);
    }
    fine = fine && propagate(c);
    forget(c, trail);
    return !fine;
}

static bool learn(struct cases *c, uint32_t i, struct span pairs)
{
    if (!check_pairs(c, i, pairs))
        return false;
    if (!follows(c, pairs))
        return refuse(c->x, "learned clause %u does not follow by unit propagation", i);
    begin_clause(c);
    for (uint32_t at = pairs.at; at < pairs.at + pairs.count; at++) {
        assay_pair p = c->x->line->evidence.pairs.at[at];
        exclude(c, p.first, p.second);
    }
    end_clause(c);
    return true;
}

bool recheck_cases(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    struct cases c = {.x = x, .visited = mem_new_zero(x->mem, uint32_t, ev->reasons.n)};
    for (uint32_t i = 0; i < ev->lemmas.n && !c.contradiction; i++)
        add_lemma(&c, ev->lemmas.at[i]);
    for (uint32_t i = 0; i < ev->learned.n; i++)
        if (!learn(&c, i, ev->learned.at[i]))
            return false;
    return (ev->learned.n && !vec_last(&ev->learned).count) || refuse(x, "the last learned clause must be empty");
}
