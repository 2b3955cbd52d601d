/* SPDX-License-Identifier: Apache-2.0 */
/* How much of the store order do the weak models find? This does not measure time. It computes the kernels of histories
 * of simulated caches, and counts the pairs of writes that wsc, ccm and ccv order. Source: the thesis, sections 4.1.4
 * and 4.2.5. The kernel of tso, which the thesis leaves open, is counted in the same way. */
#include "bench/columns.h"

#include "collect/collect.h"

#include <string.h>

enum { COLUMNS = 12, HISTORIES = 20, HISTORIES_OF_PAPERS = 200 };

/* A row: the histories of `assay gen coherence` with these parameters. */
struct shape {
    const char *protocol;
    unsigned operations, threads, variables;
};

/* Sums over histories; the shares are of 1. */
struct sums {
    uint32_t histories;
    uint32_t whole, ccm_whole;  /* histories of which wsc, ccm find all of the kernel */
    double rest;                /* of the others: the share of the kernel that wsc finds */
    double saturated, ccm, ccv; /* share of all pairs that each orders */
    double forced;              /* that are in the kernel */
};

/* ---- counting ---- */

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 1;
}

static void count_kernel(const assay_kernel *k, struct sums *sums)
{
    size_t forced = assay_kernel_size(k), saturated = 0, ccm = 0, ccv = 0;
    uint64_t pairs = assay_kernel_write_pairs(k);
    for (size_t i = 0; i < forced; i++) {
        assay_kernel_pair p = assay_kernel_at(k, i);
        saturated += p.saturated;
        ccm += p.by_ccm;
        ccv += p.by_ccv;
    }
    sums->histories++;
    sums->whole += saturated == forced;
    sums->ccm_whole += ccm == forced;
    sums->rest += saturated == forced ? 0 : share(saturated, forced);
    sums->saturated += share(saturated, pairs);
    sums->ccm += share(ccm, pairs);
    sums->ccv += share(ccv, pairs);
    sums->forced += share(forced, pairs);
}

static void set_number(struct collect_settings *s, const char *name, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    collect_set(collector_find("coherence"), s, name, text);
}

static struct collect_settings settings_of(const struct shape *shape, const char *core)
{
    const struct collector *collector = collector_find("coherence");
    struct collect_settings s = collect_defaults(collector);
    collect_set(collector, &s, "protocol", shape->protocol);
    collect_set(collector, &s, "core", core);
    set_number(&s, "operations", shape->operations);
    set_number(&s, "threads", shape->threads);
    set_number(&s, "variables", shape->variables);
    return s;
}

static struct sums count_all(struct bench *b, const struct shape *shape, const char *model)
{
    struct sums sums = {0};
    struct collect_settings s = settings_of(shape, model);
    uint32_t histories = b->set->quick ? 2 : b->set->papers ? HISTORIES_OF_PAPERS : HISTORIES;
    for (uint32_t i = 0; i < histories && bench_goes_on(b); i++, s.seed++) {
        assay_error e = {0};
        assay_history *h = collect_history(collector_find("coherence"), &s, &e);
        assay_kernel *k = h ? assay_kernel_of_model(h, model, NULL, &e) : NULL;
        if (k)
            count_kernel(k, &sums);
        else
            bench_fault(b, "%s, seed %llu: %s", shape->protocol, (unsigned long long)s.seed, e.message);
        assay_kernel_free(k);
        assay_history_free(h);
    }
    return sums;
}

static void add(struct sums *all, const struct sums *sums)
{
    all->histories += sums->histories;
    all->whole += sums->whole;
    all->ccm_whole += sums->ccm_whole;
    all->rest += sums->rest;
    all->saturated += sums->saturated;
    all->ccm += sums->ccm;
    all->ccv += sums->ccv;
    all->forced += sums->forced;
}

/* ---- the table ---- */

static const struct column columns_sc[COLUMNS] = {{"protocol", -9},
                                                  {"n", 4},
                                                  {"k", 3},
                                                  {"v", 3},
                                                  {"histories", 9},
                                                  {"forced", 6},
                                                  {"wsc = kernel", 12},
                                                  {"else", 6},
                                                  {"ccm = kernel", 12},
                                                  {"wsc orders", 10},
                                                  {"ccm orders", 10},
                                                  {"ccv orders", 10}};

