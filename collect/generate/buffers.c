/* SPDX-License-Identifier: Apache-2.0 */
/* Memory behind store buffers, as the machines that SPARC calls TSO and PSO have it.
 *
 * Idea: a write goes into the buffer of its thread and reaches the one shared copy later. A read
 * takes the newest value of its own buffer, else the shared one. With every operation one random
 * thread commits a random part of its buffer, so delays are random. A fence and an exchange
 * empty the buffer first.
 *
 * Invariant: a buffer holds its thread's writes in program order. Total store order commits the
 * oldest; partial store order may commit any that is the oldest of its variable. */
#include "base/vec.h"
#include "collect/generate/simulation.h"

#include <stdbool.h>
#include <string.h>

struct pending {
    uint32_t variable, value;
};

struct buffer {
    VEC(struct pending) writes;
};

struct buffers {
    struct world *world;
    bool total;
    uint32_t *values;
    struct buffer *of; /* thread */
};

static void *start(struct world *w, bool total)
{
    struct buffers *b = mem_new(w->mem, struct buffers, 1);
    *b = (struct buffers){w, total, mem_new_zero(w->mem, uint32_t, w->variables),
                          mem_new_zero(w->mem, struct buffer, w->threads)};
    return b;
}

static void *start_total(struct world *w)
{
    return start(w, true);
}

static void *start_partial(struct world *w)
{
    return start(w, false);
}

/* The first of the buffer's writes of the variable of its i-th. */
static uint32_t oldest_like(const struct buffer *own, uint32_t i)
{
    uint32_t first = 0;
    while (own->writes.at[first].variable != own->writes.at[i].variable)
        first++;
    return first;
}

static void commit_one(struct buffers *b, struct buffer *own)
{
    uint32_t i = b->total ? 0 : oldest_like(own, rng_below(&b->world->rng, own->writes.n));
    struct pending *at = &own->writes.at[i];
    b->values[at->variable] = at->value;
    own->writes.n--;
    memmove(at, at + 1, (own->writes.n - i) * sizeof *at);
}

static void commit(struct buffers *b, struct buffer *own, uint32_t count)
{
    while (count--)
        commit_one(b, own);
}

static void pass_time(struct buffers *b)
{
    struct rng *rng = &b->world->rng;
    struct buffer *some = &b->of[rng_below(rng, b->world->threads)];
    commit(b, some, rng_below(rng, some->writes.n + 1));
}

static void write(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct buffers *b = state;
    struct pending p = {variable, value};
    pass_time(b);
    vec_push(b->world->mem, &b->of[thread].writes, p);
}

static uint32_t read(void *state, uint32_t thread, uint32_t variable)
{
    struct buffers *b = state;
    const struct buffer *own = &b->of[thread];
    pass_time(b);
    for (uint32_t i = own->writes.n; i-- > 0;)
        if (own->writes.at[i].variable == variable)
            return own->writes.at[i].value;
    return b->values[variable];
}

static void fence(void *state, uint32_t thread)
{
    struct buffers *b = state;
    pass_time(b);
    commit(b, &b->of[thread], b->of[thread].writes.n);
}

static uint32_t exchange(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct buffers *b = state;
    fence(b, thread);
    uint32_t before = b->values[variable];
    b->values[variable] = value;
    return before;
}

const struct simulation buffered_memory = {start_total, write, read, exchange, fence};
const struct simulation split_memory = {start_partial, write, read, exchange, fence};
