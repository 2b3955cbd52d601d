/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/serialize.h"

#include "base/radix.h"
#include "memory/readers.h"

#include <assert.h>
#include <string.h>

/* ---- the memory ---- */

void serialize_init(struct serialize *s, struct forced_order *w, struct mem *m)
{
    const struct rw *v = w->v;
    *s = (struct serialize){.w = w, .m = m};
    s->order = mem_new(m, uint32_t, v->n);
    s->done = mem_new_zero(m, uint32_t, w->graph[0].lanes);
    s->when = mem_new_ids(m, v->n);
    s->current = mem_new_ids(m, v->d);
    s->replaced = mem_new(m, uint32_t, v->a);
    s->left = mem_new_zero(m, uint32_t, v->a);
    s->own = w->graphs > 1 ? own_writes(v, m) : NULL;
    s->group_of = mem_new(m, uint32_t, v->a);
    s->next_in_group = mem_new_zero(m, uint32_t, v->groups_of[v->d]);
    for (uint32_t a = 0; a < v->a; a++)
        if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN)
            s->left[v->src[a]]++;
    for (uint32_t g = 0; g < v->groups_of[v->d]; g++)
        for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
            s->group_of[rw_written(v, g, i)] = g;
}

static bool executed(const struct serialize *s, uint32_t e)
{
    return s->when[e] != ID_NONE;
}

static void execute(struct serialize *s, uint32_t e)
{
    const struct rw *v = s->w->v;
    s->done[s->w->graph[0].lane[e]]++;
    s->when[e] = s->executed;
    s->order[s->executed++] = e;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++) {
        if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN)
            s->left[v->src[a]]--;
        if (v->kind[a] & RW_WRITES) {
            s->replaced[a] = s->current[v->var[a]];
            s->current[v->var[a]] = a;
            s->next_in_group[s->group_of[a]]++;
        }
    }
}

void serialize_roll_back(struct serialize *s, uint32_t to)
{
    const struct rw *v = s->w->v;
    while (s->executed > to) {
        uint32_t e = s->order[--s->executed];
        s->done[s->w->graph[0].lane[e]]--;
        s->when[e] = ID_NONE;
        for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++) {
            if (v->kind[a] & RW_WRITES) {
                s->next_in_group[s->group_of[a]]--;
                s->current[v->var[a]] = s->replaced[a];
            }
            if ((v->kind[a] & RW_READS) && v->src[a] < RW_THIN)
                s->left[v->src[a]]++;
        }
    }
}

static bool predecessors_done(const struct serialize *s, uint32_t e)
{
    const struct forced_graph *g = &s->w->graph[0];
    const uint32_t *clock = g->clock + (size_t)e * g->lanes;
    uint32_t missing = 0;
    for (uint32_t l = 0; l < g->lanes; l++)
        missing |= clock[l] > s->done[l];
    return !missing;
}

static bool can_read(const struct serialize *s, uint32_t a)
{
    const struct rw *v = s->w->v;
    uint32_t own = s->own ? s->own[a] : ID_NONE;
    uint32_t seen = own != ID_NONE && !executed(s, own) ? own : s->current[v->var[a]];
    return seen == v->src[a];
}

static bool can_write(const struct serialize *s, uint32_t a)
{
    const struct rw *v = s->w->v;
    uint32_t old = s->current[v->var[a]];
    uint32_t readers = old == RW_INIT ? 0 : s->left[old];
    if (v->kind[a] & RW_READS) /* an rmw may be the last reader itself */
        return v->src[a] == old && readers <= 1;
    return readers == 0;
}

static inline bool can_access(const struct serialize *s, uint32_t a)
{
    uint8_t kind = s->w->v->kind[a];
    return kind & RW_WRITES ? can_write(s, a) : kind != RW_READS || can_read(s, a);
}

static bool can_access_all(const struct serialize *s, uint32_t e)
{
    const struct rw *v = s->w->v;
    bool can = true;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end && can; a++)
        can = can_access(s, a);
    return can;
}

/* Does the memory allow all accesses of the event? The searches ask this most often. */
static inline bool can_execute(const struct serialize *s, uint32_t e)
{
    return s->w->v->first ? can_access_all(s, e) : can_access(s, e);
}

/* Reads of its values that are not executed. */
static uint32_t readers_left(const struct serialize *s, uint32_t e)
{
    const struct rw *v = s->w->v;
    uint32_t left = 0;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end; a++)
        left += v->kind[a] & RW_WRITES ? s->left[a] : 0;
    return left;
}

