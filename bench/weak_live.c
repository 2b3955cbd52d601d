/* SPDX-License-Identifier: Apache-2.0 */
/* The monitor of weak models on histories of the paper's shape and on longer ones. Beside it the engine checks the
 * history so far after each return, as the paper's algorithm would. Both get the same events, made before the clock is
 * started. */
#include "bench/weak_live.h"

#include "assay_monitor.h"
#include "bench/columns.h"
#include "bench/events.h"
#include "bench/ledger.h"
#include "collect/collect.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ARGS = 4 };

struct live_row {
    const char *model;
    uint32_t operations;
    size_t histories;
    uint64_t events, kept; /* kept: operations, at most */
    double online, again;  /* seconds */
};

/* ---- the log ---- */

struct live_log {
    struct event *events;
    size_t n;
    char *lines;
};

static bool log_of(const assay_history *h, struct live_log *log)
{
    size_t size;
    log->events = events_of(h, &log->n);
    FILE *out = log->events ? open_memstream(&log->lines, &size) : NULL;
    for (size_t i = 0; out && i < log->n; i++)
        event_print(&log->events[i], h, out);
    return out && fclose(out) == 0;
}

static void log_free(struct live_log *log)
{
    free(log->events);
    free(log->lines);
}

/* ---- the two ways ---- */

/* Feeds all events; with `counting`, counts the operations that are kept instead of the time. */
static bool follow(struct bench *b, struct live_row *r, const struct live_log *log, bool counting)
{
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .model = r->model};
    assay_monitor *m = assay_monitor_open("map", &options, b->error);
    bool fine = m;
    double start = thread_seconds();
    for (const char *line = log->lines, *next; *line && fine; line = next) {
        next = strchr(line, '\n') + 1;
        fine = assay_monitor_feed(m, line, (size_t)(next - line), b->error);
        uint64_t kept = counting && fine ? assay_monitor_statistics(m).live : 0;
        r->kept = kept > r->kept ? kept : r->kept;
    }
    if (!counting) {
        r->online += thread_seconds() - start;
        r->events += log->n;
    }
    if (fine && assay_monitor_verdict(m) != ASSAY_CONSISTENT) {
        bench_fault(b, "the monitor does not find a history consistent with %s", r->model);
        fine = false;
    }
    assay_monitor_close(m);
    return fine;
}

/* The operations that were called up to the event; those that return later are pending. */
static assay_history *history_up_to(const assay_history *h, int64_t time)
{
    assay_history *out = assay_history_new();
    assay_history_set(out, "object", "map", NULL);
    for (uint32_t i = 0; i < assay_history_size(h); i++) {
        assay_operation o = assay_history_operation(h, i);
        assay_value args[MOST_ARGS];
        for (size_t a = 0; a < o.arg_count && a < MOST_ARGS; a++)
            args[a] = assay_history_arg(h, i, a);
        o.args = args;
        if (o.call_time > time)
            continue;
        o.pending |= o.return_time > time;
        if (o.pending)
            o.result = (assay_value){0};
        assay_history_add(out, &o, NULL);
    }
    return out;
}

static bool check_again(struct bench *b, struct live_row *r, const assay_history *h, const struct live_log *log)
{
    bool fine = true;
    for (size_t i = 0; i < log->n && fine && bench_goes_on(b); i++) {
        if (!log->events[i].returns)
            continue;
        assay_history *so_far = history_up_to(h, log->events[i].time);
        double start = thread_seconds();
        assay_result *result = assay_check(so_far, r->model, NULL, b->error);
        r->again += thread_seconds() - start;
        fine = result && assay_result_verdict(result) == ASSAY_CONSISTENT;
        if (result && !fine)
            bench_fault(b, "a history that satisfies %s is judged wrongly", r->model);
        assay_result_free(result);
        assay_history_free(so_far);
    }
    return fine;
}

static bool measure_row(struct bench *b, struct live_row *r)
{
    const struct collector *c = collector_find("weak-map");
    struct collect_settings s = collect_defaults(c);
    char text[16];
    bool fine = true;
    snprintf(text, sizeof text, "%u", r->operations);
    collect_set(c, &s, "operations", text);
    collect_set(c, &s, "threads", "3");
    for (size_t i = 0; i < r->histories && fine && bench_goes_on(b); i++, s.seed++) {
        assay_history *h = collect_history(c, &s, b->error);
        struct live_log log = {0};
        fine = h && log_of(h, &log) && follow(b, r, &log, false) && follow(b, r, &log, true) &&
               check_again(b, r, h, &log);
        log_free(&log);
        assay_history_free(h);
    }
    return fine && bench_goes_on(b);
}

/* ---- the table ---- */

static const struct column columns[] = {
    {"model", -16},          {"operations", 10}, {"histories", 9}, {"events/s, monitor", 17},
    {"events/s, again", 15}, {"times", 7},       {"kept", 5},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void print_row(const struct bench *b, const struct live_row *r)
{
    char cells[COLUMNS][COLUMN_CELL];
    snprintf(cells[0], COLUMN_CELL, "%s", r->model);
    snprintf(cells[1], COLUMN_CELL, "%u", r->operations);
    snprintf(cells[2], COLUMN_CELL, "%zu", r->histories);
    snprintf(cells[3], COLUMN_CELL, "%s", grouped((uint32_t)((double)r->events / r->online)));
    snprintf(cells[4], COLUMN_CELL, "%s", grouped((uint32_t)((double)r->events / r->again)));
    snprintf(cells[5], COLUMN_CELL, "%.1f", r->again / r->online);
    snprintf(cells[6], COLUMN_CELL, "%u", (unsigned)r->kept);
    columns_print_row(b, columns, COLUMNS, cells);
}

static void note(const struct bench *b, const struct live_row *r)
{
    char name[128];
    snprintf(name, sizeof name, "assay monitor -o map -m %s, %u operations of 3 threads, %zu histories", r->model,
             (unsigned)r->operations, r->histories);
    ledger_time(b->set->ledger, name, "follow", &r->online, 1);
}

void weak_live(struct bench *b)
{
    static const char *const models[] = {"weak-hb", "read-my-writes"};
    static const struct {
        uint32_t operations;
        size_t quick, full;
    } sizes[] = {{15, 40, 400}, {60, 10, 100}, {200, 4, 6}};
    heading(b, "Live, after every return");
    paragraph(
        b,
        "How many events does `assay monitor -m` take per CPU second? It is fed with histories of 3 threads line by\n"
        "line, and compared with `assay check` (weak-jit), which checks the history so far after each return (the\n"
        "time to build that history is not counted). The histories satisfy both models. `kept` is the largest\n"
        "number of operations that the monitor has kept: under weak-hb it forgets them when no call is open, under\n"
        "read-my-writes it cannot.");
    columns_print_head(b, columns, COLUMNS);
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            struct live_row r = {.model = models[m],
                                 .operations = sizes[i].operations,
                                 .histories = b->set->quick ? sizes[i].quick : sizes[i].full};
            if (!measure_row(b, &r))
                return;
            print_row(b, &r);
            note(b, &r);
        }
    fputc('\n', b->set->out);
}
