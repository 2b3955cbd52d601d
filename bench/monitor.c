/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors: the steps that each algorithm gets through (algorithms.h), and the cost of following a long log. */
#include "bench/algorithms.h"
#include "bench/chart.h"
#include "bench/columns.h"
#include "bench/ledger.h"
#include "bench/soak.h"

/* ---- following a long log ---- */

struct long_run {
    const char *engine;
    enum live_kind kind;
    uint64_t events, wrong_from;
};

static const struct long_run long_runs[] = {
    {NULL, LIVE_QUEUE, 100000000, 99000000}, {NULL, LIVE_STACK, 100000000, 99000000},
    {NULL, LIVE_SET, 100000000, 99000000},   {NULL, LIVE_REGISTER, 100000000, 99000000},
    {"saturate+r", LIVE_QUEUE, 10000000, 0}, {"saturate+r", LIVE_STACK, 10000000, 0},
    {"saturate+r", LIVE_SET, 10000000, 0},   {"saturate+r", LIVE_REGISTER, 10000000, 0},
};
enum { LONG_RUNS = sizeof long_runs / sizeof *long_runs, HOLDS = 64 };

static void plot_memory(struct bench *b, const struct soaked *soaked)
{
    static struct chart c;
    c = (struct chart){
        .title = "Memory of a monitor stays flat", .x_title = "million events", .y_title = "resident megabytes"};
    for (size_t i = 0; i < LONG_RUNS; i++)
        for (uint32_t s = 0; s < soaked[i].samples && !long_runs[i].engine; s++)
            chart_add(&c, soaked[i].engine,
                      (struct chart_point){(double)long_runs[i].events * (s + 1) / SOAK_SAMPLES / 1e6,
                                           soaked[i].curve[s], false});
    plot_chart(b, "monitor-memory", &c);
}

static void print_soaked(const struct bench *b, const struct long_run *r, const struct soaked *s)
{
    static const struct column columns[] = {{"object", -9}, {"monitor", -15},    {"events", 11},
                                            {"CPU s", 7},   {"M events/s", 10},  {"MB early", 8},
                                            {"MB late", 8}, {"wrong event", 11}, {"reported", 11}};
    enum { ALL = sizeof columns / sizeof *columns };
    if (r == long_runs)
        columns_print_head(b, columns, ALL);
    char cells[ALL][COLUMN_CELL];
    snprintf(cells[0], COLUMN_CELL, "%s", live_objects[r->kind]);
    snprintf(cells[1], COLUMN_CELL, "%s", s->engine);
    snprintf(cells[2], COLUMN_CELL, "%s", grouped((uint32_t)s->events));
    snprintf(cells[3], COLUMN_CELL, "%.2f", s->cpu);
    snprintf(cells[4], COLUMN_CELL, "%.2f", (double)s->events / s->cpu / 1e6);
    snprintf(cells[5], COLUMN_CELL, "%.2f", s->samples ? s->curve[0] : 0);
    snprintf(cells[6], COLUMN_CELL, "%.2f", s->samples ? s->curve[s->samples - 1] : 0);
    snprintf(cells[7], COLUMN_CELL, "%s", s->wrong_at ? grouped((uint32_t)s->wrong_at) : "none");
    snprintf(cells[8], COLUMN_CELL, "%s", s->violation ? grouped((uint32_t)s->violation) : "none");
    columns_print_row(b, columns, ALL, cells);
}

static void print_goal(const struct bench *b, const struct long_run *r, const struct soaked *s)
{
    double rate = (double)s->events / s->cpu / 1e6;
    fprintf(b->set->out, "- %s on a %s: %.1f million events per CPU second, goal at least 2: %s", s->engine,
            live_objects[r->kind], rate, rate >= 2 ? "met" : "missed");
    if (s->samples) {
        double growth = 100 * (s->curve[s->samples - 1] / s->curve[0] - 1);
        fprintf(b->set->out, "; memory grows by %.1f %%, goal at most 10: %s", growth, growth <= 10 ? "met" : "missed");
    }
    fputc('\n', b->set->out);
}

