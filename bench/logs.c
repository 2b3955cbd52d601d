/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded operations have the times of call and return. Events are these times in their order. Of equal times calls
 * come first, since equal times do not order operations. */
#include "bench/logs.h"

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

struct event {
    int64_t time;
    uint32_t operation;
    bool returns;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->returns - y->returns;
}

static void print_value(FILE *out, const char *before, assay_value v)
{
    if (v.kind == ASSAY_INT)
        fprintf(out, "%s%lld", before, (long long)v.integer);
    else
        fprintf(out, "%s%.*s", before, (int)v.length, v.text);
}

static void print_event(FILE *out, const assay_history *h, const struct event *e)
{
    assay_operation op = assay_history_operation(h, e->operation);
    fprintf(out, "[%s] ", op.thread);
    if (e->returns) {
        fputs("return", out);
        if (op.result.kind != ASSAY_NONE)
            print_value(out, " ", op.result);
    } else {
        fprintf(out, "call %s(", op.method);
        for (size_t i = 0; i < op.arg_count; i++)
            print_value(out, i ? ", " : "", assay_history_arg(h, e->operation, i));
        fputc(')', out);
    }
    fputc('\n', out);
}

static void print_events(struct bench *b, const assay_history *h, struct log *log)
{
    uint32_t n = assay_history_size(h);
    struct event *events = calloc(2 * (size_t)n + 1, sizeof *events);
    FILE *out = events ? open_lines(b, log) : NULL;
    if (!out) {
        free(events);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        assay_operation op = assay_history_operation(h, i);
        events[2 * i] = (struct event){op.call_time, i, false};
        events[2 * i + 1] = (struct event){op.return_time, i, true};
    }
    qsort(events, 2 * (size_t)n, sizeof *events, by_time);
    for (uint32_t i = 0, open = 0; i < 2 * n; i++) {
        print_event(out, h, &events[i]);
        log->open += events[i].returns ? 0 : (double)open / n;
        open += events[i].returns ? -1u : 1u;
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
