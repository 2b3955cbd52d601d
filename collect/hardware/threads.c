/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/hardware/threads.h"

#include "base/error.h"
#include "collect/hardware/processors.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_THREAD__)
/* The sanitizer does not follow fences; there are no races to hide. */
#pragma GCC diagnostic ignored "-Wtsan"
#endif

enum {
    LINE = 128,             /* bytes: threads whose data are as far apart do not disturb each other */
    SPINS = 1024,           /* at the barrier: one who has not come then is not running, */
    NAP = 20000,            /* and the others sleep for so many nanoseconds at a time */
    LONGEST_DELAY_BITS = 9, /* a delay is below 2^8 steps of an empty loop */
};

typedef volatile _Atomic uint64_t cell;
_Static_assert(sizeof(cell) == 8, "a variable is 8 bytes");

struct batch {
    const struct program *program;
    uint32_t stride, runs;
    uint64_t first; /* the number of the first run */
    size_t footprint;
    uint32_t processors[WORKERS_MOST_THREADS]; /* for each thread; if they are to be pinned */
    bool pin;
};

struct member {
    pthread_t id;
    struct team *team;
    uint32_t index;
    struct rng rng;
    uint64_t *results; /* run by run */
    char *results_block;
    size_t room;
};

struct team {
    /* Spun on by all: on a line of its own. */
    _Alignas(LINE) atomic_uint_fast64_t met; /* how often someone came to the barrier, in this batch */
    _Alignas(LINE) struct mem *mem;
    char *cells; /* those of the first run, then those of the second, ... */
    char *cells_block;
    size_t cells_room;
    struct batch batch;
    struct member *members;
    uint32_t count, started;
    uint32_t *processors, processor_count;
    enum hardware_pinning pinning;
    struct rng rng;
    /* Between batches threads sleep. */
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    bool crowded; /* more threads than processors: they sleep at the barrier, too */
    pthread_barrier_t barrier;
    uint64_t batches; /* begun so far */
    uint32_t busy;    /* threads that are not done with the last one */
    bool over;
    bool unpinned; /* a thread could not be pinned */
};

/* ---- in a thread: one run ---- */

static void execute(const struct program_thread *t, char *cells, uint32_t stride, uint64_t base, uint64_t *results)
{
    const struct program_step *end = t->steps.at + t->steps.n;
    for (const struct program_step *s = t->steps.at; s < end; s++) {
        cell *at = (cell *)(cells + (size_t)s->variable * stride);
        switch (s->kind) {
        case ACCESS_READ: *results++ = atomic_load_explicit(at, memory_order_relaxed); break;
        case ACCESS_WRITE: atomic_store_explicit(at, base + s->value, memory_order_relaxed); break;
        case ACCESS_EXCHANGE: *results++ = atomic_exchange_explicit(at, base + s->value, memory_order_relaxed); break;
        case ACCESS_FENCE: atomic_thread_fence(memory_order_seq_cst); break;
        }
    }
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* The n-th meeting of a batch, from 1. The count only grows, so no thread can miss that all have come. */
static void meet_spinning(struct team *c, uint64_t n)
{
    uint64_t all = n * c->count;
    uint32_t spins = 0;
    atomic_fetch_add_explicit(&c->met, 1, memory_order_acq_rel);
    while (atomic_load_explicit(&c->met, memory_order_acquire) < all) {
        if (spins < SPINS) {
            spins++;
            relax();
        } else {
            nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL);
        }
    }
}

/* A thread that waits in its turn for one that waits for its own must give up the processor. It sleeps, as do threads
 * that spun in vain: with sched_yield, on a busy machine, every meeting would take a turn of all others. */
static void meet(struct team *c, uint64_t n)
{
    if (c->crowded)
        pthread_barrier_wait(&c->barrier);
    else
        meet_spinning(c, n);
}

/* Short delays are as likely as long ones. */
static void delay(struct rng *rng)
{
    uint64_t random = rng_next(rng);
    uint64_t steps = (random >> 32) & ((UINT64_C(1) << random % LONGEST_DELAY_BITS) - 1);
    while (steps--)
        atomic_signal_fence(memory_order_seq_cst); /* keeps the loop */
}

/* ---- in a thread: batches ---- */

/* The threads take turns at clearing, so that a run finds its variables now in this cache, now in that one. */
static void clear_share(const struct member *m)
{
    const struct team *c = m->team;
    const struct batch *b = &c->batch;
    for (uint32_t run = m->index; run < b->runs; run += c->count)
        for (uint32_t v = 0; v < b->program->variables; v++)
            atomic_store_explicit((cell *)(c->cells + run * b->footprint + (size_t)v * b->stride), 0,
                                  memory_order_relaxed);
}

static void run_batch(struct member *m)
{
    struct team *c = m->team;
    const struct batch *b = &c->batch;
    const struct program_thread *t = &b->program->threads[m->index];
    uint64_t base = b->first * b->program->writes;
    uint64_t *results = m->results;
    clear_share(m);
    meet(c, 1);
    for (uint32_t run = 0; run < b->runs; run++) {
        meet(c, run + UINT64_C(2));
        delay(&m->rng);
        execute(t, c->cells + run * b->footprint, b->stride, base, results);
        base += b->program->writes;
        results += t->results;
    }
}

