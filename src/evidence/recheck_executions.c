/* SPDX-License-Identifier: Apache-2.0 */
/* Is there an execution (recheck_serial.c) in which every read returns its value, whoever wrote that? A plain search
 * through all states: which operations have been executed, and which value each variable holds.
 *
 * An operation can be executed when all those are that the model puts before it in its thread. A read sees its
 * thread's latest write before it if that has not been executed, else the memory. It is executed as soon as it sees
 * its value, since that changes nothing for the others; writes and rmws are tried in all orders. A state is looked
 * at once. The sources of the reads, and the store order, are those of the execution. */
#include "base/bitset.h"
#include "base/keyed.h"
#include "evidence/recheck_graphs.h"

#include <string.h>

enum {
    MOST_OPERATIONS = 256,
    MOST_CELLS = 1 << 23 /* of all states together: 64 megabytes */
};

struct search {
    struct recheck *x;
    uint32_t n;
    size_t words, width;  /* of the bits, of a state */
    uint64_t *before;     /* n rows: which operations must be executed first */
    uint32_t *own;        /* of a read: its thread's latest write of the variable before it, or ID_NONE */
    VEC(uint64_t) states; /* all that were reached: the operations executed, as bits, then each variable's value */
    uint32_t reached;
    uint32_t *slots, mask; /* a hash table of them, at most half full */
};

/* ---- the states ---- */

static uint64_t hash_state(const struct search *s, const uint64_t *state)
{
    return keyed_bytes(state, s->width * sizeof *state);
}

static void put_slot(struct search *s, uint32_t number)
{
    uint64_t i = hash_state(s, s->states.at + number * s->width) & s->mask;
    while (s->slots[i] != ID_NONE)
        i = (i + 1) & s->mask;
    s->slots[i] = number;
}

static bool known(const struct search *s, const uint64_t *state)
{
    for (uint64_t i = hash_state(s, state) & s->mask; s->slots[i] != ID_NONE; i = (i + 1) & s->mask)
        if (!memcmp(state, s->states.at + s->slots[i] * s->width, s->width * sizeof *state))
            return true;
    return false;
}

static void grow_table(struct search *s)
{
    size_t size = s->mask ? 2 * ((size_t)s->mask + 1) : 1024;
    mem_free(s->x->mem, s->slots);
    s->slots = mem_new(s->x->mem, uint32_t, size);
    memset(s->slots, 0xFF, size * sizeof *s->slots);
    s->mask = (uint32_t)(size - 1);
    for (uint32_t i = 0; i < s->reached; i++)
        put_slot(s, i);
}

static void reach(struct search *s, const uint64_t *state)
{
    if (s->mask / 2 <= s->reached)
        grow_table(s);
    if (known(s, state))
        return;
    for (size_t i = 0; i < s->width; i++)
        vec_push(s->x->mem, &s->states, state[i]);
    put_slot(s, s->reached++);
}

/* ---- the moves ---- */

static bool ready(const struct search *s, const uint64_t *state, uint32_t op)
{
    const uint64_t *before = s->before + op * s->words;
    uint64_t missing = 0;
    for (size_t i = 0; i < s->words; i++)
        missing |= before[i] & ~state[i];
    return s->x->memory.role[op] && !missing && !bitset_has(state, op);
}

static bool sees_its_value(const struct search *s, const uint64_t *state, uint32_t op)
{
    const struct memory *mem = &s->x->memory;
    uint32_t own = s->own[op];
    bool buffered = own != ID_NONE && !bitset_has(state, own);
    return mem->values->seen[op] == (buffered ? mem->values->wrote[own] : state[s->words + mem->var[op]]);
}

/* Executes the reads that can be. */
static void settle(const struct search *s, uint64_t *state)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t op = 0; op < s->n; op++)
            if (s->x->memory.role[op] == ROLE_READS && ready(s, state, op) && sees_its_value(s, state, op)) {
                bitset_add(state, op);
                again = true;
            }
    }
}

static bool ends(const struct search *s, const uint64_t *state)
{
    const struct memory *mem = &s->x->memory;
    if (bitset_count(state, s->n) < mem->count || (mem->final && mem->final_not_written))
        return false;
    for (uint32_t v = 0; mem->final && v < mem->vars; v++)
        if (mem->final[v] != FINAL_OPEN && mem->values->final[v] != state[s->words + v])
            return false;
    return true;
}

/* Executes a write or rmw. */
static void store(const struct search *s, uint64_t *state, uint32_t op)
{
    const struct memory *mem = &s->x->memory;
    bitset_add(state, op);
    state[s->words + mem->var[op]] = mem->values->wrote[op];
    settle(s, state);
}

/* ---- the search ---- */

static void set_up(struct search *s)
{
    const struct recheck *x = s->x;
    const struct memory *mem = &x->memory;
    bool sc = x->line->model->conditions & COND_SC, pso = x->line->model->conditions & COND_PSO;
    s->words = bitset_words(s->n);
    s->width = s->words + mem->vars;
    s->before = mem_new_zero(x->mem, uint64_t, s->n * s->words);
    s->own = mem_new(x->mem, uint32_t, s->n);
    for (uint32_t op = 0; op < s->n; op++) {
        s->own[op] = ID_NONE;
        for (uint32_t a = 0; a < op && mem->role[op]; a++) {
            if (!mem->role[a] || x->h->thread[a] != x->h->thread[op])
                continue;
            if (sc || preserved(x, pso, a, op))
                bitset_add(s->before + op * s->words, a);
            if ((mem->role[a] & ROLE_WRITES) && mem->var[a] == mem->var[op])
                s->own[op] = a;
        }
    }
}

enum outcome { EXPLAINED, NOT_EXPLAINED, GIVEN_UP };

static enum outcome search(struct search *s)
{
    const struct memory *mem = &s->x->memory;
    uint64_t *now = mem_new_zero(s->x->mem, uint64_t, s->width);
    for (uint32_t v = 0; v < mem->vars; v++)
        now[s->words + v] = mem->values->initial[v];
    settle(s, now);
    if (ends(s, now))
        return EXPLAINED;
    reach(s, now);
    for (uint32_t i = 0; i < s->reached; i++)
        for (uint32_t op = 0; op < s->n; op++) {
            memcpy(now, s->states.at + i * s->width, s->width * sizeof *now);
            if (!(mem->role[op] & ROLE_WRITES) || !ready(s, now, op) ||
                ((mem->role[op] & ROLE_READS) && !sees_its_value(s, now, op)))
                continue;
            budget_tick(s->x->budget);
            store(s, now, op);
            if (ends(s, now))
                return EXPLAINED;
            reach(s, now);
            if (s->states.n > MOST_CELLS)
                return GIVEN_UP;
        }
    return NOT_EXPLAINED;
}

bool recheck_executions(struct recheck *x)
{
    struct search s = {.x = x, .n = x->h->n};
    if (s.n > MOST_OPERATIONS)
        return refuse(x, "the search was given up: the history has more than %d operations", MOST_OPERATIONS);
    set_up(&s);
    switch (search(&s)) {
    case NOT_EXPLAINED: return true;
    case GIVEN_UP: return refuse(x, "the search was given up after %u states", s.reached);
    case EXPLAINED: break;
    }
    return refuse(x, "searched again, there is an execution that explains the history");
}