static const struct column columns_tso[COLUMNS] = {{"protocol", -9},
                                                   {"n", 4},
                                                   {"k", 3},
                                                   {"v", 3},
                                                   {"histories", 9},
                                                   {"forced", 6},
                                                   {"wtso = kernel", 13},
                                                   {"else", 6},
                                                   {"wccm = kernel", 13},
                                                   {"wtso orders", 11},
                                                   {"wccm orders", 11},
                                                   {"ccv orders", 10}};

static void percent(char cell[COLUMN_CELL], double part, double whole)
{
    if (whole > 0)
        snprintf(cell, COLUMN_CELL, "%.2f", 100 * part / whole);
    else
        snprintf(cell, COLUMN_CELL, "-");
}

static void print_row(const struct bench *b, const struct column *columns, const struct shape *shape,
                      const struct sums *s)
{
    char cells[COLUMNS][COLUMN_CELL] = {{0}};
    size_t n = 0;
    double histories = s->histories;
    snprintf(cells[n++], COLUMN_CELL, "%s", shape ? shape->protocol : "all");
    for (size_t i = 0; i < 3; i++) {
        unsigned number = !shape ? 0 : i == 0 ? shape->operations : i == 1 ? shape->threads : shape->variables;
        if (number)
            snprintf(cells[n], COLUMN_CELL, "%u", number);
        n++;
    }
    snprintf(cells[n++], COLUMN_CELL, "%u", s->histories);
    percent(cells[n++], s->forced, histories);
    percent(cells[n++], s->whole, histories);
    percent(cells[n++], s->rest, histories - s->whole);
    percent(cells[n++], s->ccm_whole, histories);
    percent(cells[n++], s->saturated, histories);
    percent(cells[n++], s->ccm, histories);
    percent(cells[n++], s->ccv, histories);
    columns_print_row(b, columns, n, cells);
}

/* ---- the experiments ---- */

static const struct shape shapes[] = {
    {"mi", 200, 4, 10},     {"mesi", 200, 4, 10}, {"moesi", 200, 4, 10}, {"moesi-amd", 200, 4, 10}, {"mi", 200, 6, 10},
    {"mi", 500, 6, 10},     {"mi", 800, 6, 10},   {"mi", 400, 8, 10},    {"mi", 600, 12, 10},       {"mi", 800, 16, 10},
    {"moesi", 800, 16, 10}, {"mi", 200, 4, 1},    {"mi", 200, 4, 4},     {"mi", 200, 4, 40},
};

static void run_model(struct bench *b, const char *model, const char *title)
{
    const struct column *columns = strcmp(model, "sc") == 0 ? columns_sc : columns_tso;
    struct sums all = {0};
    heading(b, title);
    columns_print_head(b, columns, COLUMNS);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && bench_goes_on(b); i++) {
        struct sums sums = count_all(b, &shapes[i], model);
        print_row(b, columns, &shapes[i], &sums);
        add(&all, &sums);
    }
    print_row(b, columns, NULL, &all);
}

static void run(struct bench *b)
{
    run_model(b, "sc", "The kernel of sc");
    paragraph(
        b,
        "In the thesis (section 4.2.5), wsc finds the whole kernel of 74.24 %% of the executions, and 99.97 %% of the\n"
        "kernel of the others; ccm finds the whole kernel of 0.7 %%. wsc orders 98.51 %% of the pairs, and ccm\n"
        "97.89 %%. In section 4.1.4, on 200 histories of 200 operations, ccm leaves 6.6 %% of the pairs open, and ccv\n"
        "57.75 %%.");
    run_model(b, "tso", "The kernel of tso");
    paragraph(b, "The thesis leaves the kernel of tso open. Here the cores have store buffers.");
}

const struct suite suite_kernel = {
    .name = "kernel",
    .title = "kernels",
    .legend = "A kernel is the part that all store orders of a history have in common (`assay kernel`). The histories\n"
              "are those of `assay gen coherence --protocol P --core C` with the seeds 1, 2, ...: n operations of k\n"
              "threads on v variables. All numbers are percentages, means over the histories:\n"
              "\n"
              "- forced: the pairs of writes of one variable that are in the kernel;\n"
              "- wsc = kernel: the histories of which wsc finds the whole kernel;\n"
              "- else: the share of the kernel that it finds in the other histories;\n"
              "- wsc orders: the share of all pairs that it orders; it leaves the rest open.",
    .run = run,
    .run_papers = run,
};