static void note(const struct bench *b, const struct soak *s, const struct soaked *out)
{
    char name[128];
    snprintf(name, sizeof name, "assay monitor -o %s -e %s, %llu events", live_objects[s->log.kind], out->engine,
             (unsigned long long)s->events);
    ledger_time(b->set->ledger, name, "follow", &out->cpu, 1);
    if (out->samples)
        ledger_memory(b->set->ledger, name, &out->curve[out->samples - 1], 1);
}

static void long_logs(struct bench *b)
{
    static struct soaked soaked[LONG_RUNS];
    heading(b, "Long logs");
    paragraph(
        b,
        "A program of 16 threads writes its events into a pipe, and a monitor reads them. The containers hold at\n"
        "most %u values. CPU seconds are those of the monitor's process, reading included. The memory is that of the\n"
        "process after one hundredth of the events, and at the end. In the logs of the first rows one result is\n"
        "wrong.",
        HOLDS);
    for (size_t i = 0; i < LONG_RUNS && bench_goes_on(b); i++) {
        uint64_t shrink = b->set->quick ? 1000 : 1;
        struct soak s = {.engine = long_runs[i].engine,
                         .events = long_runs[i].events / shrink,
                         .log = {.kind = long_runs[i].kind,
                                 .threads = 16,
                                 .overlap = 90,
                                 .holds = HOLDS,
                                 .wrong_from = long_runs[i].wrong_from / shrink,
                                 .seed = 1}};
        soak_run(b, &s, &soaked[i]);
        if (bench_goes_on(b)) {
            print_soaked(b, &long_runs[i], &soaked[i]);
            note(b, &s, &soaked[i]);
        }
        /* Where too many linearizations would have to be followed, the report names an event somewhat later. */
        uint64_t latest = soaked[i].wrong_at + (soaked[i].wrong_at ? 10ull * s.log.threads : 0);
        if (soaked[i].violation < soaked[i].wrong_at || soaked[i].violation > latest)
            bench_fault(b, "%s on a %s: event %llu was wrong, event %llu was reported", soaked[i].engine,
                        live_objects[s.log.kind], (unsigned long long)soaked[i].wrong_at,
                        (unsigned long long)soaked[i].violation);
    }
    fputc('\n', b->set->out);
    for (size_t i = 0; i < LONG_RUNS && bench_goes_on(b); i++)
        print_goal(b, &long_runs[i], &soaked[i]);
    plot_memory(b, soaked);
}

/* ---- following objects of all kinds ---- */

/* Of each object calls that could make a monitor slow, or large. */
static const struct object_run {
    const char *object, *methods; /* NULL: all */
    bool distinct;
} object_runs[] = {
    {"map", "put,get,remove", true},
    {"map", "put,get,remove", false},
    {"map", NULL, true},
    {"map", NULL, false},
    {"memory", NULL, true},
    {"cas-register", NULL, false},
    {"append-map", NULL, false},
    {"register", NULL, false},
    {"bounded-queue(4)", NULL, false},
    {"multiset", NULL, false},
    {"counter", NULL, false},
    {"rwlock", NULL, false},
    {"bank(4,100)", "transfer,balance", false},
};
enum { OBJECT_RUNS = sizeof object_runs / sizeof *object_runs, OBJECT_EVENTS = 400000, OBJECT_TIMES = 10 };

static struct collect_settings clients_of(const struct object_run *r, uint64_t events)
{
    const struct collector *c = collector_find("object");
    struct collect_settings s = collect_defaults(c);
    char number[24];
    collect_set(c, &s, "object", r->object);
    if (r->methods)
        collect_set(c, &s, "methods", r->methods);
    snprintf(number, sizeof number, "%llu", (unsigned long long)events / 2);
    collect_set(c, &s, "operations", number);
    collect_set(c, &s, "values", "16");
    if (r->distinct)
        collect_set(c, &s, "distinct", NULL);
    return s;
}

