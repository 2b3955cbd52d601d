/* SPDX-License-Identifier: Apache-2.0 */
/* The causal models: large histories against the goals, growth with the number of operations, and the time to refute.
 * Also the sizes at which logic programs were measured (the thesis behind the engine `datalog`). The verdict of an
 * unchanged history is known from the memory that made it. */
#include "bench/driver.h"

#include <string.h>

/* A memory whose histories satisfy the model, and not just because they are sequential. */
static const char *kind_for(const char *model)
{
    return strcmp(model, "ccv") == 0 ? "convergent" : "causal";
}

/* ---- reading ---- */

static void reading(struct bench *b)
{
    static struct table t;
    uint32_t n = b->set->quick ? 10000 : 1000000;
    struct task task = {.input = {.kind = "causal", .operations = n, .threads = 16, .variables = 1000},
                        .rounds = b->set->quick ? 1 : 5};
    heading(b, "Reading");
    paragraph(b, "How long does it take to read a .hist file of %s operations?", grouped(n));
    table_add(b, &t, &task, (struct goal){.read = b->set->quick ? 0 : 0.2});
    table_print(b, &t);
}

/* ---- large histories ---- */

struct series {
    const char *model;
    uint32_t threads;
    double goal; /* seconds for the largest */
};

static const struct series large[] = {
    {"cc", 16, 0.6}, {"ccv", 16, 0.6}, {"cm", 16, 2.5}, {"cc", 100, 1.5}, {"ccv", 100, 1.5},
};

enum { SERIES = sizeof large / sizeof *large, SIZES = 5, DOUBLINGS = 1 << (SIZES - 1) };

static void add_series(struct bench *b, struct table *t, const struct series *s, uint32_t smallest)
{
    for (uint32_t i = 0; i < SIZES; i++) {
        struct task task = {.input = {.kind = kind_for(s->model),
                                      .operations = smallest << i,
                                      .threads = s->threads,
                                      .variables = 1000},
                            .model = s->model,
                            .engine = "clock",
                            .expected = ASSAY_CONSISTENT,
                            .rounds = b->set->quick ? 1 : 3};
        bool last = i + 1 == SIZES && !b->set->quick;
        table_add(b, t, &task, last ? (struct goal){.check = s->goal, .peak = 1000} : (struct goal){0});
    }
}

static void label_by_threads(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s, %u threads", r->task.model, r->task.input.threads);
}

/* The average number of threads that write a variable, when half of the operations are writes and clients choose
 * threads and variables evenly. Each write misses a given thread with 1 - 1/k. */
static double writers(const struct input *in)
{
    double missed = 1;
    for (uint32_t i = 0; i < in->operations / 2 / in->variables; i++)
        missed *= 1 - 1.0 / in->threads;
    return in->threads * (1 - missed);
}

/* Growth in n alone is not to be had with a fixed number of variables, and the page says so. */
static void print_growth(const struct bench *b, const struct table *t)
{
    paragraph(
        b,
        "How does the time of the check grow from the smallest to the largest history (goal: linear, %d-fold) and\n"
        "over the last doubling (linear: 2-fold)? A read is compared with every thread that writes its variable.\n"
        "With a fixed number of variables, more threads do so as the history grows, until all of them do, and\n"
        "this adds to the growth:\n",
        DOUBLINGS);
    for (size_t i = 0; i + SIZES <= t->n; i += SIZES) {
        const struct row *first = &t->rows[i], *last = &t->rows[i + SIZES - 1];
        fprintf(b->set->out,
                "- %s, %u threads: %.1f-fold, last %.2f-fold; memory %.1f-fold; a variable's writing "
                "threads: %.0f to %.0f\n",
                first->task.model, first->task.input.threads, last->sample.check / first->sample.check,
                last->sample.check / last[-1].sample.check, last->sample.peak / first->sample.peak,
                writers(&first->task.input), writers(&last->task.input));
    }
}

static void large_histories(struct bench *b)
{
    static struct table t;
    const struct plot plots[] = {
        {"causal-time", "Causal models: time to check", "operations", "CPU seconds", row_operations, row_check,
         label_by_threads, true, true},
        {"causal-memory", "Causal models: peak memory, history included", "operations", "MB", row_operations, row_peak,
         label_by_threads, true, false},
    };
    heading(b, "Large histories");
    paragraph(b, "All histories are consistent, so that no check ends early.");
    for (size_t i = 0; i < SERIES; i++)
        add_series(b, &t, &large[i], b->set->quick ? 625 : 62500);
    table_print(b, &t);
    if (bench_goes_on(b))
        print_growth(b, &t);
    paragraph(b,
              "For comparison, here are two other checkers, measured on the same kind of machine but not by this\n"
              "command. For causal convergence of 1,000,000 operations, AWDIT (Rust, 2025) needs 4.1 s at 10 threads,\n"
              "and 18 s and 4.2 GB at 100 threads. dbcop (Rust) does not finish 4,000 operations in 60 s.");
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++)
        plot_table(b, &t, &plots[i]);
}

