/* SPDX-License-Identifier: Apache-2.0 */
/* One copy of all variables, which the threads share: faithful, forgetful or arbitrary. */
#include "base/vec.h"
#include "collect/generate/simulation.h"

struct held {
    uint32_t variable, value, due; /* stored when so many operations have been done */
};

struct shared {
    struct world *world;
    uint32_t *values;
    uint32_t now; /* operations so far */
    VEC(struct held) held;
};

static void *start(struct world *w)
{
    struct shared *s = mem_new_zero(w->mem, struct shared, 1);
    s->world = w;
    s->values = mem_new_zero(w->mem, uint32_t, w->variables);
    return s;
}

static void write(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct shared *s = state;
    (void)thread;
    s->values[variable] = value;
}

static uint32_t read(void *state, uint32_t thread, uint32_t variable)
{
    const struct shared *s = state;
    (void)thread;
    return s->values[variable];
}

const struct simulation shared_memory = {.start = start, .write = write, .read = read};

/* ---- any value ---- */

/* The values of a variable count up to the last. */
static uint32_t read_any(void *state, uint32_t thread, uint32_t variable)
{
    const struct shared *s = state;
    (void)thread;
    return rng_below(&s->world->rng, s->values[variable] + 1);
}

const struct simulation random_memory = {.start = start, .write = write, .read = read_any};

/* ---- losses ---- */

enum { LOST = 1, LATE = 1, LATEST = 20 }; /* percent of the writes; operations that pass */

static void store_what_is_due(struct shared *s)
{
    uint32_t kept = 0;
    s->now++;
    for (uint32_t i = 0; i < s->held.n; i++) {
        struct held h = s->held.at[i];
        if (h.due <= s->now)
            s->values[h.variable] = h.value;
        else
            s->held.at[kept++] = h;
    }
    s->held.n = kept;
}

static void write_perhaps(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct shared *s = state;
    struct rng *rng = &s->world->rng;
    store_what_is_due(s);
    uint32_t fate = rng_below(rng, 100);
    if (fate >= LOST + LATE) {
        write(s, thread, variable, value);
    } else if (fate >= LOST) {
        struct held h = {variable, value, s->now + 1 + rng_below(rng, LATEST)};
        vec_push(s->world->mem, &s->held, h);
    }
}

static uint32_t read_after_stores(void *state, uint32_t thread, uint32_t variable)
{
    store_what_is_due(state);
    return read(state, thread, variable);
}

const struct simulation lossy_memory = {.start = start, .write = write_perhaps, .read = read_after_stores};
