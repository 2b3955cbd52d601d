/* SPDX-License-Identifier: Apache-2.0 */
/* assay stale: how far behind are reads? A line for each history, then the details of the one, or of all together.
 *
 * A history is freed once it was measured. So the texts of its worst reads are kept: the worst reads of a sum are among
 * the worst of its parts. */
#include "each.h"
#include "output.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WORST = 5, MOST_GROUPS = 12, BAR = 40, NUMBER = 32, OPERATION = 200 };
#define NO_ACCESS UINT32_MAX

struct worst_read { /* as it is shown */
    uint32_t operation, access;
    char *read, *source, *newest; /* operations with their lines, as a terminal may show them */
};

struct part {
    const char *file; /* of the task */
    size_t number;    /* of the file */
    uint32_t index;
    assay_staleness *s;
    struct worst_read *worst;
    size_t worst_n;
};

struct stale {
    struct each each;     /* must be first: the context of reading */
    pthread_mutex_t lock; /* of the parts, which workers add */
    struct part *parts;
    size_t n, room;
};

/* ---- numbers ---- */

/* 1204 as 1,204. */
static const char *grouped(uint64_t v, char out[NUMBER])
{
    char digits[NUMBER];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v), at = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = '\0';
    return out;
}

/* Milliseconds, or the unit of the history, without its name. */
static const char *duration(const assay_staleness *s, uint64_t time, char out[NUMBER])
{
    double ms = (double)time / 1e6;
    if (!assay_staleness_in_nanoseconds(s) || !time || ms >= 1000)
        return grouped(assay_staleness_in_nanoseconds(s) ? (uint64_t)llround(ms) : time, out);
    snprintf(out, NUMBER, ms >= 10 ? "%.1f" : ms >= 0.01 ? "%.3f" : "%.6f", ms);
    return out;
}

static const char *unit(const assay_staleness *s, uint64_t time)
{
    return assay_staleness_in_nanoseconds(s) ? "ms" : time == 1 ? "time unit" : "time units";
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* A share that is not 0 is not shown as 0. */
static const char *share(uint64_t part, uint64_t whole, char out[NUMBER])
{
    double p = percent(part, whole);
    snprintf(out, NUMBER, part && p < 0.05 ? "<0.1 %%" : "%.1f %%", p);
    return out;
}

/* ---- text ---- */

static void print_summary(const assay_staleness *s, FILE *out)
{
    char a[NUMBER], b[NUMBER];
    uint64_t reads = assay_staleness_reads(s), stale = assay_staleness_stale(s);
    uint64_t unexplained = assay_staleness_unexplained(s);
    assay_behind most = assay_staleness_percentile(s, 1000);
    fprintf(out, "%s read%s", grouped(reads, a), plural(reads));
    if (stale) {
        fprintf(out, ": %s stale; worst ", share(stale, reads, a));
        fprintf(out, "%s version%s, %s %s behind", grouped(most.versions, a), plural(most.versions),
                duration(s, most.time, b), unit(s, most.time));
    } else if (reads) {
        fputs(", none of them stale", out);
    }
    if (unexplained)
        fprintf(out, "; %s unexplained", grouped(unexplained, a));
    fputc('\n', out);
}

static const struct {
    const char *name;
    unsigned per_mille;
} percentiles[] = {{"p50", 500}, {"p90", 900}, {"p99", 990}, {"p99.9", 999}, {"max", 1000}};
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

static void print_percentiles(const assay_staleness *s)
{
    char text[NUMBER];
    printf("\n  %-12s", "behind");
    for (size_t i = 0; i < PERCENTILES; i++)
        printf("%12s", percentiles[i].name);
    printf("\n  %-12s", "versions");
    for (size_t i = 0; i < PERCENTILES; i++)
        printf("%12s", grouped(assay_staleness_percentile(s, percentiles[i].per_mille).versions, text));
    printf("\n  %-12s", unit(s, 0));
    for (size_t i = 0; i < PERCENTILES; i++)
        printf("%12s", duration(s, assay_staleness_percentile(s, percentiles[i].per_mille).time, text));
    putchar('\n');
}

static void print_bar(const assay_staleness *s, uint64_t least, uint64_t most, uint64_t longest)
{
    char label[2 * NUMBER], a[NUMBER], b[NUMBER];
    uint64_t reads = assay_staleness_between(s, least, most);
    if (least == most)
        snprintf(label, sizeof label, "%s", grouped(least, a));
    else
        snprintf(label, sizeof label, "%s-%s", grouped(least, a), grouped(most, b));
    printf("  %-12s%12s%8s", label, grouped(reads, a), share(reads, assay_staleness_reads(s), b));
    int length = (int)((double)reads / (double)longest * BAR + 0.5);
    if (reads)
        fputs("  ", stdout);
    for (int i = 0; reads && i < (length ? length : 1); i++)
        putchar('#');
    putchar('\n');
}

/* 0, 1, 2, 3-4, 5-8, 9-16, ... versions behind. */
static void print_histogram(const assay_staleness *s)
{
    uint64_t worst = assay_staleness_percentile(s, 1000).versions, longest = 1;
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t least = 0, most = 0; least <= worst;
             least = most + 1, most = least < 3 ? least : 2 * (least - 1)) {
            uint64_t reads = assay_staleness_between(s, least, most);
            if (!pass)
                longest = reads > longest ? reads : longest;
            else
                print_bar(s, least, most, longest);
        }
}

