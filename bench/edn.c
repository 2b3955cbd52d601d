/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/edn.h"

#include "bench/events.h"

#include <stdlib.h>
#include <string.h>

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
    size_t n;
    struct event *at = events_of(h, &n);
    if (!at)
        return false;
    for (size_t i = 0; i < n; i++)
        put(h, &at[i], i, out);
    free(at);
    return true;
}