static uint32_t next_of_lane(const struct serialize *s, uint32_t lane)
{
    const struct chains *c = &s->w->graph[0].chains;
    uint32_t at = c->start[lane] + s->done[lane];
    return at < c->start[lane + 1] ? c->list[at] : ID_NONE;
}

/* Reads and fences of the lane that can go on. */
static bool execute_reads_of(struct serialize *s, uint32_t lane)
{
    const struct rw *v = s->w->v;
    bool moved = false;
    for (uint32_t e; (e = next_of_lane(s, lane)) != ID_NONE; moved = true) {
        if ((v->does[e] & RW_WRITES) || !can_execute(s, e) || !predecessors_done(s, e))
            break;
        execute(s, e);
    }
    return moved;
}

void serialize_reads(struct serialize *s)
{
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t lane = 0; lane < s->w->graph[0].lanes; lane++)
            moved |= execute_reads_of(s, lane);
    }
}

bool serialize_can_write(const struct serialize *s, uint32_t lane)
{
    uint32_t e = next_of_lane(s, lane);
    return e != ID_NONE && (s->w->v->does[e] & RW_WRITES) && can_execute(s, e) && predecessors_done(s, e);
}

void serialize_write(struct serialize *s, uint32_t lane)
{
    execute(s, next_of_lane(s, lane));
}

/* ---- choosing ---- */

/* Executes writes that need no choice. Returns a write that needs one, the one with the fewest readers left
 * behind, or ID_NONE. */
uint32_t serialize_advance(struct serialize *s)
{
    uint32_t best = ID_NONE, fewest = UINT32_MAX, lanes = s->w->graph[0].lanes;
    for (uint32_t lane = 0, in_vain = 0; in_vain < lanes; lane = lane + 1 < lanes ? lane + 1 : 0) {
        in_vain++;
        if (!serialize_can_write(s, lane))
            continue;
        uint32_t e = next_of_lane(s, lane);
        uint32_t mark = s->executed;
        execute(s, e);
        if (readers_left(s, e))
            serialize_reads(s);
        uint32_t left = readers_left(s, e);
        if (!left) {
            serialize_reads(s);
            best = ID_NONE; /* earlier moves may be made differently now */
            fewest = UINT32_MAX;
            in_vain = 0;
            budget_tick(s->w->budget);
            continue;
        }
        if (left < fewest) {
            fewest = left;
            best = e;
        }
        serialize_roll_back(s, mark);
    }
    return best;
}

/* Another thread's next write of the variable that is not known to be stored after event e, or ID_NONE. */
static uint32_t open_pair_of(const struct serialize *s, uint32_t e, uint32_t x)
{
    const struct rw *v = s->w->v;
    for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
        uint32_t next = v->groups[g].from + s->next_in_group[g];
        if (next == v->groups[g + 1].from)
            continue;
        uint32_t other = rw_write(v, g, next);
        if (other != e && !forced_stored(s->w, e, other))
            return other;
    }
    return ID_NONE;
}

/* The same of some variable whose value, once e has written it, has readers to come. */
static uint32_t open_pair(const struct serialize *s, uint32_t e)
{
    const struct rw *v = s->w->v;
    uint32_t other = ID_NONE;
    for (uint32_t a = rw_from(v, e), end = rw_to(v, e); a < end && other == ID_NONE; a++)
        if ((v->kind[a] & RW_WRITES) && s->left[a])
            other = open_pair_of(s, e, v->var[a]);
    return other;
}

/* ---- assumptions and conflicts ---- */

static bool assume(struct serialize *s, uint32_t v, uint32_t w, uint32_t reason)
{
    struct assumption a = {v, w, s->levels.n, reason};
    vec_push(s->m, &s->assumptions, a);
    forced_assume(s->w, v, w, s->assumptions.n - 1);
    return forced_close(s->w);
}

static void new_level(struct serialize *s)
{
    struct decision_level level = {forced_mark(s->w), s->executed, s->assumptions.n};
    vec_push(s->m, &s->levels, level);
    s->choices++;
}

void serialize_blame(struct serialize *s, uint32_t assumption)
{
    s->blamed[assumption] = true;
}

/* The blamed choices: assumptions that were forced are replaced by the pairs that forced them. The pairs come out
 * latest first. */
