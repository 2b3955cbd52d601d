/* SPDX-License-Identifier: Apache-2.0 */
/* Is there an execution (one_order.c) in which every read returns its value, from any source? A plain search through
 * all states. A state is the set of executed operations and the value of each variable.
 *
 * An operation can be executed when all operations are that the model puts before it in its thread. A read sees its
 * thread's latest write before it if that has not been executed, else the memory. It is executed as soon as it sees its
 * value, since that changes nothing for the others; writes and rmws are tried in all orders. An open operation
 * (happened.c) need not be executed. A state is visited once. The sources of the reads, and the store order, are those
 * of the execution.
 *
 * Of equal writes that are each the last missing operation of its thread, one is tried. Every execution from here on
 * with another one is an execution with this one in its place. Clients that all retry one value and crash leave such
 * writes.
 *
 * Reads of a thread are executed in its order, and so are its writes of one variable. So the last ones in each thread
 * tell whether a value is still read, or still written. A value that is not read any more counts as none when states
 * are compared. Where a read waits for a value that is not written any more, the state is a dead end.
 *
 * Program order across threads (program.h). An operation also waits for operations of other threads that the model puts
 * before it. A read that sees the memory waits for the writes of its variable before it, too: it must not see less than
 * these. A read may have seen a write w of its own thread in the buffer; then these writes come before w. */
#include "base/bitset.h"
#include "base/rows.h"
#include "recheck/graphs.h"
#include "recheck/program.h"

#include <string.h>

struct search {
    struct recheck *x;
    uint32_t n;
    uint64_t work;
    size_t words, width;   /* of the bits, of a state */
    struct groups threads; /* the operations of each; their places in the list number the bits */
    uint64_t *must;        /* the bits of those that every execution has */
    uint32_t *place;       /* of an operation; NULL: threads are unrelated */
    uint32_t *own;         /* of a place: that of its thread's latest write of the variable before it, or ID_NONE */
    uint32_t *waits, scan; /* of a variable: the last scan of a thread that found a write of it waiting */
    struct groups last_reads, last_writes; /* of a value: places, one of each thread that has some */
    bool moved;                            /* a scan has executed a read */
    VEC(uint32_t) ready;                   /* places of the writes and rmws that the state at hand lets be executed */
    struct rows states;                    /* all that were reached, packed */
    VEC(char) packed;                      /* the one at hand */
    struct rows tried;                     /* of the current state: the last operations of threads */
};

/* The operations that a thread has not executed, as far as it was scanned. Only plain writes let other operations
 * pass. */
struct waiting {
    bool any, other;   /* something; something else than a plain write */
    uint32_t barriers; /* before the first */
};

/* May op be executed before all waiting operations? With store buffers a read may pass writes. With a buffer for each
 * variable a write may pass writes of other variables. Nothing passes a fence, and an rmw passes nothing. */
static bool may_pass(const struct search *s, const struct waiting *w, uint32_t op)
{
    const struct memory *mem = &s->x->memory;
    unsigned conditions = s->x->line->model->conditions;
    if (!w->any)
        return true;
    if (w->other || (conditions & COND_SC) || mem->barriers[op] != w->barriers)
        return false;
    return mem->role[op] == ROLE_READS || ((conditions & COND_PSO) && s->waits[mem->var[op]] != s->scan);
}

/* ---- program order across threads ---- */

static bool is_missing(const struct search *s, const uint64_t *state, uint32_t op)
{
    return s->x->memory.role[op] && !bitset_has(state, s->place[op]);
}

/* Is an operation missing that the model puts before op? Any thread may have the barrier between them. */
static bool must_wait(const struct search *s, const uint64_t *state, uint32_t op)
{
    unsigned conditions = s->x->line->model->conditions;
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        for (uint32_t i = s->threads.at[t], end = i + program_count(s->x, op, t); i < end; i++)
            if (is_missing(s, state, s->threads.list[i]) &&
                ((conditions & COND_SC) || preserved(s->x, conditions & COND_PSO, s->threads.list[i], op)))
                return true;
    return false;
}