static void print_object(const struct bench *b, const struct object_run *r, const struct soaked s[2])
{
    static const struct column columns[] = {{"object", -16},     {"methods", -16}, {"values", -8},
                                            {"events", 9},       {"CPU s", 6},     {"MB", 6},
                                            {"10 x, CPU s", 11}, {"10 x, MB", 8},  {"exact", -5}};
    enum { ALL = sizeof columns / sizeof *columns };
    if (r == object_runs)
        columns_print_head(b, columns, ALL);
    char cells[ALL][COLUMN_CELL];
    snprintf(cells[0], COLUMN_CELL, "%s", r->object);
    snprintf(cells[1], COLUMN_CELL, "%s", r->methods ? r->methods : "all");
    snprintf(cells[2], COLUMN_CELL, "%s", r->distinct ? "distinct" : "repeated");
    snprintf(cells[3], COLUMN_CELL, "%s", grouped((uint32_t)s[0].events));
    for (int i = 0; i < 2; i++) {
        snprintf(cells[4 + 2 * i], COLUMN_CELL, "%.2f", s[i].cpu);
        snprintf(cells[5 + 2 * i], COLUMN_CELL, "%.1f", s[i].samples ? s[i].curve[s[i].samples - 1] : 0);
    }
    snprintf(cells[8], COLUMN_CELL, "%s", s[1].exact ? "yes" : "no");
    columns_print_row(b, columns, ALL, cells);
}

static void objects(struct bench *b)
{
    heading(b, "Objects of all kinds");
    paragraph(b, "Four clients of an object with 16 keys or values, as `assay gen object` simulates them, are followed "
                 "for 400,000\n"
                 "events, and for ten times as many. The memory is that of the monitor's process at the end.");
    for (size_t i = 0; i < OBJECT_RUNS && bench_goes_on(b); i++) {
        struct soaked soaked[2];
        for (int k = 0; k < 2 && bench_goes_on(b); k++) {
            uint64_t events = (uint64_t)OBJECT_EVENTS * (k ? OBJECT_TIMES : 1) / (b->set->quick ? 100 : 1);
            struct collect_settings clients = clients_of(&object_runs[i], events);
            struct soak s = {.collector = "object", .store = &clients, .events = events};
            soak_run(b, &s, &soaked[k]);
            if (soaked[k].violation)
                bench_fault(b, "%s: a violation is reported at event %llu", object_runs[i].object,
                            (unsigned long long)soaked[k].violation);
        }
        if (!bench_goes_on(b))
            return;
        print_object(b, &object_runs[i], soaked);
        char name[128];
        snprintf(name, sizeof name, "assay monitor -o %s, %s, %s values, %llu events", object_runs[i].object,
                 object_runs[i].methods ? object_runs[i].methods : "all methods",
                 object_runs[i].distinct ? "distinct" : "repeated", (unsigned long long)soaked[1].events);
        ledger_time(b->set->ledger, name, "follow", &soaked[1].cpu, 1);
    }
    fputc('\n', b->set->out);
}

/* ---- following transactions ---- */

struct txn_run {
    const char *store, *data, *model;
    unsigned keys;
    bool times;
};

static const struct txn_run txn_runs[] = {
    {"ser", "registers", "ser", 10, false},       {"si", "registers", "si", 10, false},
    {"ser", "registers", "ser-strict", 10, true}, {"si", "registers", "si-strict", 10, true},
    {"ser", "registers", "ser", 100, false},      {"ser", "registers", "ser-strict", 10000, true},
    {"ser", "lists", "ser", 10, false},           {"si", "lists", "si-strict", 10, true},
};
enum { TXN_RUNS = sizeof txn_runs / sizeof *txn_runs, SESSIONS = 10, TRANSACTIONS = 1000000 };

static struct collect_settings store_of(const struct txn_run *r, unsigned long transactions)
{
    const struct collector *c = collector_find("transactions");
    struct collect_settings s = collect_defaults(c);
    char number[24];
    collect_set(c, &s, "store", r->store);
    collect_set(c, &s, "data", r->data);
    snprintf(number, sizeof number, "%d", SESSIONS);
    collect_set(c, &s, "sessions", number);
    snprintf(number, sizeof number, "%lu", transactions);
    collect_set(c, &s, "transactions", number);
    snprintf(number, sizeof number, "%u", r->keys);
    collect_set(c, &s, "keys", number);
    if (r->times)
        collect_set(c, &s, "times", NULL);
    return s;
}