static void *live(void *arg)
{
    struct member *m = arg;
    struct team *c = m->team;
    pthread_mutex_lock(&c->lock);
    for (uint64_t seen = 0;; seen++) {
        while (c->batches == seen && !c->over)
            pthread_cond_wait(&c->begin, &c->lock);
        if (c->over)
            break;
        pthread_mutex_unlock(&c->lock);
        bool pinned = !c->batch.pin || processors_pin(c->batch.processors[m->index]);
        run_batch(m);
        pthread_mutex_lock(&c->lock);
        c->unpinned = c->unpinned || !pinned;
        if (--c->busy == 0)
            pthread_cond_signal(&c->end);
    }
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

/* ---- in the main thread ---- */

static void *aligned_block(struct mem *mem, size_t bytes, char **block)
{
    *block = mem_alloc(mem, bytes + LINE);
    return *block + (LINE - (uintptr_t)*block % LINE) % LINE;
}

/* Signals are the main thread's business. */
static bool start_member(struct member *m)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&m->id, NULL, live, m) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

struct team *team_start(uint32_t threads, enum hardware_pinning pinning, uint64_t seed, struct mem *mem, assay_error *e)
{
    char *block;
    struct team *c = aligned_block(mem, sizeof *c, &block);
    memset(c, 0, sizeof *c);
    c->mem = mem;
    c->members = mem_new_zero(mem, struct member, threads);
    c->processor_count = processors_list(NULL, 0);
    c->processors = mem_new_zero(mem, uint32_t, c->processor_count);
    processors_list(c->processors, c->processor_count);
    c->pinning = pinning;
    c->count = threads;
    c->crowded = threads > c->processor_count;
    c->rng = (struct rng){seed};
    pthread_mutex_init(&c->lock, NULL);
    pthread_barrier_init(&c->barrier, NULL, threads);
    pthread_cond_init(&c->begin, NULL);
    pthread_cond_init(&c->end, NULL);
    for (uint32_t i = 0; i < threads; i++, c->started++) {
        c->members[i] = (struct member){.team = c, .index = i, .rng = {rng_next(&c->rng)}};
        if (!start_member(&c->members[i])) {
            team_end(c);
            error_set(e, ASSAY_ERROR_RESOURCE, "the system does not start %u threads", threads);
            escape_raise(ESCAPE_ERROR);
        }
    }
    return c;
}

void team_end(struct team *c)
{
    pthread_mutex_lock(&c->lock);
    c->over = true;
    pthread_cond_broadcast(&c->begin);
    pthread_mutex_unlock(&c->lock);
    for (uint32_t i = 0; i < c->started; i++)
        pthread_join(c->members[i].id, NULL);
    pthread_cond_destroy(&c->end);
    pthread_cond_destroy(&c->begin);
    pthread_barrier_destroy(&c->barrier);
    pthread_mutex_destroy(&c->lock);
}

size_t team_footprint(const struct program *p, uint32_t stride)
{
    size_t bytes = (size_t)p->variables * stride;
    return (bytes + 63) / 64 * 64; /* runs share no cache line, so that variables share one only if they shall */
}

/* Other neighbours in every batch: processors that share a core, a cache or a socket behave differently. */
static void place(struct team *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t slot = i % c->processor_count;
        uint32_t other = slot + rng_below(&c->rng, c->processor_count - slot);
        uint32_t taken = c->processors[other];
        if (i < c->processor_count) {
            c->processors[other] = c->processors[slot];
            c->processors[slot] = taken;
        }
        c->batch.processors[i] = c->processors[slot];
    }
    c->batch.pin = c->pinning != HARDWARE_DO_NOT_PIN;
}

static void make_room(struct team *c, const struct batch *b)
{
    size_t bytes = mem_product(b->runs, b->footprint);
    if (bytes > c->cells_room) {
        mem_free(c->mem, c->cells_block);
        c->cells_block = NULL;
        c->cells_room = 0;
        c->cells = aligned_block(c->mem, bytes, &c->cells_block);
        c->cells_room = bytes;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        struct member *m = &c->members[i];
        size_t results = mem_product(b->runs, b->program->threads[i].results);
        if (results <= m->room)
            continue;
        mem_free(c->mem, m->results_block);
        m->results_block = NULL;
        m->room = 0;
        m->results = aligned_block(c->mem, mem_product(results, sizeof *m->results), &m->results_block);
        m->room = results;
    }
}

void team_run(struct team *c, const struct program *p, uint32_t stride, uint64_t first, uint32_t runs)
{
    c->batch = (struct batch){
        .program = p, .stride = stride, .runs = runs, .first = first, .footprint = team_footprint(p, stride)};
    place(c);
    make_room(c, &c->batch);
    atomic_store_explicit(&c->met, 0, memory_order_relaxed);
    pthread_mutex_lock(&c->lock);
    c->busy = c->count;
    c->batches++;
    pthread_cond_broadcast(&c->begin);
    while (c->busy)
        pthread_cond_wait(&c->end, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

bool team_pinned(const struct team *c)
{
    return !c->unpinned;
}

static int64_t number_of(uint64_t value, uint64_t base, uint64_t writes)
{
    if (value == 0)
        return 0;
    return value - base - 1 < writes ? (int64_t)(value - base) : -(int64_t)value;
}

void team_outcome(const struct team *c, uint32_t run, int64_t *row)
{
    const struct batch *b = &c->batch;
    const struct program *p = b->program;
    uint64_t base = (b->first + run) * p->writes;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t n = p->threads[i].results;
        for (uint32_t k = 0; k < n; k++)
            *row++ = number_of(c->members[i].results[(size_t)run * n + k], base, p->writes);
    }
    for (uint32_t v = 0; p->ends && v < p->variables; v++) {
        cell *at = (cell *)(c->cells + run * b->footprint + (size_t)v * b->stride);
        *row++ = number_of(atomic_load_explicit(at, memory_order_relaxed), base, p->writes);
    }
}