/* Is a write of another thread missing that comes before op and is of its variable? */
static bool misses_write(const struct search *s, const uint64_t *state, uint32_t op)
{
    const struct memory *mem = &s->x->memory;
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        for (uint32_t i = s->threads.at[t], end = i + program_count(s->x, op, t); i < end; i++) {
            uint32_t other = s->threads.list[i];
            if (t != s->x->h->thread[op] && (mem->role[other] & ROLE_WRITES) && mem->var[other] == mem->var[op] &&
                is_missing(s, state, other))
                return true;
        }
    return false;
}

/* The write at this place: does a read that has seen it in the buffer miss one that must come before it? */
static bool seen_too_early(const struct search *s, const uint64_t *state, uint32_t place)
{
    uint32_t thread = s->x->h->thread[s->threads.list[place]];
    for (uint32_t i = place + 1; i < s->threads.at[thread + 1]; i++)
        if (s->own[i] == place && s->x->memory.role[s->threads.list[i]] == ROLE_READS && bitset_has(state, i) &&
            misses_write(s, state, s->threads.list[i]))
            return true;
    return false;
}

/* Does a read of the buffer now ask that writes which are missing come before the write that it sees? It may read later
 * instead, so that both are tried. */
static bool binds(const struct search *s, const uint64_t *state, uint32_t place)
{
    uint32_t own = s->own[place];
    return s->place && own != ID_NONE && !bitset_has(state, own) && misses_write(s, state, s->threads.list[place]);
}

static bool allowed_across(const struct search *s, const uint64_t *state, uint32_t place)
{
    uint32_t op = s->threads.list[place], own = s->own[place];
    uint8_t role = s->x->memory.role[op];
    if (must_wait(s, state, op))
        return false;
    if (role == ROLE_READS && (own == ID_NONE || bitset_has(state, own)))
        return !misses_write(s, state, op);
    return !(role & ROLE_WRITES) || !seen_too_early(s, state, place);
}

/* ---- the moves ---- */

static bool sees_its_value(const struct search *s, const uint64_t *state, uint32_t place)
{
    const struct memory *mem = &s->x->memory;
    uint32_t own = s->own[place], op = s->threads.list[place];
    bool buffered = own != ID_NONE && !bitset_has(state, own);
    return mem->values->seen[op] ==
           (buffered ? mem->values->wrote[s->threads.list[own]] : state[s->words + mem->var[op]]);
}

static void leave_waiting(struct search *s, struct waiting *w, uint32_t op)
{
    const struct memory *mem = &s->x->memory;
    if (!w->any)
        w->barriers = mem->barriers[op];
    w->any = true;
    w->other |= mem->role[op] != ROLE_WRITES;
    s->waits[mem->var[op]] = s->scan;
}

/* The first place from `place` on that is not executed; an operation that takes no part counts as executed. */
static uint32_t next_missing(const uint64_t *state, uint32_t place, uint32_t end)
{
    while (place < end) {
        uint64_t missing = ~state[place / 64] >> place % 64;
        if (missing) {
            place += (uint32_t)__builtin_ctzll(missing);
            break;
        }
        place = (place / 64 + 1) * 64;
    }
    return place < end ? place : end;
}

/* Executes the thread's reads that can be, and lists its writes and rmws that can be. */
static void scan_thread(struct search *s, uint64_t *state, uint32_t thread)
{
    const struct memory *mem = &s->x->memory;
    struct waiting w = {0};
    uint32_t end = s->threads.at[thread + 1], place = s->threads.at[thread];
    bool sc = s->x->line->model->conditions & COND_SC;
    s->scan++;
    for (; (place = next_missing(state, place, end)) < end && !w.other && !(sc && w.any); place++) {
        uint32_t op = s->threads.list[place];
        bool can = may_pass(s, &w, op) && (!s->place || allowed_across(s, state, place)) &&
                   (mem->role[op] == ROLE_WRITES || sees_its_value(s, state, place));
        if (can && mem->role[op] == ROLE_READS && !binds(s, state, place)) {
            bitset_add(state, place);
            s->moved = true;
            continue;
        }
        if (can)
            vec_push(s->x->mem, &s->ready, place);
        leave_waiting(s, &w, op);
    }
}