/* ---- groups ---- */

static int most_stale_first(const void *left, const void *right)
{
    const assay_stale_group *a = left, *b = right;
    if (a->stale != b->stale)
        return a->stale > b->stale ? -1 : 1;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void print_groups(const assay_staleness *s, assay_stale_grouping by, const char *title)
{
    char a[NUMBER], b[NUMBER], c[NUMBER], d[NUMBER], e[NUMBER];
    size_t n = assay_staleness_groups(s, by);
    assay_stale_group *groups = grow(NULL, (n + 1) * sizeof *groups);
    for (size_t i = 0; i < n; i++)
        groups[i] = assay_staleness_group(s, by, i);
    if (n > MOST_GROUPS) /* else in the order of the history */
        qsort(groups, n, sizeof *groups, most_stale_first);
    if (n)
        printf("\n  %-16s%12s%12s%8s%14s%14s\n", title, "reads", "stale", "", "versions", unit(s, 0));
    for (size_t i = 0; i < n && i < MOST_GROUPS; i++) {
        char *name;
        size_t size;
        FILE *shown = memory_stream(&name, &size);
        show(shown, *groups[i].name ? groups[i].name : "not said");
        memory_close(shown, &name);
        printf("  %-16s%12s%12s%8s%14s%14s\n", name, grouped(groups[i].reads, a), grouped(groups[i].stale, b),
               share(groups[i].stale, groups[i].reads, c), grouped(groups[i].versions, d),
               duration(s, groups[i].time, e));
        free(name);
    }
    if (n > MOST_GROUPS)
        printf("  ... and %zu more with fewer stale reads, listed by --json\n", n - MOST_GROUPS);
    free(groups);
}

/* ---- the worst reads ---- */

/* `line 7  t0: write(x, 1)`; of a transaction with the access, from 0, unless it is NO_ACCESS. */
static char *operation_text(const assay_history *h, uint32_t op, uint64_t line, uint32_t access)
{
    char text[OPERATION], shown[OPERATION + 3 * NUMBER], at[NUMBER] = "";
    size_t wanted = assay_history_print(h, op, text, sizeof text);
    const char *cut = wanted >= sizeof text ? "..." : "";
    if (access != NO_ACCESS && strcmp(assay_history_operation(h, op).method, "txn") == 0)
        snprintf(at, sizeof at, ", access %" PRIu32, access + 1);
    if (line)
        snprintf(shown, sizeof shown, "line %" PRIu64 "%s  %s%s", line, at, text, cut);
    else
        snprintf(shown, sizeof shown, "operation %" PRIu32 "%s  %s%s", op, at, text, cut);
    return copy_text(shown);
}

static char *write_text(const assay_history *h, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION)
        return copy_text("the initial value");
    return operation_text(h, op, assay_history_operation(h, op).line, NO_ACCESS);
}