static void print_followed(const struct bench *b, const struct txn_run *r, const struct soaked *s)
{
    static const struct column columns[] = {{"store", -5},        {"data", -9}, {"keys", 6},        {"model", -10},
                                            {"transactions", 12}, {"CPU s", 6}, {"txns/CPU s", 10}, {"MB", 6},
                                            {"forgotten", 9},     {"kept", 6},  {"exact", -5}};
    enum { ALL = sizeof columns / sizeof *columns };
    if (r == txn_runs)
        columns_print_head(b, columns, ALL);
    char cells[ALL][COLUMN_CELL];
    snprintf(cells[0], COLUMN_CELL, "%s", r->store);
    snprintf(cells[1], COLUMN_CELL, "%s", r->data);
    snprintf(cells[2], COLUMN_CELL, "%s", grouped(r->keys));
    snprintf(cells[3], COLUMN_CELL, "%s", r->model);
    snprintf(cells[4], COLUMN_CELL, "%s", grouped((uint32_t)s->events));
    snprintf(cells[5], COLUMN_CELL, "%.2f", s->cpu);
    snprintf(cells[6], COLUMN_CELL, "%s", grouped((uint32_t)((double)s->events / s->cpu)));
    snprintf(cells[7], COLUMN_CELL, "%.1f", s->samples ? s->curve[s->samples - 1] : 0);
    snprintf(cells[8], COLUMN_CELL, "%s", grouped((uint32_t)s->forgotten));
    snprintf(cells[9], COLUMN_CELL, "%s", grouped((uint32_t)s->kept));
    snprintf(cells[10], COLUMN_CELL, "%s", s->exact ? "yes" : "no");
    columns_print_row(b, columns, ALL, cells);
}

static void transactions(struct bench *b)
{
    heading(b, "Transactions");
    paragraph(
        b,
        "Clients of a store write transactions of 8 accesses into a pipe, and `assay monitor -m MODEL --sessions %d`\n"
        "reads them. Half of the accesses are reads, writes are blind, and keys are uniform. The memory is that of\n"
        "the monitor's process at the end; `kept` is the largest number of transactions that it still holds after\n"
        "a check.",
        SESSIONS);
    for (size_t i = 0; i < TXN_RUNS && bench_goes_on(b); i++) {
        struct collect_settings store = store_of(&txn_runs[i], TRANSACTIONS / (b->set->quick ? 200 : 1));
        struct soak s = {.collector = "transactions",
                         .store = &store,
                         .model = txn_runs[i].model,
                         .sessions = SESSIONS,
                         .events = TRANSACTIONS / (b->set->quick ? 200 : 1)};
        struct soaked soaked;
        soak_run(b, &s, &soaked);
        if (!bench_goes_on(b))
            return;
        print_followed(b, &txn_runs[i], &soaked);
        char name[128];
        snprintf(name, sizeof name, "assay monitor -m %s, store %s, %s, %u keys", txn_runs[i].model, txn_runs[i].store,
                 txn_runs[i].data, txn_runs[i].keys);
        ledger_time(b->set->ledger, name, "follow", &soaked.cpu, 1);
        if (soaked.violation)
            bench_fault(b, "%s: a violation is reported at event %llu", name, (unsigned long long)soaked.violation);
    }
    fputc('\n', b->set->out);
}

static void run(struct bench *b)
{
    long_logs(b);
    objects(b);
    transactions(b);
    algorithms_run(b);
}

const struct suite suite_monitor = {
    .name = "monitor",
    .title = "monitors",
    .legend =
        "Seconds are CPU seconds. The logs come from simulated clients of simulated containers (bench/live.h),\n"
        "with seeds from 1 up. Recorded logs come from random clients of real containers, run by threads of this\n"
        "machine (docs/guides/stress.md).",
    .run = run,
    .run_recorded = algorithms_run_recorded,
    .run_papers = algorithms_run,
};
