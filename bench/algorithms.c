/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/algorithms.h"

#include "bench/chart.h"
#include "bench/columns.h"
#include "bench/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LAPS = 2400, MOST_LOGS = 200 };

static struct race races[MOST_LAPS];
static struct lap *laps; /* MOST_LAPS, while the suite runs: of the first algorithm on all logs, of the second, ... */
static struct log logs[MOST_LOGS];

struct algorithm {
    const char *engine; /* NULL: the default, which is exact */
    const char *name;
    const char *paper[2]; /* the numbers printed there */
};

static double seconds_of(const struct lap *l)
{
    return l->steps ? l->at[l->steps - 1] : 0;
}

/* Every algorithm on each of the logs, whose lines are freed then. */
static void run_all(struct bench *b, const struct algorithm *algorithms, size_t algorithm_n, size_t histories,
                    double limit)
{
    size_t n = 0;
    for (size_t a = 0; a < algorithm_n; a++)
        for (size_t h = 0; h < histories; h++)
            races[n++] = (struct race){.engine = algorithms[a].engine, .limit = limit, .log = &logs[h]};
    if (bench_goes_on(b))
        race_run(b, races, laps, n);
    logs_free(logs, histories);
}

/* ---- Figure 12: steps over time ---- */

static const double limits[] = {5, 25, 50, 75, 100};
enum { LIMITS = sizeof limits / sizeof *limits, STACK_EVENTS = 1020 };

static const struct algorithm fig12[] = {
    {"enumerate", "enumerate", {"16", "18"}},
    {"symbolic", "symbolic", {"31.6", "52.7"}},
    {"symbolic+r", "symbolic+r", {"", ""}},
    {"saturate", "saturate", {"307.7", "744.6"}},
    {"saturate+r", "saturate+r", {"1020.8", "1020.8"}},
    {NULL, "exact-stack", {"", ""}},
};
enum { FIG12 = sizeof fig12 / sizeof *fig12 };

static struct live_settings stack_log(size_t history)
{
    return (struct live_settings){
        .kind = LIVE_STACK, .threads = 8, .overlap = 60, .adds = 255, .removes = 255, .seed = history + 1};
}

static double steps_within(size_t a, size_t histories, double seconds)
{
    double sum = 0;
    for (size_t h = 0; h < histories; h++)
        for (uint32_t s = 0; s < laps[a * histories + h].steps; s++)
            sum += laps[a * histories + h].at[s] <= seconds;
    return sum / (double)histories;
}

struct steps {
    const char *file, *title;
    size_t histories, limit_n;
    double scale; /* of the limits */
};

static void plot_steps(struct bench *b, const struct steps *s)
{
    static struct chart c;
    c = (struct chart){.x_title = "seconds", .y_title = "steps of the history", .log_y = true, .higher = true};
    snprintf(c.title, sizeof c.title, "%s", s->title);
    for (size_t a = 0; a < FIG12; a++)
        for (size_t i = 0; i < s->limit_n; i++) {
            double steps = steps_within(a, s->histories, s->scale * limits[i]);
            if (steps > 0)
                chart_add(&c, fig12[a].name, (struct chart_point){s->scale * limits[i], steps, false});
        }
    plot_chart(b, s->file, &c);
}

static void print_total(size_t a, size_t histories, char cell[COLUMN_CELL])
{
    double total = 0;
    bool all = true;
    for (size_t h = 0; h < histories; h++) {
        all = all && laps[a * histories + h].steps == STACK_EVENTS;
        total += seconds_of(&laps[a * histories + h]);
    }
    if (all)
        snprintf(cell, COLUMN_CELL, "%.2f", 1000 * total / (double)histories);
    else
        snprintf(cell, COLUMN_CELL, "not all");
}