/* Reads change nothing for other threads, so one scan of each executes them all; but for program order across
 * threads. */
static void execute_reads(struct search *s, uint64_t *state)
{
    do {
        s->moved = false;
        vec_clear(&s->ready);
        for (uint32_t t = 0; t < s->x->h->threads.n; t++)
            scan_thread(s, state, t);
    } while (s->place && s->moved);
}

static bool ends(const struct search *s, const uint64_t *state)
{
    const struct memory *mem = &s->x->memory;
    if (mem->final && mem->final_not_written)
        return false;
    for (size_t i = 0; i < s->words; i++)
        if (s->must[i] & ~state[i])
            return false;
    for (uint32_t v = 0; mem->final && v < mem->vars; v++)
        if (mem->final[v] != FINAL_OPEN && mem->values->final[v] != state[s->words + v])
            return false;
    return true;
}

/* Is another write, which has been tried, equivalent to the one at this place? */
static bool alike_tried(struct search *s, const uint64_t *state, uint32_t place)
{
    const struct memory *mem = &s->x->memory;
    uint32_t op = s->threads.list[place], t = s->x->h->thread[op], end = s->threads.at[t + 1];
    if (s->place || next_missing(state, s->threads.at[t], end) != place || next_missing(state, place + 1, end) != end)
        return false;
    uint32_t what[] = {mem->role[op], mem->var[op], mem->values->wrote[op],
                       mem->role[op] & ROLE_READS ? mem->values->seen[op] : 0, mem->open[op]};
    return !rows_add(&s->tried, s->x->mem, what, sizeof what);
}

/* Executes a write or rmw, or a read that binds. */
static void store(struct search *s, uint64_t *state, uint32_t place)
{
    const struct memory *mem = &s->x->memory;
    uint32_t op = s->threads.list[place];
    bitset_add(state, place);
    if (mem->role[op] & ROLE_WRITES)
        state[s->words + mem->var[op]] = mem->values->wrote[op];
    execute_reads(s, state);
}

/* ---- the search ---- */

/* Of each place: the latest write of its variable before it in its thread. */
static void find_own(struct search *s)
{
    const struct memory *mem = &s->x->memory;
    uint32_t *latest = mem_new_ids(s->x->mem, mem->vars);
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        for (uint32_t i = s->threads.at[t]; i < s->threads.at[t + 1]; i++) {
            uint32_t op = s->threads.list[i];
            if (!mem->role[op])
                continue;
            uint32_t *mine = &latest[mem->var[op]];
            s->own[i] = *mine != ID_NONE && *mine >= s->threads.at[t] ? *mine : ID_NONE;
            if (mem->role[op] & ROLE_WRITES)
                *mine = i;
        }
    mem_free(s->x->mem, latest);
}

/* By value: the last place of each thread with this number. numbers: of an operation; role: of the operations meant. */
static struct groups last_places(const struct search *s, const uint32_t *numbers, uint8_t role)
{
    const struct memory *mem = &s->x->memory;
    uint32_t *key = mem_new_ids(s->x->mem, s->n), *seen = mem_new_ids(s->x->mem, mem->values->count);
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        for (uint32_t i = s->threads.at[t + 1]; i-- > s->threads.at[t];) {
            uint32_t op = s->threads.list[i];
            if (!(mem->role[op] & role) || seen[numbers[op]] == t)
                continue;
            seen[numbers[op]] = t;
            key[i] = numbers[op];
        }
    struct groups places = group_by(key, s->n, mem->values->count, s->x->mem);
    mem_free(s->x->mem, key);
    mem_free(s->x->mem, seen);
    return places;
}

