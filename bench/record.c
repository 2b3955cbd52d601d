/* SPDX-License-Identifier: Apache-2.0 */
/* The recorder (assay_record.h): the extra cost of a call and its return when they are recorded.
 *
 * Each thread makes calls of an operation as fast as it can, with and without the recorder; the difference is the
 * recorder's. CPU time of the thread counts, so that other work of the machine matters little. Where threads run at the
 * same time, waiting for another's cache line is CPU time, too. */
#include "assay_record.h"
#include "bench/columns.h"
#include "bench/ledger.h"
#include "bench/statistics.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_THREADS = 8, MOST_ROUNDS = 15, OFF = -1 };
static const double goal_ns = 15;

static const struct operation {
    const char *name;
    bool shared;
} operations[] = {{"nothing", false}, {"add to a shared counter", true}};

struct load {
    const struct operation *operation;
    unsigned threads;
    uint32_t calls; /* of each thread */
    int clock;      /* OFF: not recorded */
};

struct worker {
    const struct load *load;
    const assay_recorder *recorder;
    pthread_barrier_t *start;
    unsigned number;
    double ns; /* of a call */
};

static _Alignas(128) atomic_long shared_counter;

static inline int64_t operate(bool shared, int64_t i)
{
    if (shared)
        return atomic_fetch_add_explicit(&shared_counter, 1, memory_order_relaxed);
    __asm__ volatile("" : "+r"(i) : : "memory");
    return i;
}

static void plain_calls(bool shared, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        operate(shared, i);
}

static void recorded_calls(assay_tape *tape, bool shared, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        assay_record_call1(tape, "add", i);
        int64_t result = operate(shared, i);
        assay_record_return_int(tape, result);
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    const struct load *l = w->load;
    assay_tape *tape = assay_record_tape(w->recorder, w->number);
    pthread_barrier_wait(w->start);
    double before = thread_seconds();
    if (l->clock == OFF)
        plain_calls(l->operation->shared, l->calls);
    else
        recorded_calls(tape, l->operation->shared, l->calls);
    w->ns = (thread_seconds() - before) * 1e9 / l->calls;
    return NULL;
}

/* The mean of the threads. */
static double one_round(struct bench *b, const struct load *l, const assay_recorder *r)
{
    pthread_barrier_t start;
    pthread_t threads[MOST_THREADS];
    struct worker workers[MOST_THREADS];
    double sum = 0;
    pthread_barrier_init(&start, NULL, l->threads);
    for (unsigned t = 0; t < l->threads; t++) {
        workers[t] = (struct worker){l, r, &start, t, 0};
        if (pthread_create(&threads[t], NULL, work, &workers[t]) != 0) {
            bench_fault(b, "cannot start a thread");
            abort(); /* the threads that wait for it cannot be woken */
        }
    }
    for (unsigned t = 0; t < l->threads; t++) {
        pthread_join(threads[t], NULL);
        sum += workers[t].ns;
    }
    pthread_barrier_destroy(&start);
    return sum / l->threads;
}

/* The middle half of them, which are sorted. */
static void note(const struct bench *b, const struct load *l, const double *ns, size_t rounds)
{
    char name[128];
    double seconds[MOST_ROUNDS];
    size_t skip = rounds / 4;
    for (size_t i = skip; i < rounds - skip; i++)
        seconds[i - skip] = ns[i] * 1e-9;
    snprintf(name, sizeof name, "a call of %s, %u threads, %u calls of each, clock %d", l->operation->name, l->threads,
             (unsigned)l->calls, l->clock);
    ledger_time(b->set->ledger, name, "call", seconds, rounds - 2 * skip);
}

/* The median of some rounds; the first is to get the memory. */
static double median_ns(struct bench *b, const struct load *l)
{
    double ns[MOST_ROUNDS];
    int rounds = b->set->quick ? 3 : MOST_ROUNDS;
    assay_recorder *r = NULL;
    if (l->clock != OFF && !(r = assay_record_open(l->threads, (assay_record_clock)l->clock, l->calls))) {
        bench_fault(b, "no memory for a recorder");
        return 0;
    }
    one_round(b, l, r);
    for (int i = 0; i < rounds; i++) {
        assay_record_clear(r);
        ns[i] = one_round(b, l, r);
    }
    assay_record_close(r);
    double middle = median(ns, (size_t)rounds);
    note(b, l, ns, (size_t)rounds);
    return middle;
}

/* ---- the table ---- */

static const struct column columns[] = {
    {"operation", -23}, {"threads", 7}, {"calls of each", 13}, {"not recorded", 12},
    {"counters", 8},    {"stamps", 8},  {"counters cost", 13}, {"stamps cost", 11},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

/* The cost of the counters. */
static double measure_row(struct bench *b, struct load l)
{
    char cells[COLUMNS][COLUMN_CELL];
    l.clock = OFF;
    double plain = median_ns(b, &l);
    l.clock = ASSAY_RECORD_COUNTERS;
    double counters = median_ns(b, &l);
    l.clock = ASSAY_RECORD_STAMPS;
    double stamps = median_ns(b, &l);
    const double numbers[] = {plain, counters, stamps, counters - plain, stamps - plain};
    snprintf(cells[0], COLUMN_CELL, "%s", l.operation->name);
    snprintf(cells[1], COLUMN_CELL, "%u", l.threads);
    snprintf(cells[2], COLUMN_CELL, "%s", grouped(l.calls));
    for (size_t i = 0; i < 5; i++)
        snprintf(cells[3 + i], COLUMN_CELL, "%.1f ns", numbers[i]);
    columns_print_row(b, columns, COLUMNS, cells);
    return counters - plain;
}

static void run(struct bench *b)
{
    static const unsigned threads[] = {1, 2, 4, 8};
    static const uint32_t calls[] = {4000, 1000000};
    double cost = 0;
    heading(b, "Overhead of recording");
    paragraph(b, "A call with one argument and a number as its result; the tapes of 4,000 calls stay in the "
                 "cache, those of\n1,000,000 do not.");
    columns_print_head(b, columns, COLUMNS);
    for (size_t c = 0; c < 2; c++) {
        for (size_t o = 0; o < 2; o++) {
            for (size_t t = 0; t < 4 && bench_goes_on(b); t++) {
                double ns = measure_row(b, (struct load){&operations[o], threads[t], calls[c], OFF});
                cost = threads[t] == 2 && c == 0 && o == 0 ? ns : cost;
            }
        }
    }
    fprintf(b->set->out, "\n- counters on 2 threads: %.1f ns a call and return, goal below %g ns: %s\n", cost, goal_ns,
            cost < goal_ns ? "met" : "missed");
}

const struct suite suite_record = {
    .name = "record",
    .title = "the recorder (assay_record.h)",
    .legend = "Nanoseconds are CPU time of the thread for a call and its return, the median of 15 rounds.",
    .run = run,
};