static void print_steps(struct bench *b, const struct steps *s)
{
    struct column columns[LIMITS + 4] = {{"algorithm", -12}};
    char titles[LIMITS][16];
    size_t last = s->limit_n + 1; /* the first one behind the limits */
    for (size_t i = 0; i < s->limit_n; i++) {
        snprintf(titles[i], sizeof titles[i], "%g s", s->scale * limits[i]);
        columns[1 + i] = (struct column){titles[i], 8};
    }
    columns[last] = (struct column){"all, ms", 10};
    columns[last + 1] = (struct column){"paper, 5 s", 10};
    columns[last + 2] = (struct column){"paper, 100 s", 12};
    columns_print_head(b, columns, last + 3);
    for (size_t a = 0; a < FIG12; a++) {
        char cells[LIMITS + 4][COLUMN_CELL];
        snprintf(cells[0], COLUMN_CELL, "%s", fig12[a].name);
        for (size_t i = 0; i < s->limit_n; i++)
            snprintf(cells[1 + i], COLUMN_CELL, "%.1f", steps_within(a, s->histories, s->scale * limits[i]));
        print_total(a, s->histories, cells[last]);
        for (size_t i = 0; i < 2; i++)
            snprintf(cells[last + 1 + i], COLUMN_CELL, "%s", fig12[a].paper[i]);
        columns_print_row(b, columns, last + 3, cells);
    }
    fputc('\n', b->set->out);
    plot_steps(b, s);
}

static void figure_12(struct bench *b)
{
    struct steps s = {.file = b->set->papers ? "monitor-papers-fig12" : "monitor-fig12",
                      .title = "Steps that a monitor gets through",
                      .histories = b->set->quick ? 2 : 10,
                      .limit_n = LIMITS,
                      .scale = b->set->quick    ? 0.002
                               : b->set->papers ? 1
                                                : 0.05};
    logs_simulate(b, logs, s.histories, stack_log);
    run_all(b, fig12, FIG12, s.histories, s.scale * limits[s.limit_n - 1]);
    if (!bench_goes_on(b))
        return;
    heading(b, "Steps over time (Figure 12)");
    paragraph(b,
              "How many steps does an algorithm complete in the time above the column? The table has the means over\n"
              "%zu correct histories of a stack, with 1,020 steps and 8 threads each. The paper has 10 histories of\n"
              "1,020.8 steps on average; its numbers for 5 and 100 seconds are in the last columns. An algorithm is\n"
              "stopped after %g seconds%s, as there.",
              s.histories, s.scale * limits[s.limit_n - 1], b->set->papers ? "" : "; with --papers after 100");
    print_steps(b, &s);
}

static void recorded_figure_12(struct bench *b)
{
    struct steps s = {.file = "monitor-recorded-fig12",
                      .title = "Steps that a monitor gets through, recorded",
                      .histories = 2,
                      .limit_n = 2,
                      .scale = b->set->quick ? 0.002 : 1};
    struct stress_recording how = {.adapter = adapter_find("stack:treiber"),
                                   .threads = 8,
                                   .mix = "push=255,pop=255",
                                   .pace = STRESS_CROWDED,
                                   .stamps = true,
                                   .seed = 1};
    logs_record(b, logs, s.histories, &how);
    run_all(b, fig12, FIG12, s.histories, s.scale * limits[s.limit_n - 1]);
    if (!bench_goes_on(b))
        return;
    heading(b, "Steps over time (Figure 12), recorded");
    paragraph(b,
              "This repeats the experiment with %zu histories of Treiber's stack (`stack:treiber`), recorded on this\n"
              "machine: 255 pushes and 255 pops of 8 threads. The threads pause within their calls, so that at a call\n"
              "%.1f others are open on average. Time stamps are taken right before a call and right after its return\n"
              "(docs/guides/record.md). There are fewer histories than simulated ones, and an algorithm is stopped\n"
              "after %g seconds.",
              s.histories, logs_open(logs, s.histories), s.scale * limits[s.limit_n - 1]);
    print_steps(b, &s);
}

/* ---- Tables 1 and 2: queues, right ones and such that reorder ---- */