static struct worst_read worst_read(const assay_history *h, const assay_stale_read *r)
{
    return (struct worst_read){r->operation, r->access, operation_text(h, r->operation, r->line, r->access),
                               write_text(h, r->source), write_text(h, r->newest)};
}

/* The worst reads, and the one of the longest time, if it is none of these. The caller frees *at. */
static size_t listed(const assay_staleness *s, unsigned most, size_t **at)
{
    size_t stale = assay_staleness_stale(s), n = stale < most ? stale : most;
    *at = grow(NULL, (n + 1) * sizeof **at);
    for (size_t i = 0; i < n; i++)
        (*at)[i] = i;
    if (stale && assay_staleness_longest(s) >= n)
        (*at)[n++] = assay_staleness_longest(s);
    return n;
}

static void keep_worst(struct part *p, const assay_history *h, unsigned most)
{
    size_t *at;
    p->worst_n = listed(p->s, most, &at);
    p->worst = grow(NULL, (p->worst_n + 1) * sizeof *p->worst);
    for (size_t i = 0; i < p->worst_n; i++) {
        assay_stale_read r = assay_staleness_read(p->s, at[i]);
        p->worst[i] = worst_read(h, &r);
    }
    free(at);
}

static const struct worst_read *kept(const struct part *p, const assay_stale_read *r)
{
    size_t i = 0;
    while (p->worst[i].operation != r->operation || p->worst[i].access != r->access)
        i++;
    return &p->worst[i];
}

static void print_worst(const struct stale *x, const assay_staleness *s)
{
    char a[NUMBER], b[NUMBER];
    unsigned most = x->each.set.worst;
    size_t *at, n = listed(s, most, &at);
    if (n)
        puts("\n  the worst reads");
    for (size_t i = 0; i < n; i++) {
        assay_stale_read r = assay_staleness_read(s, at[i]);
        const struct part *p = &x->parts[r.history];
        const struct worst_read *w = kept(p, &r);
        printf("  %s version%s, %s %s behind%s\n", grouped(r.versions, a), plural(r.versions), duration(s, r.time, b),
               unit(s, r.time), at[i] >= most ? " (the longest)" : "");
        fputs("    read    ", stdout);
        if (x->n > 1)
            printf(p->index ? "%s#%" PRIu32 " " : "%s ", spoken(p->file), p->index);
        printf("%s\n    from    %s\n    missed  %s\n", w->read, w->source, w->newest);
    }
    free(at);
}

static void print_details(const struct stale *x, const assay_staleness *s)
{
    if (assay_staleness_stale(s)) {
        print_percentiles(s);
        printf("\n  %-12s%12s\n", "versions", "reads");
        print_histogram(s);
        print_groups(s, ASSAY_BY_SESSION, "session");
        print_groups(s, ASSAY_BY_NODE, "node");
        print_worst(x, s);
    }
    if (assay_staleness_unexplained(s))
        puts("\n  unexplained reads return values that no operation wrote: `assay check` says more");
}

/* ---- JSON ---- */

static void print_json_percentiles(const assay_staleness *s, const char *name, bool versions, FILE *out)
{
    fprintf(out, ",\"%s\":", name);
    for (size_t i = 0; i < PERCENTILES; i++) {
        assay_behind p = assay_staleness_percentile(s, percentiles[i].per_mille);
        fprintf(out, "%c\"%s\":%" PRIu64, i ? ',' : '{', percentiles[i].name, versions ? p.versions : p.time);
    }
    fputc('}', out);
}

