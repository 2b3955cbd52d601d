/* SPDX-License-Identifier: Apache-2.0 */
/* The default engine, since users get this one. */
#include "bench/goals.h"

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
    paragraph(
        b,
        "These rows use the default engine, on histories in the order of execution, and with the operations of\n"
        "different threads shuffled, so that nothing can be learned from their order. `Axe s` is the seconds of Axe\n"
        "(C++), quoted: measured on the same kind of machine but not by this command.");
    for (size_t i = 0; i < n; i++)
        for (int shuffle = 0; shuffle < 2; shuffle++)
            add(b, &t, model, &aims[i], shuffle);
    table_print(b, &t);
    table_print_commands(b, &t);
}
