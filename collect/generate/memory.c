/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of a simulated memory.
 *
 * Idea: one step at a time, a random thread reads or writes a random variable; the memory gives the result of a read.
 * The memory determines the consistency models that the history satisfies, so checkers can be tested and measured with
 * it. A memory is one entry of the table below.
 *
 * Invariant: the k-th write of a variable writes k, so no value is written twice, and 0 is the initial value. Changes
 * of this (mutation, gadgets, fewer values) come afterwards. */
#include "base/error.h"
#include "collect/access.h"
#include "collect/generate/gadget.h"
#include "collect/generate/simulation.h"

/* ---- parameters ---- */

static const char *const kinds[] = {"causal", "convergent", "sc", "tso", "pso", "lossy", "random", "gadget", NULL};

static const struct simulation *const simulations[] = {
    &causal_memory, &convergent_memory, &shared_memory, &buffered_memory,
    &split_memory,  &lossy_memory,      &random_memory, &shared_memory,
};

enum { KIND_GADGET = 7 };

enum { KIND, THREADS, OPERATIONS, VARIABLES, READS, FENCES, RMWS, VALUES, MUTATE, DISTANCE, GADGETS, SHUFFLE };

static const struct collect_parameter parameters[] = {
    [KIND] = {.name = "kind",
              .value = "KIND",
              .help = "the memory: causal, convergent, sc, tso, pso, lossy, random, or gadget; "
                      "default: causal",
              .words = kinds},
    [THREADS] = {.name = "threads",
                 .value = "K",
                 .help = "number of threads (default: 4)",
                 .fallback = 4,
                 .least = 1,
                 .most = 1 << 16},
    [OPERATIONS] = {.name = "operations",
                    .value = "N",
                    .help = "number of operations, without the gadgets (default: 100)",
                    .fallback = 100,
                    .least = 1,
                    .most = 1 << 30,
                    .also = "ops"},
    [VARIABLES] = {.name = "variables",
                   .value = "D",
                   .help = "number of variables (default: 10)",
                   .fallback = 10,
                   .least = 1,
                   .most = 1 << 20},
    [READS] =
        {.name = "reads", .value = "PERCENT", .help = "share of reads (default: 50)", .fallback = 50, .most = 100},
    [FENCES] = {.name = "fences", .value = "PERCENT", .help = "share of fences (default: 0)", .most = 50},
    [RMWS] = {.name = "rmws", .value = "PERCENT", .help = "share of read-modify-writes (default: 0)", .most = 50},
    [VALUES] = {.name = "values",
                .value = "V",
                .help = "write only V different values (default: 0, each write its own)",
                .most = 1 << 30},
    [MUTATE] = ACCESS_MUTATE,
    [DISTANCE] = ACCESS_DISTANCE,
    [GADGETS] = {.name = "gadgets",
                 .value = "G",
                 .help = "number of gadgets, for --kind gadget (default: 1)",
                 .fallback = 1,
                 .most = 1 << 16,
                 .needs = "kind",
                 .needs_word = "gadget"},
    [SHUFFLE] = ACCESS_SHUFFLE,
    {0},
};

/* ---- clients ---- */

/* Fences and read-modify-writes are counted from the upper end, so that reads keep their share. */
static enum access_kind random_kind(const uint64_t *values, struct rng *rng)
{
    uint32_t pick = rng_below(rng, 100);
    if (pick >= 100 - values[FENCES])
        return ACCESS_FENCE;
    if (pick >= 100 - values[FENCES] - values[RMWS])
        return ACCESS_EXCHANGE;
    return pick < values[READS] ? ACCESS_READ : ACCESS_WRITE;
}

static uint32_t exchange(const struct simulation *memory, void *state, const struct access *a)
{
    if (memory->exchange)
        return memory->exchange(state, a->thread, a->variable, a->value);
    uint32_t old = memory->read(state, a->thread, a->variable);
    memory->write(state, a->thread, a->variable, a->value);
    return old;
}

static void run_clients(const uint64_t *values, struct world *w, struct accesses *out)
{
    const struct simulation *memory = simulations[values[KIND]];
    void *state = memory->start(w);
    uint32_t *last = mem_new_zero(w->mem, uint32_t, w->variables);
    vec_reserve(w->mem, &out->all, values[OPERATIONS]);
    for (uint32_t i = 0; i < values[OPERATIONS]; i++) {
        struct access a = {.thread = rng_below(&w->rng, w->threads), .variable = rng_below(&w->rng, w->variables)};
        a.kind = random_kind(values, &w->rng);
        if (access_writes(&a))
            a.value = ++last[a.variable];
        switch (a.kind) {
        case ACCESS_READ: a.value = memory->read(state, a.thread, a.variable); break;
        case ACCESS_WRITE: memory->write(state, a.thread, a.variable, a.value); break;
        case ACCESS_EXCHANGE: a.old = exchange(memory, state, &a); break;
        case ACCESS_FENCE:
            if (memory->fence)
                memory->fence(state, a.thread);
            break;
        }
        vec_push(w->mem, &out->all, a);
    }
}

/* Returns how many variables there are then. */
static uint32_t append_gadgets(const struct collecting *c, struct world *w, struct accesses *out)
{
    uint32_t variables = w->variables;
    if (c->values[KIND] != KIND_GADGET)
        return variables;
    if (w->threads < GADGET_THREADS) {
        error_set(c->error, ASSAY_ERROR_USAGE, "a gadget needs at least %d threads", GADGET_THREADS);
        escape_raise(ESCAPE_ERROR);
    }
    for (uint64_t i = 0; i < c->values[GADGETS]; i++, variables += GADGET_VARIABLES)
        gadget_append(out, w->threads, variables, &w->rng, w->mem);
    return variables;
}

static void run(const struct collecting *c)
{
    struct world w = {.threads = (uint32_t)c->values[THREADS],
                      .variables = (uint32_t)c->values[VARIABLES],
                      .mem = c->mem,
                      .rng = {c->seed}};
    struct accesses all = {0};
    run_clients(c->values, &w, &all);
    access_mutate(&all, w.variables, c->values[MUTATE], c->values[DISTANCE], &w.rng, w.mem);
    uint32_t variables = append_gadgets(c, &w, &all);
    if (c->values[SHUFFLE])
        access_shuffle(&all, w.threads, &w.rng, w.mem);
    access_emit(&all, w.threads, variables, (uint32_t)c->values[VALUES], c);
}

const struct collector collector_memory = {
    .name = "memory",
    .title = "random clients of a simulated memory",
    .details = "causal: cm holds; convergent: ccv holds; sc: every model; tso, pso: that one; lossy: "
               "sc with losses; random: any value; gadget: wsc and wtso, not sc or tso",
    .object = "memory",
    .parameters = parameters,
    .run = run,
};
