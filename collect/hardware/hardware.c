/* SPDX-License-Identifier: Apache-2.0 */
/* Client programs on this processor, batch by batch (collect.h): a shape's program stays, a random one is made anew for
 * each batch. A batch is small enough for caches, and for a short wait. */
#include "base/budget.h"
#include "base/error.h"
#include "collect/hardware/outcomes.h"
#include "collect/hardware/program.h"
#include "collect/hardware/threads.h"

#include <stdlib.h>
#include <string.h>

enum {
    CELL_BYTES = 1 << 21,   /* variables of a batch, if there is more than one run */
    RESULTS = 1 << 18,      /* values read in a batch, likewise */
    RUNS = 1 << 12,         /* of a shape in a batch */
    RANDOM_RUNS = 1 << 6,   /* of a random program, */
    RANDOM_STEPS = 1 << 14, /* and operations in all its runs, if there is more than one */
    MOST_BYTES = 1 << 28,   /* variables of one run */
    LEAST_STRIDE = 8,       /* a variable */
    MOST_STRIDE = 1 << 16,
    FIRST_RUNS = 16, /* of a shape in the first batch */
    MOST_OPERATIONS = 1 << 27,
};

struct hardware {
    struct mem mem;
    struct hardware_settings settings;
    unsigned *strides;
    struct program program;
    struct outcomes outcomes;
    struct team *team; /* NULL: not started */
    struct rng rng;
    bool random;
    uint64_t batches, runs; /* so far */
    uint32_t pace;          /* runs of a shape in a batch, by the time that they took */
    int64_t *row;
};

/* ---- settings ---- */

_Noreturn static void refuse(assay_error *e, const char *what, const char *remedy)
{
    error_set(e, ASSAY_ERROR_USAGE, "%s", what);
    error_remedy(e, "%s", remedy);
    escape_raise(ESCAPE_ERROR);
}

static void examine(const struct hardware_settings *s, assay_error *e)
{
    size_t variables = 1;
    if (strcmp(s->shape, HARDWARE_RANDOM) == 0) {
        if (s->threads > WORKERS_MOST_THREADS)
            refuse(e, "there are too many threads", "--threads goes from 1 to 64");
        if (s->operations > MOST_OPERATIONS)
            refuse(e, "there are too many operations", "--operations goes up to 134217728");
        if (s->reads + s->fences + s->rmws > 100)
            refuse(e, "reads, fences and read-modify-writes are more than 100 of 100 operations",
                   "the writes take what --reads, --fences and --rmws leave");
        variables = s->variables;
    }
    for (size_t i = 0; i < s->stride_count; i++) {
        if (s->strides[i] < LEAST_STRIDE || s->strides[i] > MOST_STRIDE || s->strides[i] % LEAST_STRIDE)
            refuse(e, "a stride is not a multiple of 8 from 8 to 65536",
                   "64 puts each variable on a cache line of its own, 8 lets them share one");
        if (variables > MOST_BYTES / s->strides[i])
            refuse(e, "the variables take more than 256 MB", "lower --variables or --stride");
    }
}

static const struct hardware_shape *find_shape(const char *name)
{
    const struct hardware_shape *s = hardware_shapes;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    return s;
}

/* ---- programs ---- */

static void take_program(struct hardware *h, struct program p)
{
    h->program = p;
    h->outcomes.width = program_row(&p);
    h->row = mem_new(&h->mem, int64_t, h->outcomes.width);
}

static void random_program(struct hardware *h)
{
    const struct hardware_settings *s = &h->settings;
    struct program_mix mix = {s->threads, s->operations, s->variables, s->reads, s->fences, s->rmws};
    outcomes_free(&h->outcomes, &h->mem);
    program_free(&h->program, &h->mem);
    mem_free(&h->mem, h->row);
    h->row = NULL;
    take_program(h, program_random(&mix, &h->rng, &h->mem));
}

/* ---- life ---- */

struct starting {
    struct hardware *hardware;
    assay_error *error;
};

static void start(void *arg)
{
    struct starting *s = arg;
    struct hardware *h = s->hardware;
    examine(&h->settings, s->error);
    h->random = strcmp(h->settings.shape, HARDWARE_RANDOM) == 0;
    h->rng = (struct rng){h->settings.seed};
    size_t bytes = mem_product(h->settings.stride_count, sizeof *h->strides);
    h->strides = memcpy(mem_alloc(&h->mem, bytes), h->settings.strides, bytes);
    uint32_t threads = h->settings.threads;
    if (!h->random) {
        const struct hardware_shape *shape = find_shape(h->settings.shape);
        if (!shape->name)
            refuse(s->error, "there is no such shape", "`assay hardware --help` shows them");
        take_program(h, program_of_shape(shape->program, &h->mem));
        threads = h->program.thread_count;
    }
    h->team = team_start(threads, h->settings.pinning, h->settings.seed, &h->mem, s->error);
}