/* Pairs of versions and reads. The next number of versions that a read is behind, is that of the next stale read. */
static void print_json_histogram(const assay_staleness *s, FILE *out)
{
    uint64_t fresh = assay_staleness_between(s, 0, 0);
    fprintf(out, ",\"histogram\":[[0,%" PRIu64 "]", fresh);
    for (size_t i = assay_staleness_stale(s); i;) {
        uint64_t versions = assay_staleness_read(s, i - 1).versions;
        uint64_t reads = assay_staleness_between(s, versions, versions);
        fprintf(out, ",[%" PRIu64 ",%" PRIu64 "]", versions, reads);
        i -= (size_t)reads;
    }
    fputc(']', out);
}

static void print_json_groups(const assay_staleness *s, assay_stale_grouping by, const char *name, FILE *out)
{
    fprintf(out, ",\"%s\":[", name);
    for (size_t i = 0; i < assay_staleness_groups(s, by); i++) {
        assay_stale_group g = assay_staleness_group(s, by, i);
        if (i)
            fputc(',', out);
        print_json_text(out, '{', "name", *g.name ? g.name : NULL);
        print_json_number(out, "reads", g.reads, true);
        print_json_number(out, "stale", g.stale, true);
        print_json_number(out, "versions", g.versions, true);
        print_json_number(out, "time", g.time, true);
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_json_measures(const assay_staleness *s, FILE *out)
{
    print_json_number(out, "reads", assay_staleness_reads(s), true);
    print_json_number(out, "stale", assay_staleness_stale(s), true);
    print_json_number(out, "unexplained", assay_staleness_unexplained(s), true);
    print_json_text(out, ',', "unit", assay_staleness_in_nanoseconds(s) ? "ns" : NULL);
    print_json_percentiles(s, "versions", true, out);
    print_json_percentiles(s, "time", false, out);
    print_json_histogram(s, out);
    print_json_groups(s, ASSAY_BY_SESSION, "sessions", out);
    print_json_groups(s, ASSAY_BY_NODE, "nodes", out);
}

static void print_json_worst(const assay_history *h, const assay_staleness *s, unsigned most, FILE *out)
{
    char text[OPERATION];
    size_t *at, n = listed(s, most, &at);
    fputs(",\"worst\":[", out);
    for (size_t i = 0; i < n; i++) {
        assay_stale_read r = assay_staleness_read(s, at[i]);
        fprintf(out, "%s{\"operation\":%" PRIu32 ",\"access\":%" PRIu32, i ? "," : "", r.operation, r.access);
        print_json_number(out, "line", r.line, r.line);
        assay_history_print(h, r.operation, text, sizeof text);
        print_json_text(out, ',', "text", text);
        print_json_number(out, "versions", r.versions, true);
        print_json_number(out, "time", r.time, true);
        print_json_number(out, "source", r.source, r.source != ASSAY_NO_OPERATION);
        print_json_number(out, "earliest", r.earliest, true);
        print_json_number(out, "newest", r.newest, true);
        fputc('}', out);
    }
    fputc(']', out);
    free(at);
}

/* ---- in a worker: one history ---- */

static void add_part(struct stale *x, const struct part *p)
{
    pthread_mutex_lock(&x->lock);
    if (x->n == x->room) {
        x->room = x->room ? 2 * x->room : 16;
        x->parts = grow(x->parts, x->room * sizeof *x->parts);
    }
    x->parts[x->n++] = *p;
    pthread_mutex_unlock(&x->lock);
}

static bool measure_history(struct reading *reading, assay_history *h, uint32_t index)
{
    struct stale *x = reading->context;
    const struct settings *set = &x->each.set.common;
    assay_options options = settings_options(set);
    assay_error e = {0};
    struct part p = {.file = reading->task->file, .number = reading->task->number, .index = index};
    p.s = assay_stale(h, &options, &e);
    if (!p.s) {
        emit_error(reading, index, NULL, &e);
        return true;
    }
    struct record *rec = record_new();
    FILE *out = record_stream(rec, TO_OUTPUT);
    if (set->json) {
        print_json_text(out, '{', "file", p.file);
        print_json_number(out, "index", index, true);
        if (assay_history_unended(h))
            print_json_text(out, ',', "warning", assay_history_unended(h));
        print_json_measures(p.s, out);
        print_json_worst(h, p.s, x->each.set.worst, out);
        fputs("}\n", out);
    } else {
        fprintf(out, index ? "%s#%" PRIu32 ": " : "%s: ", spoken(p.file), index);
        print_summary(p.s, out);
        keep_worst(&p, h, x->each.set.worst);
    }
    task_emit(reading->task, rec);
    add_part(x, &p);
    return true;
}

/* ---- the command ---- */

static int by_place(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static void conclude_sum(const struct stale *x, const assay_staleness *s)
{
    if (x->each.set.common.json) {
        print_json_text(stdout, '{', "file", NULL);
        print_json_number(stdout, "histories", x->n, true);
        print_json_measures(s, stdout);
        fputs("}\n", stdout);
        return;
    }
    if (x->n > 1) {
        printf("\n%zu histories: ", x->n);
        print_summary(s, stdout);
    }
    print_details(x, s);
}

static void conclude(struct each *each)
{
    struct stale *x = (struct stale *)each;
    assay_error e = {0};
    if (!x->n || (each->set.common.json && x->n == 1))
        return;
    qsort(x->parts, x->n, sizeof *x->parts, by_place);
    const assay_staleness **all = grow(NULL, x->n * sizeof *all);
    for (size_t i = 0; i < x->n; i++)
        all[i] = x->parts[i].s;
    assay_staleness *sum = assay_staleness_sum(all, x->n, &e);
    if (sum) {
        conclude_sum(x, sum);
    } else {
        print_error(stderr, NULL, &e);
        each->status = EXIT_FAULT;
    }
    assay_staleness_free(sum);
    free(all);
}

static void free_parts(struct stale *x)
{
    for (size_t i = 0; i < x->n; i++) {
        assay_staleness_free(x->parts[i].s);
        for (size_t k = 0; k < x->parts[i].worst_n; k++) {
            free(x->parts[i].worst[k].read);
            free(x->parts[i].worst[k].source);
            free(x->parts[i].worst[k].newest);
        }
        free(x->parts[i].worst);
    }
    free(x->parts);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct stale x = {.each = {.set = {.worst = WORST}, .history = measure_history, .conclude = conclude},
                      .lock = PTHREAD_MUTEX_INITIALIZER};
    int status = each_run(&x.each, self, argc, argv);
    free_parts(&x);
    return status;
}

static const struct option_row rows[] = {
    {0, "worst", "N", "list the N worst reads (default: 5)", OPTION_NUMBER, offsetof(struct each_settings, worst), 0},
    SETTINGS_ROWS(struct each_settings),
    {0}};

const struct command command_stale = {
    .name = "stale",
    .summary = "Measure how far behind the reads of histories are, in versions and time.",
    .usage = "[options] FILE|DIR|-...",
    .notes = "A write is newer than the one that was read if it was called after that returned, and\n"
             "returned before the read was called. Versions behind is how many newer writes there are;\n"
             "the time behind begins when the first of them returned (docs/guides/stale-reads.md). Times are\n"
             "milliseconds if the history has a header `# @clock ns`, `us`, `ms` or `s`.\n\n"
             "exit status: 0 once measured; 2 if anything could not be read or measured;\n"
             "3 if interrupted\n",
    .examples = "  assay stale run.hist\n"
                "  assay stale --worst 20 run.hist\n"
                "  assay stale --json -j 4 histories/\n",
    .most = COMMAND_ANY,
    .options = rows,
    .run = run,
};
