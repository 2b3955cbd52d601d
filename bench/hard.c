/* SPDX-License-Identifier: Apache-2.0 */
/* Hard histories: many clients at once, values that repeat, formulas. Here a search may need a time that grows with the
 * number of orders, so the goals say that nothing easy stays undecided. Then the default engine against all others. */
#include "bench/standing.h"

#include <string.h>

struct hard {
    struct input input;
    const char *model;
    int expected;
    double seconds, megabytes; /* 0: no goal */
    bool each;                 /* the seconds are those of the slowest history */
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

/* engine NULL: the default, which has the goals. */
static void add(struct bench *b, struct table *t, const struct hard *h, const char *engine)
{
    bool quick = b->set->quick, has_goal = !engine && !quick;
    struct task task = {.input = h->input,
                        .model = h->model,
                        .engine = engine,
                        .expected = h->expected,
                        .limit = quick    ? 1
                                 : engine ? 3
                                          : 10,
                        .limit_is_cpu = true,
                        .rounds = quick ? 1 : 3};
    struct goal goal = {.peak = h->megabytes};
    *(h->each ? &goal.each : h->input.object || h->input.initial ? &goal.total : &goal.check) = h->seconds;
    if (quick && task.input.count > 2)
        task.input.count = 2;
    table_add(b, t, &task, has_goal ? goal : (struct goal){0});
}

static void run_table(struct bench *b, const struct hard *at, size_t n, const char *other, uint32_t most)
{
    static struct table t;
    t.n = 0;
    for (size_t i = 0; i < n; i++) {
        add(b, &t, &at[i], NULL);
        if (other && is_here(other) && at[i].input.operations < most)
            add(b, &t, &at[i], other);
    }
    table_print(b, &t);
    table_print_commands(b, &t);
}

/* ---- objects ---- */

#define APPEND_MAP(...)                                                                                                \
    {                                                                                                                  \
        .object = "append-map", .operations = 10000, .threads = 50, .observers = 50, .size = 10, __VA_ARGS__           \
    }
#define CAS_REGISTER(...)                                                                                              \
    {                                                                                                                  \
        .object = "cas-register", .operations = 10000, .threads = 50, .observers = 33, .size = 10, __VA_ARGS__         \
    }
#define COUNTER(k, names)                                                                                              \
    {                                                                                                                  \
        .object = "counter", .operations = 10000, .threads = k, .variables = 10, .observers = 30, .size = 10,          \
        .methods = names, .silent = true                                                                               \
    }
#define DEQUE(...)                                                                                                     \
    {                                                                                                                  \
        .object = "deque", .operations = 1000, .threads = 5, .variables = 10, __VA_ARGS__                              \
    }

static const struct hard objects[] = {
    {APPEND_MAP(.variables = 10, .mutate = 20), "lin", ASSAY_VIOLATION, 0.5, 0, false},
    {APPEND_MAP(.variables = 1, .distinct = true), "lin", ASSAY_CONSISTENT, 0.05, 0, false},
    {APPEND_MAP(.variables = 1, .distinct = true, .mutate = 1), "lin", ASSAY_VIOLATION, 0.05, 0, false},
    {APPEND_MAP(.variables = 10, .distinct = true), "lin", ASSAY_CONSISTENT, 0.05, 0, false},
    {APPEND_MAP(.variables = 10, .distinct = true, .mutate = 1), "lin", ASSAY_VIOLATION, 0.05, 0, false},
    {CAS_REGISTER(.variables = 5), "lin", ASSAY_CONSISTENT, 0.5, 0, false},
    {CAS_REGISTER(.variables = 100), "lin", ASSAY_CONSISTENT, 0.5, 0, false},
    {CAS_REGISTER(.variables = 100, .mutate = 1), "lin", ASSAY_VIOLATION, 0.5, 0, false},
    {COUNTER(20, "inc,get"), "lin", ASSAY_CONSISTENT, 0.5, 0, false},
    {COUNTER(50, "inc,get"), "lin", ASSAY_CONSISTENT, 0.5, 0, false},
    {DEQUE(.size = 100, .distinct = true), "lin", ASSAY_CONSISTENT, 1, 0, false},
    {DEQUE(.size = 100, .distinct = true, .mutate = 1), "lin", ASSAY_VIOLATION, 1, 0, false},
    {DEQUE(.size = 10, .observers = 30), "lin", ASSAY_CONSISTENT, 1, 0, false},
    {DEQUE(.size = 10, .observers = 30, .mutate = 1), "lin", ASSAY_VIOLATION, 1, 0, false},
};

/* ---- memories ---- */

/* Operations and threads follow from a formula, so that the table shows those of the file. */
#define FORMULA(v)                                                                                                     \
    {                                                                                                                  \
        .variables = v, .clauses = 6 * v, .operations = 146 * v, .threads = 92 * v                                     \
    }
#define FORMULAS(n)                                                                                                    \
    {                                                                                                                  \
        .variables = 10, .clauses = 60, .satisfiable = n, .operations = 1460 * (n + 1), .threads = 920 * (n + 1)       \
    }
#define BINARY(n, k, v, ...)                                                                                           \
    {                                                                                                                  \
        .kind = "sc", .operations = n, .threads = k, .variables = v, .values = 2, __VA_ARGS__                          \
    }

static const struct hard formulas[] = {
    {FORMULA(30), "sc", ASSAY_VIOLATION, 0.15, 0, false},   {FORMULA(40), "sc", ASSAY_VIOLATION, 0.2, 0, false},
    {FORMULA(100), "sc", ASSAY_VIOLATION, 0.6, 0, false},   {FORMULAS(20), "sc", ASSAY_VIOLATION, 0.3, 0, false},
    {FORMULAS(60), "sc", ASSAY_VIOLATION, 0.8, 500, false}, {FORMULA(30), "pso", ANY_VERDICT, 0.15, 0, false},
    {FORMULA(100), "pso", ANY_VERDICT, 0.6, 0, false},      {FORMULAS(60), "pso", ANY_VERDICT, 0.8, 500, false},
};

static const struct hard binary[] = {
    {BINARY(400, 2, 1, .shuffle = true), "sc", ASSAY_CONSISTENT, 0.01, 0, false},
    {BINARY(5000, 4, 1, .shuffle = true), "sc", ASSAY_CONSISTENT, 0.5, 0, false},
    {BINARY(400, 4, 3, .shuffle = true), "sc", ASSAY_CONSISTENT, 0.5, 0, false},
    {BINARY(300, 4, 3, .shuffle = true), "ccv", ASSAY_CONSISTENT, 1, 0, false},
    {BINARY(100000, 8, 10, .shuffle = false), "sc", ASSAY_CONSISTENT, 0.1, 0, false},
};

/* ---- initial values, weak consistency ---- */

#define INITIAL                                                                                                        \
    {                                                                                                                  \
        .kind = "sc", .operations = 1000, .threads = 4, .variables = 100000, .initial = 100000                         \
    }
#define QUEUES(k)                                                                                                      \
    {                                                                                                                  \
        .object = "queue", .operations = 60, .threads = k, .variables = 10, .distinct = true, .observers = 10,         \
        .size = 10, .mutate = 1, .count = 60, .violates = "lin"                                                        \
    }

static const struct hard initial[] = {
    {INITIAL, "cc", ASSAY_CONSISTENT, 0.02, 0, false},
    {INITIAL, "sc", ASSAY_CONSISTENT, 0.02, 0, false},
};

static const struct hard weak[] = {
    {QUEUES(3), "weak-hb", ANY_VERDICT, 0.06, 0, true},
    {QUEUES(5), "weak-hb", ANY_VERDICT, 0.06, 0, true},
    {QUEUES(8), "weak-hb", ANY_VERDICT, 0.06, 0, true},
};

/* ---- the default engine against the others ---- */

/* Right and wrong histories, of few clients and of many, with repeated values and with distinct ones. */
#define OBJECT(name, n, k, ...)                                                                                        \
    {                                                                                                                  \
        {.object = name, .operations = n, .threads = k, .variables = 5, .observers = 30, .size = 10, __VA_ARGS__},     \
            "lin"                                                                                                      \
    }
#define SIZES(name, ...)                                                                                               \
    OBJECT(name, 200, 4, __VA_ARGS__, .count = 20), OBJECT(name, 200, 4, __VA_ARGS__, .mutate = 1, .count = 20),       \
        OBJECT(name, 1000, 10, __VA_ARGS__, .count = 9), OBJECT(name, 1000, 10, __VA_ARGS__, .mutate = 1, .count = 9), \
        OBJECT(name, 1000, 50, __VA_ARGS__, .count = 3), OBJECT(name, 1000, 50, __VA_ARGS__, .mutate = 1, .count = 3)
#define PLAIN(name) SIZES(name, .distinct = false)
#define DISTINCT(name) SIZES(name, .distinct = true)
#define MEMORY(of, n, k, v, ...)                                                                                       \
    {                                                                                                                  \
        {.kind = "sc", .operations = n, .threads = k, .variables = v, __VA_ARGS__}, of                                 \
    }
#define MEMORIES(of)                                                                                                   \
    MEMORY(of, 10000, 8, 10, .shuffle = true, .count = 3),                                                             \
        MEMORY(of, 10000, 8, 10, .shuffle = true, .mutate = 3, .distance = 20, .count = 3),                            \
        MEMORY(of, 400, 4, 3, .shuffle = true, .values = 2, .count = 3)

/* All objects that random clients can use: of a multi-register the calls themselves say the values that they find. */
static const struct family families[] = {
    PLAIN("register"),      DISTINCT("register"),  PLAIN("cas-register"),
    PLAIN("map"),           PLAIN("append-map"),   DISTINCT("append-map"),
    PLAIN("queue"),         DISTINCT("queue"),     PLAIN("stack"),
    DISTINCT("stack"),      PLAIN("deque"),        DISTINCT("deque"),
    PLAIN("pqueue"),        DISTINCT("pqueue"),    PLAIN("set"),
    PLAIN("multiset"),      PLAIN("counter"),      PLAIN("lock"),
    PLAIN("rwlock"),        PLAIN("semaphore(2)"), PLAIN("counting-semaphore(2)"),
    PLAIN("exchanger"),     MEMORIES("cc"),        MEMORIES("ccv"),
    MEMORIES("cm"),         MEMORIES("sc"),        MEMORIES("tso"),
    MEMORIES("pso"),        {FORMULA(30), "sc"},   {FORMULA(30), "tso"},
    {FORMULA(30), "pso"},   {FORMULAS(20), "sc"},  {QUEUES(3), "weak-hb"},
    {QUEUES(8), "weak-hb"},
};

#define TABLE(rows) rows, sizeof(rows) / sizeof *(rows)

static void run(struct bench *b)
{
    enum { TOO_LARGE = 100000 }; /* for `sat`: it takes no more choices of sources */
    heading(b, "Objects with many clients");
    paragraph(
        b, "These rows use the default engine, and their goals are for the whole check, reading included. In the\n"
           "first row the strings of an append-map repeat, and some of its keys are violated. This tests that a hard\n"
           "key does not keep the others waiting.");
    run_table(b, TABLE(objects), NULL, 0);
    heading(b, "Formulas");
    paragraph(b,
              "A formula can be written as a history that is consistent exactly if the formula has a solution. The\n"
              "first rows are random formulas with six clauses of three literals for each variable, which have none.\n"
              "In the others, one such formula hides among many that have a solution. The table compares the default\n"
              "engine with the SAT solver alone.");
    run_table(b, TABLE(formulas), "sat", TOO_LARGE);
    heading(b, "Values that repeat");
    paragraph(b,
              "With binary values, any write of the right value may be the source of a read. The last row is in the\n"
              "order of execution.");
    run_table(b, TABLE(binary), "sat", TOO_LARGE);
    heading(b, "Initial values");
    paragraph(
        b, "Each of 100,000 variables has a line for its initial value, and the goals include reading. Each line is\n"
           "kept for writing it back, its variable gets a number, and its value a place in an index.");
    run_table(b, TABLE(initial), NULL, 0);
    heading(b, "Queues that are not linearizable");
    paragraph(b,
              "Each row has 60 histories of 60 operations, without those that are linearizable. The goal is for the\n"
              "slowest of them.");
    run_table(b, TABLE(weak), NULL, 0);
    heading(b, "The default engine and the others");
    paragraph(
        b, "Is the default engine the right choice? The table has mean times over several histories of each kind; a\n"
           "ratio above 1 says that another engine is faster than the default. The default engine gets 2 seconds per\n"
           "history, and the others get three times as long as it took. Times below 0.1 ms count as 0.1 ms. The\n"
           "search `wgl` asks `jit` only when it meets dead ends, so a check that `jit` alone decides in a\n"
           "millisecond may take up to twice as long.");
    standing_run(b, families, b->set->quick ? 6 : sizeof families / sizeof *families);
}

const struct suite suite_hard = {
    .name = "hard",
    .title = "hard histories",
    .inputs = "v: variables of a memory, different values and\nkeys of an object.",
    .run = run,
};
