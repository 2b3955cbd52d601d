/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/logs.h"

#include "bench/events.h"

#include <stdlib.h>
#include <string.h>

static FILE *open_lines(struct bench *b, struct log *log)
{
    FILE *out = open_memstream(&log->lines, &log->length);
    if (!out)
        bench_fault(b, "no memory for a log");
    return out;
}

static void close_lines(struct bench *b, FILE *out)
{
    if (fclose(out) != 0)
        bench_fault(b, "no memory for a log");
}

/* ---- simulated ---- */

void logs_simulate(struct bench *b, struct log *to, size_t n, struct live_settings (*of)(size_t history))
{
    for (size_t i = 0; i < n && bench_goes_on(b); i++) {
        struct live_settings s = of(i);
        struct live live;
        char line[LIVE_LINE];
        to[i] = (struct log){.object = live_objects[s.kind], .correct = s.window <= 1 && !s.wrong_from};
        FILE *out = open_lines(b, &to[i]);
        if (!out)
            return;
        live_start(&live, &s);
        for (size_t length; (length = live_next(&live, line));)
            fwrite(line, 1, length, out);
        close_lines(b, out);
    }
}

/* ---- recorded ---- */

static void print_events(struct bench *b, const assay_history *h, struct log *log)
{
    size_t n, open = 0;
    struct event *events = events_of(h, &n);
    FILE *out = events ? open_lines(b, log) : NULL;
    if (!out) {
        free(events);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        event_print(&events[i], h, out);
        log->open += events[i].returns ? 0 : (double)open / assay_history_size(h);
        open = events[i].returns ? open - 1 : open + 1;
    }
    close_lines(b, out);
    free(events);
}

void logs_record(struct bench *b, struct log *to, size_t n, const struct stress_recording *how)
{
    assay_history **histories = calloc(n, sizeof(assay_history *));
    if (!histories)
        bench_fault(b, "no memory for %zu histories", n);
    if (!bench_goes_on(b) || !stress_record(how, histories, n, b->error)) {
        free(histories);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        to[i] = (struct log){.object = how->adapter->object, .correct = !how->adapter->satisfies};
        print_events(b, histories[i], &to[i]);
        assay_history_free(histories[i]);
    }
    free(histories);
}

/* ---- both ---- */

void logs_free(struct log *logs, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(logs[i].lines);
        logs[i].lines = NULL;
    }
}

double logs_open(const struct log *logs, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += logs[i].open;
    return sum / (double)n;
}
