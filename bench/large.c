/* SPDX-License-Identifier: Apache-2.0 */
/* A million operations, from the file to the verdict: the distance to the limits of the machine. */
#include "bench/columns.h"
#include "bench/driver.h"
#include "bench/ledger.h"

#include <string.h>

struct large {
    struct input input;
    const char *model; /* NULL: only read */
    double seconds, megabytes;
    const char *peer;
};

#define MEMORY(memory, n, k)                                                                                           \
    {                                                                                                                  \
        .kind = memory, .operations = n, .threads = k, .variables = 1000                                               \
    }
#define COLLECTION(name)                                                                                               \
    {                                                                                                                  \
        .object = name, .operations = 1000000, .threads = 12, .variables = 10, .distinct = true, .size = 10            \
    }
#define REGISTER(text)                                                                                                 \
    {                                                                                                                  \
        .object = "register", .operations = 1000000, .threads = 16, .variables = 10, .distinct = true,                 \
        .observers = 50, .size = 10, .format = text                                                                    \
    }

static const struct large memories[] = {
    {MEMORY("causal", 1000000, 16), NULL, 0.06, 0, "`wc -l` 0.004, `sort` 0.46"},
    {MEMORY("causal", 1000000, 16), "cc", 0.3, 0, "AWDIT 6.1"},
    {MEMORY("causal", 1000000, 100), "cc", 0.7, 0, "AWDIT 18.3"},
    {MEMORY("convergent", 1000000, 16), "ccv", 0.3, 0, NULL},
    {MEMORY("convergent", 1000000, 100), "ccv", 0.7, 0, NULL},
    {MEMORY("causal", 10000000, 16), "cc", 3.2, 800, NULL},
    {MEMORY("causal", 1000000, 16), "cm", 0.8, 0, NULL},
    {{.kind = "sc", .operations = 1000000, .threads = 4, .variables = 4}, "sc", 0.25, 0, "2.9"},
};

static const struct large objects[] = {
    {REGISTER(NULL), NULL, 0, 0, NULL},
    {REGISTER("jsonl"), NULL, 0.15, 0, NULL},
    {REGISTER("edn"), NULL, 0.45, 0, NULL},
    {COLLECTION("queue"), "lin", 0.2, 0, "fastlin 1.9"},
    {COLLECTION("stack"), "lin", 0.25, 0, "fastlin 3.6"},
};

static void measure_all(struct bench *b, struct table *t, const struct large *at, size_t n)
{
    bool quick = b->set->quick;
    t->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct task task = {.input = at[i].input,
                            .model = at[i].model,
                            .expected = ASSAY_CONSISTENT,
                            .limit = at[i].model ? 60 : 0,
                            .rounds = quick ? 1 : 3};
        struct goal goal = {.peak = at[i].megabytes, .peer = at[i].peer};
        *(at[i].model ? &goal.total : &goal.read) = at[i].seconds;
        if (quick) {
            task.input.operations /= 100;
            goal = (struct goal){0};
        }
        table_add(b, t, &task, goal);
    }
    table_print(b, t);
}

/* ---- all models of the ladder ---- */

static const char *const ladder[] = {"sc", "tso", "pso", "wsc", "ccm", "wtso", "wccm", "cm", "ccv", "cc"};
enum { LADDER = sizeof ladder / sizeof *ladder };

struct graded {
    double seconds[LADDER], all; /* of each model by itself; of grading */
    bool fine;
};

static void grade(void *arg, void *out)
{
    struct graded *g = out;
    assay_history *h = input_history(arg);
    g->fine = h != NULL;
    for (size_t i = 0; i < LADDER && g->fine; i++) {
        double start = thread_seconds();
        assay_result *r = assay_check(h, ladder[i], NULL, NULL);
        g->seconds[i] = thread_seconds() - start;
        g->fine = r && assay_result_verdict(r) == ASSAY_CONSISTENT;
        assay_result_free(r);
    }
    double start = thread_seconds();
    assay_grading_free(g->fine ? assay_grade(h, NULL, NULL) : NULL);
    g->all = thread_seconds() - start;
    assay_history_free(h);
}

static void grades(struct bench *b)
{
    struct input in = {
        .kind = "sc", .operations = b->set->quick ? 10000 : 1000000, .threads = 8, .variables = 100, .shuffle = true};
    struct graded g = {.fine = false};
    double sum = 0;
    const struct column columns[] = {{"model", -6}, {"check s", 9}};
    char name[COMMAND_SPACE + 32], cells[2][COLUMN_CELL];
    heading(b, "All models");
    input_command(&in, name, sizeof name - 32);
    paragraph(b,
              "The first rows check each model of `assay grade` by itself, on a history of %s operations, 8 threads\n"
              "and 100 variables that satisfies all of them. The last row is `assay grade`, which infers weak models\n"
              "from strong ones:\n"
              "\n"
              "    %s",
              grouped(in.operations), name);
    if (!bench_goes_on(b))
        return;
    if (!in_child(grade, &in, &g, sizeof g) || !g.fine) {
        bench_fault(b, "a history that satisfies sc is not graded so");
        return;
    }
    columns_print_head(b, columns, 2);
    for (size_t i = 0; i < LADDER; i++) {
        snprintf(cells[0], COLUMN_CELL, "%s", ladder[i]);
        snprintf(cells[1], COLUMN_CELL, "%.3f", g.seconds[i]);
        columns_print_row(b, columns, 2, cells);
        sum += g.seconds[i];
    }
    if (!b->set->quick)
        fprintf(b->set->out, "\n- all models by themselves: %.2f s\n- `assay grade`: %.2f s, goal 3 s: %s\n", sum,
                g.all, g.all <= 3 ? "met" : "missed");
    strcat(name, " | assay grade");
    ledger_time(b->set->ledger, name, "check", &g.all, 1);
}

static void run(struct bench *b)
{
    static struct table t;
    heading(b, "Memories");
    paragraph(
        b, "These rows use the default engine, and their goals are for the whole check, reading included. `Axe s` is\n"
           "the time of the best other tool, AWDIT for the causal models and Axe for sc; it is quoted, not measured\n"
           "by this command.");
    measure_all(b, &t, memories, sizeof memories / sizeof *memories);
    heading(b, "Formats and objects");
    paragraph(
        b, "The first rows only read the calls and returns of one register, as .hist, JSON Lines and EDN. The others\n"
           "are checks.");
    measure_all(b, &t, objects, sizeof objects / sizeof *objects);
    grades(b);
}

const struct suite suite_large = {
    .name = "large",
    .title = "a million operations",
    .inputs = MEMORY_INPUTS,
    .run = run,
};
