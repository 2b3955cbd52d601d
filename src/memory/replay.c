/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/replay.h"

#include "memory/candidates.h"
#include "memory/readers.h"

#include <stdlib.h>
#include <string.h>

enum { EFFORT = 16 }; /* lanes looked at, for each cell */

/* ---- the memory ---- */

static bool is_open(const struct rw *v, uint32_t e)
{
    return v->open && v->open[e];
}

static uint32_t *value_in(const struct replay *r, uint32_t x)
{
    return &r->state[r->chains.count + x];
}

static bool is_executed(const struct replay *r, uint32_t e)
{
    return r->state[r->chains.of[e]] > r->chains.at[e];
}

static uint32_t next_of_lane(const struct replay *r, uint32_t lane)
{
    uint32_t at = r->chains.start[lane] + r->state[lane];
    return at < r->chains.start[lane + 1] ? r->chains.list[at] : ID_NONE;
}

static void execute(struct replay *r, uint32_t e)
{
    const struct rw *v = r->v;
    r->state[r->chains.of[e]]++;
    r->order[r->executed++] = e;
    r->must -= !is_open(v, e);
    if (v->kind[e] & RW_READS)
        r->readers[r->a->read[e]]--;
    if (v->kind[e] & RW_WRITES) {
        r->writers[r->a->written[e]]--;
        r->replaced[e] = *value_in(r, v->var[e]);
        *value_in(r, v->var[e]) = r->a->written[e];
    }
}

static void take_back(struct replay *r, uint32_t to)
{
    const struct rw *v = r->v;
    while (r->executed > to) {
        uint32_t e = r->order[--r->executed];
        r->state[r->chains.of[e]]--;
        r->must += !is_open(v, e);
        if (v->kind[e] & RW_READS)
            r->readers[r->a->read[e]]++;
        if (v->kind[e] & RW_WRITES) {
            r->writers[r->a->written[e]]++;
            *value_in(r, v->var[e]) = r->replaced[e];
        }
    }
}

static uint32_t seen_by(const struct replay *r, uint32_t e)
{
    uint32_t own = r->own[e];
    return own != ID_NONE && !is_executed(r, own) ? r->a->written[own] : *value_in(r, r->v->var[e]);
}

/* But for the value that it reads. */
static bool is_ready(const struct replay *r, uint32_t e)
{
    for (uint32_t i = r->before.at[e]; i < r->before.at[e + 1]; i++)
        if (!is_executed(r, r->before.list[i]))
            return false;
    return true;
}

static bool can_execute(const struct replay *r, uint32_t e)
{
    return (!(r->v->kind[e] & RW_READS) || seen_by(r, e) == r->a->read[e]) && is_ready(r, e);
}

/* Reads and fences, as far as they go. */
static bool execute_reads_of(struct replay *r, uint32_t lane)
{
    bool moved = false;
    for (uint32_t e; (e = next_of_lane(r, lane)) != ID_NONE; moved = true) {
        if ((r->v->kind[e] & RW_WRITES) || !can_execute(r, e))
            break;
        execute(r, e);
    }
    return moved;
}

static void execute_reads(struct replay *r)
{
    for (bool moved = true; moved;) {
        moved = false;
        r->effort += r->chains.count;
        for (uint32_t lane = 0; lane < r->chains.count; lane++)
            moved |= execute_reads_of(r, lane);
    }
}

/* ---- moves ---- */

/* Is it the next value that some lane reads? */
static bool is_awaited(struct replay *r, uint32_t value)
{
    r->effort += r->chains.count;
    for (uint32_t lane = 0; lane < r->chains.count; lane++) {
        uint32_t e = next_of_lane(r, lane);
        if (e != ID_NONE && r->a->read[e] == value)
            return true;
    }
    return false;
}

/* Executes the write if nothing can want it later. */
static bool execute_unwanted(struct replay *r, uint32_t e)
{
    uint32_t mark = r->executed, old = *value_in(r, r->v->var[e]);
    if (r->readers[old] > (r->v->kind[e] & RW_READS ? 1 : 0) ||
        (r->readers[r->a->written[e]] && !is_awaited(r, r->a->written[e])))
        return false;
    execute(r, e);
    execute_reads(r);
    if (!r->readers[r->a->written[e]])
        return true;
    take_back(r, mark);
    return false;
}

