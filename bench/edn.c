/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/edn.h"

#include <stdlib.h>
#include <string.h>

struct event {
    int64_t time;
    uint32_t op;
    bool returns;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    return x->time != y->time ? (x->time > y->time) - (x->time < y->time) : x->returns - y->returns;
}

static void put(const assay_history *h, const struct event *e, size_t index, FILE *out)
{
    assay_operation o = assay_history_operation(h, e->op);
    bool reads = strcmp(o.method, "read") == 0;
    fprintf(out, "{:process %s, :type %s, :f :%s, :value ", o.thread + strspn(o.thread, "abcdefghijklmnopqrstuvwxyz"),
            e->returns ? ":ok" : ":invoke", o.method);
    if (reads && (!e->returns || o.result.kind != ASSAY_INT))
        fputs("nil", out);
    else
        fprintf(out, "%lld", (long long)(reads ? o.result.integer : assay_history_arg(h, e->op, 0).integer));
    fprintf(out, ", :time %lld, :index %zu}\n", (long long)e->time, index);
}

bool edn_write(const assay_history *h, FILE *out)
{
    size_t n = assay_history_size(h), events = 0;
    struct event *at = malloc((2 * n + 1) * sizeof *at);
    if (!at)
        return false;
    for (uint32_t i = 0; i < n; i++) {
        assay_operation o = assay_history_operation(h, i);
        at[events++] = (struct event){o.call_time, i, false};
        if (!o.pending)
            at[events++] = (struct event){o.return_time, i, true};
    }
    qsort(at, events, sizeof *at, by_time);
    for (size_t i = 0; i < events; i++)
        put(h, &at[i], i, out);
    free(at);
    return true;
}