/* The first state: operations that take no part count as executed. */
static uint64_t *set_up(struct search *s)
{
    const struct recheck *x = s->x;
    const struct memory *mem = &x->memory;
    s->words = bitset_words(s->n);
    s->width = s->words + mem->vars;
    s->threads = history_by_thread(x->h, x->mem);
    s->own = mem_new(x->mem, uint32_t, s->n);
    s->waits = mem_new_zero(x->mem, uint32_t, mem->vars);
    s->must = mem_new_zero(x->mem, uint64_t, s->words);
    uint64_t *first = mem_new_zero(x->mem, uint64_t, s->width);
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t op = s->threads.list[i];
        if (!mem->role[op])
            bitset_add(first, i);
        else if (!mem->open[op])
            bitset_add(s->must, i);
    }
    for (uint32_t v = 0; v < mem->vars; v++)
        first[s->words + v] = mem->values->initial[v];
    find_own(s);
    s->last_reads = last_places(s, mem->values->seen, ROLE_READS);
    s->last_writes = last_places(s, mem->values->wrote, ROLE_WRITES);
    if (mem->program.past) {
        s->place = mem_new(x->mem, uint32_t, s->n);
        for (uint32_t i = 0; i < s->n; i++)
            s->place[s->threads.list[i]] = i;
    }
    return first;
}

/* ---- values that are left ---- */

static bool any_missing(const uint64_t *state, const struct groups *places, uint32_t value)
{
    for (uint32_t i = places->at[value]; i < places->at[value + 1]; i++)
        if (!bitset_has(state, places->list[i]))
            return true;
    return false;
}

/* The thread's first operation that reads and is missing waits in vain, and is one that every execution has. */
static bool waits_in_vain(const struct search *s, const uint64_t *state, uint32_t thread)
{
    const struct memory *mem = &s->x->memory;
    uint32_t end = s->threads.at[thread + 1], place = next_missing(state, s->threads.at[thread], end);
    while (place < end && mem->role[s->threads.list[place]] == ROLE_WRITES)
        place = next_missing(state, place + 1, end);
    if (place == end || mem->open[s->threads.list[place]] || sees_its_value(s, state, place))
        return false;
    return !any_missing(state, &s->last_writes, mem->values->seen[s->threads.list[place]]);
}

static bool is_dead_end(const struct search *s, const uint64_t *state)
{
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        if (waits_in_vain(s, state, t))
            return true;
    return false;
}

/* Does the value of the variable matter from here on? */
static bool matters(const struct search *s, const uint64_t *state, uint32_t var)
{
    const struct memory *mem = &s->x->memory;
    uint32_t value = (uint32_t)state[s->words + var];
    return mem->final || (value != ID_NONE && any_missing(state, &s->last_reads, value));
}

/* ---- packed states ---- */

/* A thread has executed a beginning, and maybe some operations beyond: the first place that is missing, and the bits
 * from its word on. Under sequential consistency there are none of these. Then the size of a state depends on the
 * number of threads and variables, not on the length of the history. */
struct thread_state {
    uint32_t first, words;
};

static void pack_bytes(struct search *s, const void *bytes, size_t size)
{
    vec_reserve(s->x->mem, &s->packed, size);
    memcpy(s->packed.at + s->packed.n, bytes, size);
    s->packed.n += (uint32_t)size;
}

static void pack_thread(struct search *s, const uint64_t *state, uint32_t thread)
{
    uint32_t end = s->threads.at[thread + 1], first = next_missing(state, s->threads.at[thread], end), last = end;
    while (last > first && !bitset_has(state, last - 1))
        last--;
    struct thread_state t = {first, last > first ? (last - 1) / 64 - first / 64 + 1 : 0};
    pack_bytes(s, &t, sizeof t);
    for (uint32_t i = 0; i < t.words; i++) { /* without the bits of other threads in the same word */
        uint32_t word = first / 64 + i;
        uint64_t bits = state[word];
        bits &= i ? UINT64_MAX : UINT64_MAX << first % 64;
        bits &= (last - 1) / 64 == word ? UINT64_MAX >> (63 - (last - 1) % 64) : UINT64_MAX;
        pack_bytes(s, &bits, sizeof bits);
    }
}

