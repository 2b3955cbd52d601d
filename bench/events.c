/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/events.h"

#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->returns - y->returns;
}

struct event *events_of(const assay_history *h, size_t *n)
{
    uint32_t size = assay_history_size(h);
    struct event *at = malloc((2 * (size_t)size + 1) * sizeof *at);
    *n = 0;
    for (uint32_t i = 0; at && i < size; i++) {
        assay_operation o = assay_history_operation(h, i);
        at[(*n)++] = (struct event){o.call_time, i, false};
        if (!o.pending)
            at[(*n)++] = (struct event){o.return_time, i, true};
    }
    if (at)
        qsort(at, *n, sizeof *at, by_time);
    return at;
}

static void print_value(FILE *out, const char *before, assay_value v)
{
    if (v.kind == ASSAY_INT)
        fprintf(out, "%s%lld", before, (long long)v.integer);
    else if (v.kind != ASSAY_NONE)
        fprintf(out, "%s%.*s", before, (int)v.length, v.text);
}

void event_print(const struct event *e, const assay_history *h, FILE *out)
{
    assay_operation o = assay_history_operation(h, e->op);
    fprintf(out, "[%s] ", o.thread);
    if (e->returns) {
        fputs("return", out);
        print_value(out, " ", o.result);
    } else {
        fprintf(out, "call %s(", o.method);
        for (size_t i = 0; i < o.arg_count; i++)
            print_value(out, i ? ", " : "", assay_history_arg(h, e->op, i));
        fputc(')', out);
    }
    fputc('\n', out);
}
