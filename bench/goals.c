/* SPDX-License-Identifier: Apache-2.0 */
/* The default engine, since users get this one. */
#include "bench/goals.h"

#include <string.h>

/* In a quick run, large histories have a hundredth of their size. */
static struct input input_of(const struct aim *a, bool quick, bool shuffle)
{
    return (struct input){.kind = a->kind,
                          .operations = a->operations / (quick && a->operations > 1000 ? 100 : 1),
                          .threads = a->threads,
                          .variables = a->variables,
                          .mutate = a->mutate,
                          .distance = 20,
                          .shuffle = shuffle};
}

static void add(struct bench *b, struct table *t, const char *model, const struct aim *a, bool shuffle)
{
    bool quick = b->set->quick;
    struct task task = {.input = input_of(a, quick, shuffle),
                        .model = model,
                        .engine = "auto",
                        .expected = quick && a->mutate ? ANY_VERDICT : a->expected,
                        .limit = 60,
                        .rounds = quick ? 1 : 3};
    struct goal goal = {.check = a->seconds, .peak = a->megabytes, .peer = a->axe};
    table_add(b, t, &task, quick ? (struct goal){0} : goal);
}

void goals_run(struct bench *b, const char *model, const struct aim *aims, size_t n)
{
    static struct table t;
    char title[64];
    t.n = 0;
    snprintf(title, sizeof title, "Large and hard histories: %s", model);
    heading(b, title);
    paragraph(b, "The default engine, on histories as they were executed, and with the operations of different\n"
                 "threads shuffled. Then nothing can be learned from their order. `Axe s`: the seconds of Axe\n"
                 "(C++), quoted, measured on the same kind of machine but not by this command.");
    for (size_t i = 0; i < n; i++)
        for (int shuffle = 0; shuffle < 2; shuffle++)
            add(b, &t, model, &aims[i], shuffle);
    table_print(b, &t);
    table_print_commands(b, &t);
}

/* ---- hard histories ---- */

enum { TOO_LARGE = 100000 }; /* for `sat`: it takes no more choices of sources */

struct hard {
    struct input input;
    int expected;
    double seconds, megabytes;
};

/* Operations and threads follow from a formula, so that the table shows those of the file. */
static const struct hard hard[] = {
    {{.variables = 30, .clauses = 180, .operations = 4380, .threads = 2760}, ASSAY_VIOLATION, 0.15, 0},
    {{.variables = 40, .clauses = 240, .operations = 5840, .threads = 3680}, ASSAY_VIOLATION, 0.2, 0},
    {{.variables = 100, .clauses = 600, .operations = 14600, .threads = 9200}, ASSAY_VIOLATION, 0.6, 0},
    {{.variables = 10, .clauses = 60, .satisfiable = 20, .operations = 30660, .threads = 19320},
     ASSAY_VIOLATION,
     0.3,
     0},
    {{.variables = 10, .clauses = 60, .satisfiable = 60, .operations = 89060, .threads = 56120},
     ASSAY_VIOLATION,
     0.8,
     500},
    {{.kind = "sc", .operations = 400, .threads = 2, .variables = 1, .values = 2, .shuffle = true},
     ASSAY_CONSISTENT,
     0.01,
     0},
    {{.kind = "sc", .operations = 5000, .threads = 4, .variables = 1, .values = 2, .shuffle = true},
     ASSAY_CONSISTENT,
     0.5,
     0},
    {{.kind = "sc", .operations = 400, .threads = 4, .variables = 3, .values = 2, .shuffle = true},
     ASSAY_CONSISTENT,
     0.5,
     0},
    {{.kind = "sc", .operations = 100000, .threads = 8, .variables = 10, .values = 2}, ASSAY_CONSISTENT, 0.1, 0},
};

static bool is_here(const char *engine)
{
    for (size_t i = 0; i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        if (strcmp(m.name, engine) == 0)
            return !m.missing;
    }
    return false;
}

static void add_hard(struct bench *b, struct table *t, const char *model, const struct hard *h, const char *engine)
{
    struct task task = {.input = h->input,
                        .model = model,
                        .engine = engine,
                        .expected = h->expected,
                        .limit = b->set->quick ? 1 : 10,
                        .rounds = 1};
    struct goal goal = {.check = h->seconds, .peak = h->megabytes};
    table_add(b, t, &task, strcmp(engine, "auto") == 0 && !b->set->quick ? goal : (struct goal){0});
}

void goals_run_hard(struct bench *b, const char *model)
{
    static const char *const engines[] = {"auto", "sat"};
    static struct table t;
    t.n = 0;
    heading(b, "Formulas, and values that repeat");
    paragraph(b, "Random formulas with six clauses of three literals for each variable, as histories: no solution, no\n"
                 "explanation. Then memories with binary values, where any write of a value may be the source of a\n"
                 "read. The default engine, and the SAT solver alone.");
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
        for (size_t e = 0; e < sizeof engines / sizeof *engines; e++)
            if (is_here(engines[e]) && (e == 0 || hard[i].input.operations < TOO_LARGE))
                add_hard(b, &t, model, &hard[i], engines[e]);
    table_print(b, &t);
    table_print_commands(b, &t);
}