static const struct algorithm table_1[] = {
    {"enumerate", "enumerate", {"35", "0/4"}},       {"enumerate+c", "enumerate+c", {"38", "0/4"}},
    {"symbolic", "symbolic", {"52", "3/4"}},         {"symbolic+r", "symbolic+r", {"52", "3/4"}},
    {"symbolic+i", "symbolic+i", {"51", "3/4"}},     {"symbolic+c", "symbolic+c", {"38", "0/4"}},
    {"symbolic+c+i", "symbolic+c+i", {"38", "0/4"}}, {"saturate", "saturate", {"100", "4/4"}},
    {"saturate+r", "saturate+r", {"100", "4/4"}},    {NULL, "exact-queue", {"", ""}},
};
static const struct algorithm table_2[] = {
    {"enumerate", "enumerate", {"55 %", "23.8"}},        {"enumerate+c", "enumerate+c", {"88 %", "23.8"}},
    {"symbolic", "symbolic", {"75 %", "23.8"}},          {"symbolic+r", "symbolic+r", {"78 %", "23.8"}},
    {"symbolic+i", "symbolic+i", {"90 %", "23.8"}},      {"symbolic+c", "symbolic+c", {"100 %", "23.8"}},
    {"symbolic+c+i", "symbolic+c+i", {"100 %", "23.8"}}, {"saturate", "saturate", {"100 %", "24.2"}},
    {"saturate+r", "saturate+r", {"100 %", "24.2"}},     {NULL, "exact-queue", {"", ""}},
};
enum { TABLE_ALGORITHMS = sizeof table_1 / sizeof *table_1, QUEUE_EVENTS = 100 };

/* Every second one reorders. */
static struct live_settings concurrent_queue_log(size_t history)
{
    return (struct live_settings){.kind = LIVE_QUEUE,
                                  .threads = 16,
                                  .overlap = 97,
                                  .adds = 20,
                                  .removes = 30,
                                  .window = history % 2 ? 4 : 1,
                                  .seed = history + 1};
}

static struct live_settings sequential_queue_log(size_t history)
{
    return (struct live_settings){
        .kind = LIVE_QUEUE, .threads = 4, .overlap = 15, .adds = 20, .removes = 30, .window = 4, .seed = history + 1};
}

struct outcome {
    size_t violations;
    double steps, step, time; /* means: of all histories; of those with a violation */
};

static struct outcome outcome_of(const struct lap *of, size_t histories, uint32_t whole)
{
    struct outcome o = {0};
    for (size_t h = 0; h < histories; h++) {
        o.steps += of[h].violation ? whole : of[h].steps; /* the rest need not be looked at */
        if (of[h].violation) {
            o.violations++;
            o.step += of[h].violation;
            o.time += of[h].found;
        }
    }
    o.steps /= (double)histories;
    o.step /= (double)(o.violations ? o.violations : 1);
    o.time /= (double)(o.violations ? o.violations : 1);
    return o;
}

static void print_outcomes(struct bench *b, const struct algorithm *algorithms, size_t histories, uint32_t whole,
                           const char *const paper[2])
{
    struct column columns[] = {{"algorithm", -13},  {"steps", 6},   {"violations", 10}, {"at step", 8},
                               {"found after", 12}, {paper[0], 12}, {paper[1], 12}};
    enum { ALL = sizeof columns / sizeof *columns };
    columns_print_head(b, columns, ALL);
    for (size_t a = 0; a < TABLE_ALGORITHMS; a++) {
        char cells[ALL][COLUMN_CELL];
        struct outcome o = outcome_of(&laps[a * histories], histories, whole);
        snprintf(cells[0], COLUMN_CELL, "%s", algorithms[a].name);
        snprintf(cells[1], COLUMN_CELL, "%.1f", o.steps);
        snprintf(cells[2], COLUMN_CELL, "%zu", o.violations);
        snprintf(cells[3], COLUMN_CELL, "%.1f", o.step);
        snprintf(cells[4], COLUMN_CELL, "%.5f s", o.time);
        for (size_t i = 0; i < 2; i++)
            snprintf(cells[5 + i], COLUMN_CELL, "%s", algorithms[a].paper[i]);
        columns_print_row(b, columns, ALL, cells);
    }
    fputc('\n', b->set->out);
}

static const char *const paper_1[] = {"paper, steps", "paper, found"}, *const paper_2[] = {"paper, found",
                                                                                           "paper, step"};

static double queue_limit(const struct bench *b)
{
    return b->set->quick ? 0.1 : 5;
}

