/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions: the levels of isolation on histories of simulated stores, from the file to the verdict. */
#include "bench/driver.h"

struct level {
    struct input input;
    const char *model;
    int expected;
    double seconds, megabytes; /* 0: no goal */
    const char *peer;
};

#define STORE(level, n, k, d, ...)                                                                                     \
    {                                                                                                                  \
        .store = level, .operations = n, .threads = k, .variables = d, __VA_ARGS__                                     \
    }
#define HOLDS ASSAY_CONSISTENT

static const struct level weak[] = {
    {STORE("ser", 125000, 10, 1000, ), "rc", HOLDS, 0.25, 0, "AWDIT 0.61"},
    {STORE("ser", 125000, 10, 1000, ), "ra", HOLDS, 0.3, 0, "AWDIT 0.92"},
    {STORE("ser", 125000, 10, 1000, ), "tcc", HOLDS, 0.4, 600, "AWDIT 2.2"},
    {STORE("ser", 125000, 100, 1000, ), "tcc", HOLDS, 0.8, 600, "AWDIT 12.5"},
    {STORE("ser", 125000, 1000, 1000, ), "tcc", HOLDS, 2.0, 600, "AWDIT 31"},
};

static const struct level strong[] = {
    {STORE("ser", 3809, 25, 10000, ), "ser", HOLDS, 0.02, 0, "VeriStrong 3.2"},
    {STORE("ser", 15264, 25, 10000, ), "ser", HOLDS, 0.1, 0, "VeriStrong 105"},
    {STORE("ser", 100000, 25, 10000, ), "ser", HOLDS, 1.0, 0, NULL},
    {STORE("si", 10000, 25, 10000, ), "si", HOLDS, 0.06, 0, "VeriStrong 15.7"},
    {STORE("ser", 125000, 10, 1000, ), "ser", HOLDS, 1.0, 0, NULL},
    {STORE("ser", 125000, 10, 1000, ), "si", HOLDS, 1.0, 0, NULL},
    {STORE("si", 125000, 10, 1000, ), "si", HOLDS, 1.0, 0, NULL},
    {STORE("ser", 125000, 10, 1000, ), "pc", HOLDS, 0, 0, NULL},
    {STORE("ser", 125000, 10, 1000, ), "psi", HOLDS, 0, 0, NULL},
    {STORE("si", 20000, 10, 1000, ), "ser", ASSAY_VIOLATION, 0.03, 0, NULL},
};

#define LISTS STORE("ser", 125000, 10, 1000, .lists = true)
static const struct level lists[] = {
    {LISTS, "rc", HOLDS, 0.6, 0, NULL},  {LISTS, "ra", HOLDS, 0.6, 0, NULL},  {LISTS, "tcc", HOLDS, 0.6, 0, NULL},
    {LISTS, "pc", HOLDS, 0.6, 0, NULL},  {LISTS, "psi", HOLDS, 0.6, 0, NULL}, {LISTS, "si", HOLDS, 0.6, 0, NULL},
    {LISTS, "ser", HOLDS, 0.6, 0, NULL},
};

static const struct level many[] = {
    {STORE("ser", 25000, 320, 1000, ), "ser", HOLDS, 0, 0, NULL},
    {STORE("ser", 25000, 320, 1000, ), "si", HOLDS, 0, 0, NULL},
    {STORE("si", 25000, 320, 1000, ), "si", HOLDS, 0, 0, NULL},
    {STORE("ser", 25000, 320, 1000, ), "ser-plain", HOLDS, 0, 0, NULL},
    {STORE("ser", 25000, 1000, 1000, ), "ser", HOLDS, 0, 0, NULL},
};

static const struct level repeated[] = {
    {STORE("ser", 100000, 10, 1000, .values = 10), "rc", HOLDS, 0, 0, NULL},
    {STORE("ser", 10000, 10, 1000, .values = 10), "tcc", HOLDS, 0, 0, NULL},
    {STORE("ser", 10000, 10, 1000, .values = 10), "ser", HOLDS, 0, 0, NULL},
    {STORE("si", 10000, 10, 1000, .values = 10), "si", HOLDS, 0, 0, NULL},
    {STORE("ser", 25000, 10, 1000, .values = 100), "ser", HOLDS, 0, 0, NULL},
    {STORE("si", 10000, 10, 1000, .values = 100), "ser", ASSAY_VIOLATION, 0, 0, NULL},
};