/* ---- the sizes of the thesis ---- */

static const double LIMIT = 30;

struct contender {
    const char *model, *engine;
};

static const struct contender contenders[] = {
    {"cc", "clock"},    {"ccv", "clock"},       {"cm", "clock"},        {"cc", "datalog"},
    {"ccv", "datalog"}, {"cm", "datalog:cm_2"}, {"cm", "datalog:cm_1"},
};

static const char *why_no_datalog(void)
{
    for (size_t i = 0; i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        if (strcmp(m.name, "datalog") == 0)
            return m.missing;
    }
    return "there is no such engine";
}

static void label_by_engine(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s, %s", r->task.model, r->task.engine);
}

static void add_contenders(struct bench *b, struct table *t, struct input input)
{
    for (size_t i = 0; i < sizeof contenders / sizeof *contenders; i++) {
        const struct contender *c = &contenders[i];
        bool clock = strcmp(c->engine, "clock") == 0;
        struct task task = {.input = input,
                            .model = c->model,
                            .engine = c->engine,
                            .expected = ASSAY_CONSISTENT,
                            .limit = clock ? 0 : LIMIT};
        if (clock || !why_no_datalog())
            table_add(b, t, &task, clock ? (struct goal){.check = 0.001} : (struct goal){0});
    }
}

static void thesis_operations(struct bench *b)
{
    static struct table t;
    const struct plot plot = {"datalog-operations",
                              "Clock against datalog, 4 threads",
                              "operations",
                              "CPU seconds",
                              row_operations,
                              row_check,
                              label_by_engine,
                              false,
                              false};
    heading(b, "Clock against datalog: operations");
    paragraph(b,
              "The histories are small and sequentially consistent. `> %g` means that the engine was stopped after %g\n"
              "seconds of wall-clock time.",
              LIMIT, LIMIT);
    for (uint32_t n = 100; n <= (b->set->quick ? 100 : 600); n += 100)
        add_contenders(b, &t, (struct input){.kind = "sc", .operations = n, .threads = 4, .variables = 10});
    table_print(b, &t);
    plot_table(b, &t, &plot);
}

static void thesis_threads(struct bench *b)
{
    static struct table t;
    const struct plot plot = {"datalog-threads",
                              "Clock against datalog, 50 operations per thread",
                              "threads",
                              "CPU seconds",
                              row_threads,
                              row_check,
                              label_by_engine,
                              false,
                              false};
    heading(b, "Clock against datalog: threads");
    for (uint32_t k = 2; k <= (b->set->quick ? 2 : 6); k++)
        add_contenders(b, &t, (struct input){.kind = "sc", .operations = 50 * k, .threads = k, .variables = 10});
    table_print(b, &t);
    plot_table(b, &t, &plot);
}

static void thesis_sizes(struct bench *b)
{
    const char *missing = why_no_datalog();
    thesis_operations(b);
    thesis_threads(b);
    if (missing)
        paragraph(b, "The engine datalog is left out: %s.", missing);
}

/* ---- refuting ---- */

static void violations(struct bench *b)
{
    static const char *const models[] = {"cc", "ccv", "cm"};
    static struct table t;
    uint32_t n = b->set->quick ? 10000 : 1000000;
    heading(b, "Violations");
    paragraph(
        b, "The memories are the same, but in some reads the result is exchanged for another value of the variable.\n"
           "An exchange need not be a violation. The time includes the refutation.");
    for (uint32_t mutate = 1; mutate <= 1000; mutate *= 10) {
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            struct task task = {.input = {.kind = kind_for(models[i]),
                                          .operations = n,
                                          .threads = 16,
                                          .variables = 1000,
                                          .mutate = mutate},
                                .model = models[i],
                                .engine = "clock",
                                .expected = ANY_VERDICT,
                                .rounds = b->set->quick ? 1 : 3};
            table_add(b, &t, &task, (struct goal){0});
        }
    }
    table_print(b, &t);
}

static void run(struct bench *b)
{
    reading(b);
    large_histories(b);
    violations(b);
    thesis_sizes(b);
}

const struct suite suite_causal = {
    .name = "causal",
    .title = "the causal models (cc, ccv, cm)",
    .inputs = MEMORY_INPUTS,
    .run = run,
    .run_papers = thesis_sizes,
};