static void blame_choices(struct serialize *s)
{
    if (s->blamed_room < s->assumptions.n) {
        s->blamed_room = s->assumptions.n * 2 + 64;
        s->blamed = mem_resize(s->m, s->blamed, s->blamed_room);
    }
    memset(s->blamed, 0, s->assumptions.n);
    s->conflict(s->arg);
    vec_clear(&s->learning);
    for (uint32_t i = s->assumptions.n; i-- > 0;) {
        struct assumption a = s->assumptions.at[i];
        if (!s->blamed[i])
            continue;
        if (a.reason == ID_NONE) {
            vec_push(s->m, &s->learning, a);
            continue;
        }
        struct clause why = s->clauses.at[a.reason];
        for (uint32_t j = 0; j < why.count; j++) {
            /* The clause's other pairs were chosen before this one was forced, each at its level. */
            struct assumption other = s->literals.at[why.at + j];
            if (other.v != a.w || other.w != a.v)
                s->blamed[s->levels.at[other.level - 1].assumptions] = true;
        }
    }
}

static uint32_t learn(struct serialize *s)
{
    struct clause clause = {s->literals.n, s->learning.n};
    for (uint32_t i = 0; i < s->learning.n; i++)
        vec_push(s->m, &s->literals, s->learning.at[i]);
    vec_push(s->m, &s->clauses, clause);
    s->learned(s->arg, s->learning.at, s->learning.n);
    return s->clauses.n - 1;
}

static void back_to(struct serialize *s, uint32_t level)
{
    struct decision_level first = s->levels.at[level];
    forced_undo(s->w, first.mark);
    serialize_roll_back(s, first.executed);
    s->assumptions.n = first.assumptions;
    s->levels.n = level;
}

/* Learns from conflicts until there is none. False: nothing is left to assume differently, or it gives up. */
static bool resolve(struct serialize *s)
{
    for (;;) {
        if (s->conflicts == s->most_conflicts && s->most_conflicts) {
            s->gave_up = true;
            return false;
        }
        s->conflicts++;
        budget_look(s->w->budget);
        blame_choices(s);
        uint32_t clause = learn(s);
        if (!s->learning.n)
            return false;
        struct assumption last = s->learning.at[0];
        /* Without rw the choices before the last one stay, whether the conflict rests on them or not. Mostly it does
         * not, and it would be dear to close the order again. */
        back_to(s, s->w->without_rw ? last.level - 1 : s->learning.n > 1 ? s->learning.at[1].level : 0);
        if (assume(s, last.w, last.v, clause))
            return true;
    }
}

/* New orders may contradict the execution: back to the first event with a predecessor that was not executed before
 * it. */
static void fit_executed(struct serialize *s)
{
    struct forced_order *w = s->w;
    const struct forced_graph *g = &w->graph[0];
    uint32_t keep = s->executed;
    for (uint32_t i = 0; i < w->touched.n; i++) {
        uint32_t e = w->touched.at[i];
        if (s->when[e] >= keep)
            continue;
        const uint32_t *clock = g->clock + (size_t)e * g->lanes;
        for (uint32_t l = 0; l < g->lanes; l++)
            if (clock[l] && s->when[chain_event(&g->chains, l, clock[l] - 1)] > s->when[e])
                keep = s->when[e];
    }
    vec_clear(&w->touched);
    serialize_roll_back(s, keep);
}

bool serialize_run(struct serialize *s)
{
    const struct rw *v = s->w->v;
    s->w->tracking = true;
    for (;;) {
        serialize_reads(s);
        uint32_t e = serialize_advance(s);
        if (s->executed == v->n)
            return true;
        assert(e != ID_NONE);
        uint32_t other = open_pair(s, e);
        if (other == ID_NONE) {
            execute(s, e);
            continue;
        }
        new_level(s);
        if (!assume(s, e, other, ID_NONE) && !resolve(s))
            return false;
        fit_executed(s);
    }
}

/* ---- pairs ---- */

/* Writes are put into the rows of their variables one after the other, as they seem to have happened. So a choice is
 * one between writes of about the same time, and a conflict takes back the latest choices, not those of all times. */
struct rows_of_writes {
    struct serialize *s;
    uint64_t *moments;   /* writes in the order of the guess: the event, and the variable */
    uint32_t *row;       /* of variable x: from rw_writes_from(v, x) on, in their order */
    uint32_t *filled;    /* of a variable: the length of its row */
    VEC(uint32_t) began; /* of a level: the place in moments where it began */
};