/* Of the violations that exact-queue finds, the last of the algorithms: how many has the algorithm found by then? */
static double share_within(const struct lap *of, const struct lap *exact, size_t histories, double seconds)
{
    size_t all = 0, found = 0;
    for (size_t h = 0; h < histories; h++) {
        all += exact[h].violation > 0;
        found += exact[h].violation > 0 && of[h].violation && of[h].found <= seconds;
    }
    return all ? 100 * (double)found / (double)all : 0;
}

/* Table 2 for shorter limits: those of the machine of 2015 are long today. */
static void print_shares(struct bench *b, const struct algorithm *algorithms, size_t histories)
{
    static const double shares_of[] = {1, 0.1, 0.01, 0.001, 0.0001};
    enum { SHARES = sizeof shares_of / sizeof *shares_of, ALL = SHARES + 2 };
    struct column columns[ALL] = {{"algorithm", -13}};
    char titles[SHARES][16];
    for (size_t i = 0; i < SHARES; i++) {
        snprintf(titles[i], sizeof titles[i], "%g ms", 1000 * queue_limit(b) * shares_of[i]);
        columns[1 + i] = (struct column){titles[i], 8};
    }
    columns[ALL - 1] = (struct column){"paper, 5 s", 10};
    paragraph(b, "The share of the violations that an algorithm finds in the time above the column:");
    columns_print_head(b, columns, ALL);
    for (size_t a = 0; a < TABLE_ALGORITHMS; a++) {
        char cells[ALL][COLUMN_CELL];
        snprintf(cells[0], COLUMN_CELL, "%s", algorithms[a].name);
        for (size_t i = 0; i < SHARES; i++)
            snprintf(cells[1 + i], COLUMN_CELL, "%.0f %%",
                     share_within(&laps[a * histories], &laps[(TABLE_ALGORITHMS - 1) * histories], histories,
                                  queue_limit(b) * shares_of[i]));
        snprintf(cells[ALL - 1], COLUMN_CELL, "%s", algorithms[a].paper[0]);
        columns_print_row(b, columns, ALL, cells);
    }
    fputc('\n', b->set->out);
}

static size_t table_1_histories(const struct bench *b)
{
    return b->set->quick ? 4 : b->set->papers ? MOST_LOGS : 40;
}