static void measure_all(struct bench *b, const struct level *at, size_t n)
{
    static struct table t;
    bool quick = b->set->quick;
    t.n = 0;
    for (size_t i = 0; i < n; i++) {
        struct task task = {.input = at[i].input,
                            .model = at[i].model,
                            .expected = at[i].expected,
                            .limit = 60,
                            .rounds = quick ? 1 : 3};
        struct goal goal = {.total = at[i].seconds, .peak = at[i].megabytes, .peer = at[i].peer};
        if (quick) {
            task.input.operations /= 100;
            task.expected = ANY_VERDICT; /* a short history may be better than its store */
            goal = (struct goal){0};
        }
        table_add(b, &t, &task, goal);
    }
    table_print(b, &t);
    table_print_commands(b, &t);
}

/* ---- growth ---- */

static const char *const levels[] = {"rc", "ra", "tcc", "pc", "psi", "si", "ser"};

static void label_by_level(const struct row *r, char *out, size_t size)
{
    snprintf(out, size, "%s", r->task.model);
}

static double row_total(const struct row *r)
{
    return r->sample.undecided ? -1 : r->sample.read + r->sample.check;
}

static void add_levels(struct bench *b, struct table *t, struct input input)
{
    if (b->set->quick)
        input.operations /= 100;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct task task = {
            .input = input, .model = levels[i], .expected = HOLDS, .limit = 60, .rounds = b->set->quick ? 1 : 3};
        table_add(b, t, &task, (struct goal){0});
    }
}

static void over_transactions(struct bench *b)
{
    static struct table t;
    const struct plot plot = {"transactions-transactions",
                              "Levels of isolation: 10 sessions, 1,000 keys",
                              "transactions",
                              "CPU seconds, with reading",
                              row_operations,
                              row_total,
                              label_by_level,
                              true,
                              true};
    heading(b, "Growth with the transactions");
    paragraph(b,
              "The number of sessions and keys stays the same. A store of ser satisfies every level, so no check ends\n"
              "early.");
    for (uint32_t n = 12500; n <= 200000; n *= 2)
        add_levels(b, &t, (struct input)STORE("ser", n, 10, 1000, ));
    table_print(b, &t);
    plot_table(b, &t, &plot);
}

static void over_sessions(struct bench *b)
{
    static struct table t;
    const struct plot plot = {"transactions-sessions",
                              "Levels of isolation: 25,000 transactions, 1,000 keys",
                              "sessions",
                              "CPU seconds, with reading",
                              row_threads,
                              row_total,
                              label_by_level,
                              true,
                              false};
    heading(b, "Growth with the sessions");
    paragraph(b, "The number of transactions stays the same, in more and more sessions.");
    for (uint32_t k = 5; k <= 80; k *= 2)
        add_levels(b, &t, (struct input)STORE("ser", 25000, k, 1000, ));
    table_print(b, &t);
    plot_table(b, &t, &plot);
}

static void run(struct bench *b)
{
    heading(b, "Weak levels");
    paragraph(
        b, "Each transaction has 8 accesses with uniform keys, and half of them read. `n` counts transactions, `k`\n"
           "sessions and `v` keys. Goals are for the whole check, reading included. Times of other tools are quoted,\n"
           "not measured by this command.");
    measure_all(b, weak, sizeof weak / sizeof *weak);
    heading(b, "Strong levels");
    paragraph(b, "The last row is a violation: a store of si has write skews.");
    measure_all(b, strong, sizeof strong / sizeof *strong);
    heading(b, "Lists");
    paragraph(b, "After at most 32 appends to a list, a new key takes its place.");
    measure_all(b, lists, sizeof lists / sizeof *lists);
    heading(b, "Many sessions");
    paragraph(b, "With hundreds of sessions, the order of commits is largely open.");
    measure_all(b, many, sizeof many / sizeof *many);
    heading(b, "Values that repeat");
    paragraph(b, "Each register has few values, so reads have several possible sources.");
    measure_all(b, repeated, sizeof repeated / sizeof *repeated);
    over_transactions(b);
    over_sessions(b);
}

const struct suite suite_transactions = {
    .name = "transactions",
    .title = "transactions",
    .inputs = "v: keys. The first column names the level that the store of a\nhistory satisfies.",
    .run = run,
};
