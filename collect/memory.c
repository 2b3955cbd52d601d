/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of a simulated memory.
 *
 * Idea: one step at a time, a random thread reads or writes a random variable; the memory says what the
 * read returns. Which consistency models the history satisfies is known from the memory, so checkers
 * can be tested and measured with it. A memory is one entry of the table below.
 *
 * Invariant: the k-th write of a variable writes k, so no value is written twice, and 0 is the initial
 * value. Mutation exchanges the results of some reads afterwards, by other values of the variable. */
#include "base/mem.h"
#include "base/rng.h"
#include "collect/collect.h"
#include "collect/replicas.h"

#include <stdio.h>
#include <string.h>

/* ---- memories ---- */

struct clients {
    uint32_t threads, variables;
    struct mem *mem;
    struct rng rng;
};

struct memory {
    void *(*start)(struct clients *c);
    void (*write)(void *state, uint32_t thread, uint32_t variable, uint32_t value);
    uint32_t (*read)(void *state, uint32_t thread, uint32_t variable);
};

/* One copy, which all threads share. */
struct shared {
    struct rng *rng;
    uint32_t *values;
};

static void *shared_start(struct clients *c)
{
    struct shared *s = mem_new(c->mem, struct shared, 1);
    *s = (struct shared){&c->rng, mem_new_zero(c->mem, uint32_t, c->variables)};
    return s;
}

static void shared_write(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    struct shared *s = state;
    (void)thread;
    s->values[variable] = value;
}

static uint32_t shared_read(void *state, uint32_t thread, uint32_t variable)
{
    const struct shared *s = state;
    (void)thread;
    return s->values[variable];
}

/* Any of the values so far: they count up to the last. */
static uint32_t shared_read_any(void *state, uint32_t thread, uint32_t variable)
{
    const struct shared *s = state;
    (void)thread;
    return rng_below(s->rng, s->values[variable] + 1);
}

static void *causal_start(struct clients *c)
{
    return replicas_new(c->mem, &c->rng, c->threads, c->variables, false);
}

static void *convergent_start(struct clients *c)
{
    return replicas_new(c->mem, &c->rng, c->threads, c->variables, true);
}

static void write_replica(void *state, uint32_t thread, uint32_t variable, uint32_t value)
{
    replicas_write(state, thread, variable, value);
}

static uint32_t read_replica(void *state, uint32_t thread, uint32_t variable)
{
    return replicas_read(state, thread, variable);
}

static const char *const memory_names[] = {"causal", "convergent", "sc", "random", NULL};

static const struct memory memories[] = {
    {causal_start, write_replica, read_replica},
    {convergent_start, write_replica, read_replica},
    {shared_start, shared_write, shared_read},
    {shared_start, shared_write, shared_read_any},
};

/* ---- parameters ---- */

enum { KIND, THREADS, OPERATIONS, VARIABLES, READS, MUTATE };

static const struct collect_parameter parameters[] = {
    [KIND] = {.name = "kind",
              .value = "KIND",
              .help = "the memory: causal, convergent, sc or random; default: causal",
              .words = memory_names},
    [THREADS] = {"threads", "K", "default: 4", 4, 1, 1 << 16, NULL},
    [OPERATIONS] = {"operations", "N", "of all threads together; default: 100", 100, 1, 1 << 30,
                    NULL},
    [VARIABLES] = {"variables", "D", "default: 10", 10, 1, 1 << 20, NULL},
    [READS] = {"reads", "PERCENT", "how many of 100 operations are reads; default: 50", 50, 0, 100,
               NULL},
    [MUTATE] = {"mutate", "M", "then exchange the results of M reads; default: 0", 0, 0, 1 << 30,
                NULL},
    {0},
};

/* ---- clients ---- */

struct access {
    uint32_t thread, variable, value;
    bool read;
};

/* Runs the clients; last[variable] becomes the number of its writes. */
static void run_clients(const uint64_t *values, struct clients *c, struct access *out,
                        uint32_t *last)
{
    const struct memory *memory = &memories[values[KIND]];
    void *state = memory->start(c);
    for (uint32_t i = 0; i < values[OPERATIONS]; i++) {
        struct access *a = &out[i];
        a->thread = rng_below(&c->rng, c->threads);
        a->variable = rng_below(&c->rng, c->variables);
        a->read = rng_below(&c->rng, 100) < values[READS];
        a->value = a->read ? memory->read(state, a->thread, a->variable) : ++last[a->variable];
        if (!a->read)
            memory->write(state, a->thread, a->variable, a->value);
    }
}

/* One of the values 0 .. last of a variable, but not the present one. */
static void exchange(struct access *a, uint32_t last, struct rng *rng)
{
    uint32_t other = rng_below(rng, last);
    a->value = other + (other >= a->value);
}

/* Of the reads that have another value to return, `count` at random: each is taken with the
 * probability that as many as needed are still found among those left. */
static void mutate(struct access *at, uint32_t n, const uint32_t *last, uint64_t count,
                   struct rng *rng)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < n; i++)
        left += at[i].read && last[at[i].variable];
    for (uint32_t i = 0; i < n && count; i++) {
        if (!at[i].read || !last[at[i].variable])
            continue;
        if (rng_below(rng, left--) < count) {
            exchange(&at[i], last[at[i].variable], rng);
            count--;
        }
    }
}

/* ---- output ---- */

typedef char label[12];

static label *make_labels(struct mem *mem, char letter, uint32_t n)
{
    label *labels = mem_new(mem, label, n);
    for (uint32_t i = 0; i < n; i++)
        snprintf(labels[i], sizeof *labels, "%c%u", letter, i);
    return labels;
}

static void emit(struct collect_sink *sink, const struct access *at, uint32_t n, label *threads,
                 label *variables)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct access *a = &at[i];
        assay_value value = assay_int(a->value);
        assay_value args[2] = {assay_word(variables[a->variable]), value};
        assay_operation op = {.thread = threads[a->thread],
                              .method = a->read ? "read" : "write",
                              .args = args,
                              .arg_count = a->read ? 1 : 2};
        if (a->read)
            op.result = value;
        sink->operation(sink, &op);
    }
}

static void run(const struct collecting *c)
{
    struct clients clients = {.threads = (uint32_t)c->values[THREADS],
                              .variables = (uint32_t)c->values[VARIABLES],
                              .mem = c->mem,
                              .rng = {c->seed}};
    uint32_t n = (uint32_t)c->values[OPERATIONS];
    struct access *accesses = mem_new(c->mem, struct access, n);
    uint32_t *last = mem_new_zero(c->mem, uint32_t, clients.variables);
    run_clients(c->values, &clients, accesses, last);
    mutate(accesses, n, last, c->values[MUTATE], &clients.rng);
    emit(c->sink, accesses, n, make_labels(c->mem, 't', clients.threads),
         make_labels(c->mem, 'x', clients.variables));
}

const struct collector collector_memory = {
    .name = "memory",
    .title = "random clients of a simulated memory",
    .details = "causal: cm holds; convergent: ccv holds; sc: every model; random: any value",
    .object = "memory",
    .parameters = parameters,
    .run = run,
};
