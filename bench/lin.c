/* SPDX-License-Identifier: Apache-2.0 */
/* Linearizability: the goals, each for a whole check from the file to the verdict, and all engines of an object side by
 * side. The histories are generated: clients of the object itself, so the verdict of unchanged histories is known. */
#include "bench/figure.h"

struct aim_lin {
    struct input input;
    int expected;
    double seconds, megabytes; /* 0: no goal */
    const char *peer;
};

#define QUEUE(n, ...)                                                                                                  \
    {                                                                                                                  \
        .object = "queue", .operations = n, .variables = 10, .distinct = true, __VA_ARGS__                             \
    }
#define STACK(n, ...)                                                                                                  \
    {                                                                                                                  \
        .object = "stack", .operations = n, .variables = 10, .distinct = true, __VA_ARGS__                             \
    }
#define SET(...)                                                                                                       \
    {                                                                                                                  \
        .object = "set", .operations = 280000, .threads = 4, .variables = 24, .observers = 34, .size = 10, __VA_ARGS__ \
    }

static const struct aim_lin aims[] = {
    {{.object = "cas-register",
      .operations = 84,
      .threads = 5,
      .variables = 5,
      .observers = 33,
      .size = 10,
      .count = 102},
     ASSAY_CONSISTENT,
     0.05,
     0,
     "Porcupine 0.94"},
    {{.object = "append-map", .operations = 1712, .threads = 50, .variables = 10, .observers = 50, .size = 10},
     ASSAY_CONSISTENT,
     0.02,
     10,
     "Porcupine 0.32, 94 MB"},
    {SET(.mutate = 0), ASSAY_CONSISTENT, 0.15, 0, "2.0, 70 MB"},
    {SET(.mutate = 1), ASSAY_VIOLATION, 0.15, 0, "1.3"},
    {QUEUE(1000000, .threads = 12, .size = 10), ASSAY_CONSISTENT, 0.4, 200, "fastlin 1.9, 447 MB; LiMo 7.9"},
    {QUEUE(1000000, .threads = 12, .size = 0), ASSAY_CONSISTENT, 0.4, 200, NULL},
    {QUEUE(1000000, .threads = 12, .size = 10, .pending = 6), ASSAY_CONSISTENT, 0.4, 200, NULL},
    {STACK(100000, .threads = 12, .size = 10), ASSAY_CONSISTENT, 0.08, 0, "fastlin 0.39; LiMo 28"},
    {STACK(1000000, .threads = 12, .size = 10), ASSAY_CONSISTENT, 0.8, 300, "fastlin 3.6, 1.1 GB"},
    {STACK(1000000, .threads = 12, .size = 0), ASSAY_CONSISTENT, 0, 0, NULL},
    {QUEUE(1000, .threads = 8, .size = 10), ASSAY_CONSISTENT, 0, 0, "Porcupine > 20"},
    {STACK(1000, .threads = 8, .size = 10), ASSAY_CONSISTENT, 0, 0, "Porcupine > 20"},
};

static void goals(struct bench *b)
{
    static struct table t;
    bool quick = b->set->quick;
    heading(b, "Goals");
    paragraph(
        b, "These rows use the engine that is chosen by default. The goals are for the whole check of all histories\n"
           "of the row, reading included. The first two rows replace recorded logs that we don't have here, of etcd\n"
           "(102 logs of 84 operations) and of a key-value store with appends, by generated histories of the same\n"
           "shape, with seeds from 1 up. `best peer s` is quoted for this shape; it was measured neither by this\n"
           "command nor on these files.");
    for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
        const struct aim_lin *a = &aims[i];
        struct task task = {.input = a->input,
                            .model = "lin",
                            .expected = quick && a->input.mutate ? ANY_VERDICT : a->expected,
                            .limit = quick ? 2 : 20,
                            .rounds = quick ? 1 : 3};
        if (quick && task.input.operations > 10000)
            task.input.operations /= 100;
        struct goal goal = {.total = a->seconds, .peak = a->megabytes, .peer = a->peer};
        table_add(b, &t, &task, quick ? (struct goal){0} : goal);
    }
    table_print(b, &t);
    table_print_commands(b, &t);
}

static const uint32_t operations[] = {100, 300, 1000, 3000, 10000, 30000, 100000, 300000, 0};
static const uint32_t threads[] = {2, 4, 6, 8, 12, 16, 24, 32, 0};

static const struct figure figures[] = {
    {.file = "lin-queue-operations",
     .title = "Queue: operations",
     .paper = "No value is added twice, and the object holds about 10 values.",
     .model = "lin",
     .input = QUEUE(0, .threads = 4, .size = 10),
     .sizes = operations},
    {.file = "lin-queue-threads",
     .title = "Queue: threads",
     .paper = "The more calls overlap, the more orders are possible.",
     .model = "lin",
     .over_threads = true,
     .input = QUEUE(1000, .size = 10),
     .sizes = threads},
    {.file = "lin-stack-operations",
     .title = "Stack: operations",
     .paper = "No value is added twice, and the object holds about 10 values.",
     .model = "lin",
     .input = STACK(0, .threads = 4, .size = 10),
     .sizes = operations},
    {.file = "lin-stack-threads",
     .title = "Stack: threads",
     .paper = "The more calls overlap, the more orders are possible.",
     .model = "lin",
     .over_threads = true,
     .input = STACK(1000, .size = 10),
     .sizes = threads},
    {.file = "lin-register-operations",
     .title = "Register: operations",
     .paper = "No value is written twice; half of the calls are reads.",
     .model = "lin",
     .input = {.object = "register", .threads = 8, .variables = 10, .distinct = true, .observers = 50, .size = 10},
     .sizes = operations},
    {.file = "lin-set-operations",
     .title = "Set: operations",
     .paper = "There are 24 values, and a third of the calls only look.",
     .model = "lin",
     .input = {.object = "set", .threads = 8, .variables = 24, .observers = 34, .size = 10},
     .sizes = operations},
    {.file = "lin-cas-register-threads",
     .title = "Register with compare-and-swap: threads",
     .paper = "There are only 5 values, so many orders explain a read.",
     .model = "lin",
     .over_threads = true,
     .input = {.object = "cas-register", .operations = 1000, .variables = 5, .observers = 33, .size = 10},
     .sizes = threads},
    {.file = "lin-append-map-threads",
     .title = "Map of strings that are appended to: threads",
     .paper = "There are 10 keys, each of which is checked on its own.",
     .model = "lin",
     .over_threads = true,
     .input = {.object = "append-map", .operations = 1000, .variables = 10, .observers = 50, .size = 10},
     .sizes = threads},
};

static void run(struct bench *b)
{
    goals(b);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        figure_run(b, &figures[i]);
}

const struct suite suite_lin = {
    .name = "lin",
    .title = "linearizability (lin)",
    .inputs = "v: different values and keys. `object` names the\nobject that the random clients used.",
    .run = run,
};