static void queues(struct bench *b)
{
    size_t histories = table_1_histories(b);
    logs_simulate(b, logs, histories, concurrent_queue_log);
    run_all(b, table_1, TABLE_ALGORITHMS, histories, queue_limit(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Very concurrent queues (Table 1)");
    paragraph(
        b,
        "There are %zu histories of 20 enqueues and 30 dequeues (100 steps) by 16 threads, most of which overlap.\n"
        "Every second history is of a queue that returns one of its first 4 values. An algorithm has %g seconds\n"
        "for each history, and a history whose violation it finds counts as 100 steps. exact-queue names the\n"
        "wrong return, the other algorithms the return at which they notice. In the paper, 4 of 200 histories\n"
        "are violations.",
        histories, queue_limit(b));
    print_outcomes(b, table_1, histories, QUEUE_EVENTS, paper_1);
    histories = b->set->quick ? 4 : 100;
    logs_simulate(b, logs, histories, sequential_queue_log);
    run_all(b, table_2, TABLE_ALGORITHMS, histories, queue_limit(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Barely concurrent queues (Table 2)");
    paragraph(
        b,
        "The %zu histories have the same size, but 4 threads of which mostly only one runs, and all of them are of\n"
        "the reordering queue. An algorithm has %g seconds for each history. In the paper all 100 histories are\n"
        "violations.",
        histories, queue_limit(b));
    print_outcomes(b, table_2, histories, QUEUE_EVENTS, paper_2);
    print_shares(b, table_2, histories);
}

/* ---- violations that come late ---- */

/* In 2015 the solvers were so slow that 5 seconds told them apart. Today the way to a violation must be longer. The
 * queue is right up to some event, and gives out a wrong value soon after it. */
enum { LATE_EVENTS = 1020, LATE_FIRST = 40, LATE_LAST = 900, LATE_MOST = 100 };
static size_t late_histories;

static struct live_settings late_log(size_t history)
{
    double part = (double)history / (double)late_histories;
    uint64_t from = (uint64_t)(LATE_FIRST * pow((double)LATE_LAST / LATE_FIRST, part));
    return (struct live_settings){.kind = LIVE_QUEUE,
                                  .threads = 4,
                                  .overlap = 15,
                                  .adds = LATE_EVENTS / 4,
                                  .removes = LATE_EVENTS / 4,
                                  .wrong_from = from,
                                  .seed = history + 1};
}

static void late_violations(struct bench *b)
{
    late_histories = b->set->quick ? 4 : b->set->papers ? LATE_MOST : 12;
    logs_simulate(b, logs, late_histories, late_log);
    run_all(b, table_2, TABLE_ALGORITHMS, late_histories, queue_limit(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Violations that separate the algorithms");
    paragraph(b,
              "This is like Table 2, but the violation comes late. There are %zu histories of 255 enqueues and 255\n"
              "dequeues (%u steps), by 4 threads of which mostly only one runs. The queue is correct up to an event\n"
              "between %u and %u, which comes later from history to history; the next dequeue that finds more than 8\n"
              "values then gets the last one. An algorithm has %g seconds for each history. The paper's numbers are\n"
              "those of its Table 2.",
              late_histories, LATE_EVENTS, LATE_FIRST, LATE_LAST, queue_limit(b));
    print_outcomes(b, table_2, late_histories, LATE_EVENTS, paper_2);
    print_shares(b, table_2, late_histories);
}

static void recorded_queues(struct bench *b)
{
    size_t histories = b->set->quick ? 4 : 20, half = histories / 2;
    struct stress_recording right = {.adapter = adapter_find("queue:michael-scott"),
                                     .threads = 16,
                                     .mix = "enq=20,deq=30",
                                     .pace = STRESS_CROWDED,
                                     .stamps = true,
                                     .seed = 1},
                            relaxed = right;
    relaxed.adapter = adapter_find("queue:k-fifo");
    logs_record(b, logs, half, &right);
    logs_record(b, &logs[half], half, &relaxed);
    run_all(b, table_1, TABLE_ALGORITHMS, histories, queue_limit(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Very concurrent queues (Table 1), recorded");
    paragraph(
        b,
        "There are %zu histories of 20 enqueues and 30 dequeues by 16 threads, recorded on this machine. Half of\n"
        "them are of the queue of Michael and Scott (`queue:michael-scott`), the other half of a k-FIFO queue\n"
        "(`queue:k-fifo`), which reorders. The threads begin together and pause within their calls: at a call\n"
        "%.1f others are open on average. An algorithm has %g seconds for each history. exact-queue names the\n"
        "wrong return, the other algorithms the return at which they notice.",
        histories, logs_open(logs, histories), queue_limit(b));
    print_outcomes(b, table_1, histories, QUEUE_EVENTS, paper_1);
    relaxed.threads = 4;
    relaxed.pace = STRESS_APART;
    logs_record(b, logs, histories, &relaxed);
    run_all(b, table_2, TABLE_ALGORITHMS, histories, queue_limit(b));
    if (!bench_goes_on(b))
        return;
    heading(b, "Barely concurrent queues (Table 2), recorded");
    paragraph(
        b,
        "The %zu histories have the same size, but 4 threads, and all of them are of the k-FIFO queue. The threads\n"
        "pause between their calls and seldom within them: at a call %.2f others are open on average. An\n"
        "algorithm has %g seconds for each history.",
        histories, logs_open(logs, histories), queue_limit(b));
    print_outcomes(b, table_2, histories, QUEUE_EVENTS, paper_2);
    print_shares(b, table_2, histories);
}

static bool laps_get(struct bench *b)
{
    laps = calloc(MOST_LAPS, sizeof *laps);
    if (!laps)
        bench_fault(b, "out of memory");
    return laps;
}

static void laps_free(void)
{
    free(laps);
    laps = NULL;
}

void algorithms_run(struct bench *b)
{
    if (!laps_get(b))
        return;
    figure_12(b);
    queues(b);
    late_violations(b);
    laps_free();
}

void algorithms_run_recorded(struct bench *b)
{
    if (!laps_get(b))
        return;
    recorded_figure_12(b);
    recorded_queues(b);
    laps_free();
}