/* All writes in the order of the guess, at once. False: that is a conflict, and is taken back. */
static bool assume_all(struct rows_of_writes *r)
{
    struct serialize *s = r->s;
    const struct rw *v = s->w->v;
    struct forced_mark mark = forced_mark(s->w);
    for (uint32_t i = 0; i < v->writes; i++) {
        uint32_t e = (uint32_t)(r->moments[i] >> 32), x = (uint32_t)r->moments[i];
        uint32_t *row = r->row + rw_writes_from(v, x), n = r->filled[x]++;
        row[n] = e;
        if (n)
            forced_assume(s->w, row[n - 1], e, ID_NONE);
    }
    memset(r->filled, 0, v->d * sizeof *r->filled);
    bool closed = forced_close(s->w);
    if (!closed)
        forced_undo(s->w, mark);
    return closed;
}

/* Puts the write into its row. False: two orders were in conflict. */
static bool insert(struct rows_of_writes *r, uint32_t at)
{
    struct serialize *s = r->s;
    uint32_t e = (uint32_t)(r->moments[at] >> 32), x = (uint32_t)r->moments[at];
    uint32_t *row = r->row + rw_writes_from(s->w->v, x), i = r->filled[x]++;
    for (row[i] = e; i && forced_stored(s->w, e, row[i - 1]); i--) {
        row[i] = row[i - 1];
        row[i - 1] = e;
    }
    if (!i || forced_stored(s->w, row[i - 1], e))
        return true;
    new_level(s);
    vec_push(s->m, &r->began, at);
    return assume(s, row[i - 1], e, ID_NONE);
}

static void take_out(struct rows_of_writes *r, uint32_t at)
{
    uint32_t e = (uint32_t)(r->moments[at] >> 32), x = (uint32_t)r->moments[at];
    uint32_t *row = r->row + rw_writes_from(r->s->w->v, x), i = --r->filled[x], moved = row[i];
    while (moved != e) {
        uint32_t before = row[--i];
        row[i] = moved;
        moved = before;
    }
}

/* After a conflict: takes out the writes whose levels were taken back. Returns the place of the first. */
static uint32_t resume(struct rows_of_writes *r, uint32_t at)
{
    uint32_t from = at;
    while (r->began.n > r->s->levels.n)
        from = vec_pop(&r->began);
    for (uint32_t i = at + 1; i-- > from;)
        take_out(r, i);
    return from;
}

/* The events by the sizes of their pasts. */
static void order_by_pasts(struct serialize *s)
{
    const struct rw *v = s->w->v;
    const struct forced_graph *g = &s->w->graph[0];
    uint32_t *size = mem_new_zero(s->m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        for (uint32_t l = 0; l < g->lanes; l++)
            size[e] += g->clock[(size_t)e * g->lanes + l];
    struct groups sorted = group_by(size, v->n, v->n + 1, s->m);
    memcpy(s->order, sorted.list, v->n * sizeof *s->order);
    groups_free(&sorted, s->m);
    mem_free(s->m, size);
}

static void list_moments(struct rows_of_writes *r, const uint32_t *guess)
{
    struct serialize *s = r->s;
    const struct rw *v = s->w->v;
    uint64_t *sorted = mem_new(s->m, uint64_t, v->n);
    uint32_t n = 0;
    for (uint32_t e = 0; e < v->n; e++)
        sorted[e] = (uint64_t)guess[e] << 32 | e;
    radix_sort(sorted, v->n, s->m);
    r->moments = mem_new(s->m, uint64_t, (size_t)v->writes + 1);
    r->row = mem_new(s->m, uint32_t, (size_t)v->writes + 1);
    r->filled = mem_new_zero(s->m, uint32_t, (size_t)v->d + 1);
    for (uint32_t i = 0; i < v->n; i++)
        for (uint32_t e = (uint32_t)sorted[i], a = rw_from(v, e); a < rw_to(v, e); a++)
            if (v->kind[a] & RW_WRITES)
                r->moments[n++] = (uint64_t)e << 32 | v->var[a];
    mem_free(s->m, sorted);
}

bool serialize_pairs(struct serialize *s, const uint32_t *guess)
{
    struct rows_of_writes r = {.s = s};
    list_moments(&r, guess);
    bool at_once = assume_all(&r);
    for (uint32_t i = 0; !at_once && i < s->w->v->writes;) {
        if (insert(&r, i)) {
            i++;
            continue;
        }
        if (!resolve(s))
            return false;
        i = resume(&r, i);
    }
    order_by_pasts(s);
    return true;
}