struct hardware *hardware_new(const struct hardware_settings *settings, assay_error *e)
{
    struct hardware *h = calloc(1, sizeof *h);
    if (!h) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    h->settings = *settings;
    h->pace = FIRST_RUNS;
    struct starting s = {h, e};
    enum escape way = escape_run(start, &s);
    if (way == ESCAPE_NONE)
        return h;
    error_from_escape(e, way);
    hardware_free(h);
    return NULL;
}

void hardware_free(struct hardware *h)
{
    if (!h)
        return;
    if (h->team)
        team_end(h->team);
    mem_release(&h->mem);
    free(h);
}

unsigned hardware_threads(const struct hardware *h)
{
    return h->random ? h->settings.threads : h->program.thread_count;
}

unsigned hardware_operations(const struct hardware *h)
{
    return h->random ? h->settings.operations : h->program.operations;
}

/* ---- batches ---- */

static uint64_t at_most(uint64_t runs, uint64_t room, uint64_t of_one)
{
    uint64_t fit = of_one ? room / of_one : runs;
    return fit < 1 ? 1 : fit < runs ? fit : runs;
}

static uint32_t batch_size(const struct hardware *h, uint32_t stride, uint64_t most)
{
    uint64_t runs = h->random ? at_most(RANDOM_RUNS, RANDOM_STEPS, h->program.operations) : h->pace;
    runs = at_most(runs, CELL_BYTES, team_footprint(&h->program, stride));
    runs = at_most(runs, RESULTS, h->program.results);
    return (uint32_t)(runs < most ? runs : most);
}

/* Threads that must take turns on a busy processor are a thousand times slower: a batch must not take long. */
static void keep_pace(struct hardware *h, double seconds)
{
    if (seconds < 0.02 && h->pace < RUNS)
        h->pace *= 2;
    else if (seconds > 0.1 && h->pace > 1)
        h->pace /= 2;
}

struct running {
    struct hardware *hardware;
    uint64_t most;
    uint32_t runs; /* done */
    assay_error *error;
};

static void run_batch(void *arg)
{
    struct running *r = arg;
    struct hardware *h = r->hardware;
    uint32_t stride = h->strides[h->batches++ % h->settings.stride_count];
    if (h->random)
        random_program(h);
    uint32_t runs = batch_size(h, stride, r->most);
    double begun = budget_now();
    team_run(h->team, &h->program, stride, h->runs, runs);
    keep_pace(h, budget_now() - begun);
    if (h->settings.pinning == HARDWARE_PIN && !team_pinned(h->team)) {
        error_set(r->error, ASSAY_ERROR_MISSING, "the system does not pin threads to processors");
        error_remedy(r->error, "without --pin it is tried, and goes on if it fails");
        escape_raise(ESCAPE_ERROR);
    }
    outcomes_begin_batch(&h->outcomes);
    for (uint32_t i = 0; i < runs; i++) {
        team_outcome(h->team, i, h->row);
        outcomes_count(&h->outcomes, h->row, &h->mem);
    }
    h->runs += runs;
    r->runs = runs;
}

uint64_t hardware_batch(struct hardware *h, uint64_t most, assay_error *e)
{
    struct running r = {h, most, 0, e};
    enum escape way = escape_run(run_batch, &r);
    if (way == ESCAPE_NONE)
        return r.runs;
    error_from_escape(e, way);
    return 0;
}

size_t hardware_outcomes(const struct hardware *h)
{
    return h->outcomes.all.n;
}

struct hardware_outcome *hardware_outcome(struct hardware *h, size_t i)
{
    return &h->outcomes.all.at[i].seen;
}

struct telling {
    const struct hardware *hardware;
    size_t outcome;
    assay_history *history;
    struct mem mem;
    assay_error *error;
};

static void tell(void *arg)
{
    struct telling *t = arg;
    program_history(&t->hardware->program, t->hardware->outcomes.all.at[t->outcome].row, t->history, &t->mem, t->error);
}

assay_history *hardware_history(const struct hardware *h, size_t i, assay_error *e)
{
    struct telling t = {h, i, assay_history_new(), {0}, e};
    if (!t.history) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    enum escape way = escape_run(tell, &t);
    mem_release(&t.mem);
    if (way == ESCAPE_NONE)
        return t.history;
    error_from_escape(e, way);
    assay_history_free(t.history);
    return NULL;
}