/* Reads, and writes that need no choice. */
static void advance(struct replay *r)
{
    execute_reads(r);
    for (uint32_t lane = 0, in_vain = 0; in_vain < r->chains.count; lane = lane + 1 < r->chains.count ? lane + 1 : 0) {
        uint32_t e = next_of_lane(r, lane);
        bool moves = e != ID_NONE && (r->v->kind[e] & RW_WRITES) && !is_open(r->v, e) && can_execute(r, e);
        in_vain = moves && execute_unwanted(r, e) ? 0 : in_vain + 1;
        budget_tick(r->budget);
    }
}

/* Counts the lanes that wait for a value. False: for one they wait in vain. */
static bool count_wanted(struct replay *r)
{
    bool hope = true;
    for (uint32_t lane = 0; lane < r->chains.count; lane++) {
        uint32_t e = next_of_lane(r, lane);
        if (e == ID_NONE || !(r->v->kind[e] & RW_READS) || seen_by(r, e) == r->a->read[e])
            continue;
        r->wanted[r->a->read[e]]++;
        hope &= r->writers[r->a->read[e]] || is_open(r->v, e);
    }
    return hope;
}

static void forget_wanted(struct replay *r)
{
    for (uint32_t lane = 0; lane < r->chains.count; lane++) {
        uint32_t e = next_of_lane(r, lane);
        if (e != ID_NONE && (r->v->kind[e] & RW_READS))
            r->wanted[r->a->read[e]] = 0;
    }
}

static bool is_better(const struct replay *r, uint32_t lane, uint32_t other)
{
    uint32_t e = next_of_lane(r, lane), f = next_of_lane(r, other);
    uint32_t wanted_e = r->wanted[r->a->written[e]], wanted_f = r->wanted[r->a->written[f]];
    return wanted_e != wanted_f ? wanted_e > wanted_f : r->v->op[e] < r->v->op[f];
}

/* Appends the lanes whose writes can be next, in a state in which no lane waits in vain. */
static void list_moves(struct replay *r)
{
    bool hope = count_wanted(r);
    forget_wanted(r);
    for (uint32_t lane = 0; lane < r->chains.count && hope; lane++) {
        uint32_t e = next_of_lane(r, lane);
        if (e != ID_NONE && (r->v->kind[e] & RW_WRITES) && can_execute(r, e))
            vec_push(r->m, &r->moves, lane);
    }
}

/* Takes the best move of the level, which has one. */
static uint32_t take_move(struct replay *r, struct replay_level *level)
{
    uint32_t best = level->from, last = --level->next;
    count_wanted(r);
    for (uint32_t i = level->from + 1; i <= last; i++)
        if (is_better(r, r->moves.at[i], r->moves.at[best]))
            best = i;
    forget_wanted(r);
    uint32_t lane = r->moves.at[best];
    r->moves.at[best] = r->moves.at[last];
    return lane;
}

/* ---- the search ---- */

static bool ends(const struct replay *r)
{
    if (r->must)
        return false;
    for (uint32_t x = 0; x < r->v->d; x++)
        if (r->a->final[x] != ID_NONE && r->a->final[x] != *value_in(r, x))
            return false;
    return true;
}

static bool is_new(struct replay *r)
{
    uint32_t lanes = r->chains.count;
    memcpy(r->key, r->state, (lanes + r->v->d) * sizeof *r->key);
    for (uint32_t i = lanes; i < lanes + r->v->d; i++)
        if (!r->readers[r->key[i]])
            r->key[i] = ID_NONE;
    return rows_add(&r->seen, r->m, r->key, (lanes + r->v->d) * sizeof *r->key);
}

static void enter(struct replay *r)
{
    struct replay_level level = {r->executed, r->moves.n, r->moves.n};
    if (is_new(r))
        list_moves(r);
    level.next = r->moves.n;
    vec_push(r->m, &r->levels, level);
}