static void reach(struct search *s, const uint64_t *state)
{
    if (is_dead_end(s, state))
        return;
    vec_clear(&s->packed);
    for (uint32_t t = 0; t < s->x->h->threads.n; t++)
        pack_thread(s, state, t);
    for (size_t i = s->words; i < s->width; i++) {
        uint32_t value = matters(s, state, (uint32_t)(i - s->words)) ? (uint32_t)state[i] : ID_NONE;
        pack_bytes(s, &value, sizeof value);
    }
    rows_add(&s->states, s->x->mem, s->packed.at, s->packed.n);
}

static const char *unpack_bytes(const char *from, void *bytes, size_t size)
{
    memcpy(bytes, from, size);
    return from + size;
}

static void add_all(uint64_t *state, uint32_t place, uint32_t end)
{
    for (; place < end; place = (place / 64 + 1) * 64) {
        uint64_t bits = UINT64_MAX << place % 64;
        state[place / 64] |= end / 64 == place / 64 ? bits & ~(UINT64_MAX << end % 64) : bits;
    }
}

static void go_to(const struct search *s, uint32_t number, uint64_t *state)
{
    const char *at = s->states.bytes + (number ? s->states.ends.at[number - 1] : 0);
    memset(state, 0, s->words * sizeof *state);
    for (uint32_t t = 0; t < s->x->h->threads.n; t++) {
        struct thread_state thread;
        at = unpack_bytes(at, &thread, sizeof thread);
        add_all(state, s->threads.at[t], thread.first);
        for (uint32_t i = 0; i < thread.words; i++) {
            uint64_t bits;
            at = unpack_bytes(at, &bits, sizeof bits);
            state[thread.first / 64 + i] |= bits;
        }
    }
    for (size_t i = s->words; i < s->width; i++) {
        uint32_t value;
        at = unpack_bytes(at, &value, sizeof value);
        state[i] = value;
    }
}

/* ---- the search through them ---- */

enum outcome { EXPLAINED, NOT_EXPLAINED, GIVEN_UP };

static enum outcome search(struct search *s)
{
    uint64_t *now = set_up(s);
    VEC(uint32_t) moves = {0};
    execute_reads(s, now);
    if (ends(s, now))
        return EXPLAINED;
    reach(s, now);
    for (uint32_t i = 0; i < s->states.ends.n; i++) {
        go_to(s, i, now);
        execute_reads(s, now);
        vec_clear(&moves);
        rows_clear(&s->tried);
        for (uint32_t j = 0; j < s->ready.n; j++)
            if (!alike_tried(s, now, s->ready.at[j]))
                vec_push(s->x->mem, &moves, s->ready.at[j]);
        for (uint32_t j = 0; j < moves.n; j++) {
            go_to(s, i, now);
            budget_tick(s->x->budget);
            s->work += s->width;
            store(s, now, moves.at[j]);
            if (ends(s, now))
                return EXPLAINED;
            reach(s, now);
            if (s->states.used > at_most(s->x, LIMIT_EXECUTION_BYTES) ||
                s->work > at_most(s->x, LIMIT_EXECUTION_WORDS)) {
                s->x->met = s->states.used > at_most(s->x, LIMIT_EXECUTION_BYTES) ? LIMIT_EXECUTION_BYTES
                                                                                  : LIMIT_EXECUTION_WORDS;
                return GIVEN_UP;
            }
        }
    }
    return NOT_EXPLAINED;
}

bool recheck_executions(struct recheck *x)
{
    struct search s = {.x = x, .n = x->h->n};
    switch (search(&s)) {
    case NOT_EXPLAINED: return true;
    case GIVEN_UP: return beyond(x, x->met);
    case EXPLAINED: break;
    }
    return refuse(x, "searched again, there is an execution that explains the history");
}