/* To the latest state with a move that was not tried. False: there is none. */
static bool go_on(struct replay *r)
{
    while (r->levels.n) {
        struct replay_level *top = &vec_last(&r->levels);
        take_back(r, top->executed);
        if (top->next > top->from) {
            r->moves.n = top->next;
            execute(r, next_of_lane(r, take_move(r, top)));
            return true;
        }
        r->moves.n = top->from;
        r->levels.n--;
    }
    return false;
}

enum replay_end replay_search(struct replay *r, size_t most_cells)
{
    do {
        advance(r);
        if (ends(r))
            return REPLAY_FOUND;
        if (r->seen.used / sizeof *r->key > most_cells || r->effort / EFFORT > most_cells)
            return REPLAY_GIVEN_UP;
        budget_tick(r->budget);
        enter(r);
    } while (go_on(r));
    return REPLAY_NONE;
}

bool replay_recorded(struct replay *r)
{
    const struct rw *v = r->v;
    uint32_t *event_of = rw_event_of(v, r->m);
    bool explains = true;
    for (uint32_t o = 0; o < v->n && explains; o++) {
        uint32_t e = event_of[o];
        if (is_open(v, e))
            continue;
        explains = can_execute(r, e);
        execute(r, e);
    }
    mem_free(r->m, event_of);
    if (explains && ends(r))
        return true;
    take_back(r, 0);
    return false;
}

/* ---- the result ---- */

void replay_sources(const struct replay *r, uint32_t *src, bool *happened)
{
    const struct rw *v = r->v;
    uint32_t *current = mem_new_ids(r->m, v->d), *place = mem_new_ids(r->m, v->n);
    for (uint32_t i = 0; i < r->executed; i++)
        place[r->order[i]] = i;
    for (uint32_t i = 0; i < r->executed; i++) {
        uint32_t e = r->order[i], own = r->own[e];
        if (v->kind[e] & RW_READS)
            src[e] = own != ID_NONE && place[own] > i ? own : current[v->var[e]];
        if (v->kind[e] & RW_WRITES)
            current[v->var[e]] = e;
    }
    for (uint32_t x = 0; x < v->d; x++)
        if (r->a->final[x] != ID_NONE && current[x] != RW_INIT)
            happened[current[x]] = is_open(v, current[x]);
    candidates_happened(v, src, happened);
    for (uint32_t e = 0; e < v->n; e++)
        if ((v->kind[e] & RW_READS) && is_open(v, e) && !happened[e])
            src[e] = RW_THIN;
    mem_free(r->m, current);
    mem_free(r->m, place);
}

/* ---- construction ---- */

static void count_accesses(struct replay *r)
{
    const struct rw *v = r->v;
    r->readers = mem_new_zero(r->m, uint32_t, r->a->count);
    r->writers = mem_new_zero(r->m, uint32_t, r->a->count);
    r->wanted = mem_new_zero(r->m, uint32_t, r->a->count);
    for (uint32_t e = 0; e < v->n; e++) {
        r->must += !is_open(v, e);
        if (v->kind[e] & RW_READS)
            r->readers[r->a->read[e]]++;
        if (v->kind[e] & RW_WRITES)
            r->writers[r->a->written[e]]++;
    }
    for (uint32_t x = 0; x < v->d; x++)
        if (r->a->final[x] != ID_NONE)
            r->readers[r->a->final[x]]++;
}

void replay_init(struct replay *r, const struct rw *v, const struct accesses *a, enum buffering memory, struct mem *m,
                 struct budget *budget)
{
    struct frames frames;
    *r = (struct replay){.v = v, .a = a, .m = m, .budget = budget};
    frames_init(&frames, v, memory, m);
    r->chains = frames.frame[0].chains;
    r->before = groups_inverse(frames.frame[0].fixed_at, frames.frame[0].fixed, v->n, m);
    r->own = own_writes(v, m);
    r->order = mem_new(m, uint32_t, v->n);
    r->replaced = mem_new(m, uint32_t, v->n);
    r->state = mem_new_zero(m, uint32_t, r->chains.count + v->d);
    r->key = mem_new(m, uint32_t, r->chains.count + v->d);
    memcpy(r->state + r->chains.count, a->initial, v->d * sizeof *a->initial);
    count_accesses(r);
}
