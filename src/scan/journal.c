/* SPDX-License-Identifier: Apache-2.0 */
#include "scan/journal.h"

#include "history/value_map.h"

#include <string.h>

enum { FILTER_BITS = 10 };

void journal_open(struct journal *j, const struct online_setup *s, struct records *records)
{
    uint32_t few = s->few ? s->few : JOURNAL_FEW;
    *j = (struct journal){.mem = s->mem, .records = records, .few = few, .limit = few, .complete = true};
    for (size_t i = 0; i < s->setting.init_count; i++)
        vec_push(s->mem, &j->init, s->setting.init[i]);
}

void journal_close(struct journal *j)
{
    vec_free(j->mem, &j->ops);
    vec_free(j->mem, &j->init);
}

/* The first n are no longer in use. */
static void forget(struct journal *j, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        records_release(j->mem, j->records, j->ops.at[i]);
    j->ops.n -= n;
    if (j->ops.n)
        memmove(j->ops.at, j->ops.at + n, j->ops.n * sizeof *j->ops.at);
}

void journal_clear(struct journal *j)
{
    forget(j, j->ops.n);
    vec_clear(&j->init);
    j->limit = j->few;
    j->complete = true;
}

/* Values that stay. Most operations go, and most of these by their bit of `filter`, which is quicker than the table. */
struct keeping {
    struct mem *mem;
    struct value_map values;
    bool filter[1 << FILTER_BITS];
};

static bool *sieve_at(struct keeping *k, struct value v)
{
    return &k->filter[(uint64_t)v.bits * 0x9E3779B97F4A7C15u >> (64 - FILTER_BITS)];
}

static void keep(void *arg, struct value v)
{
    struct keeping *k = arg;
    if (v.kind == ASSAY_NONE)
        return;
    *value_map_at(k->mem, &k->values, v) = 0;
    *sieve_at(k, v) = true;
}

static bool stays(struct keeping *k, struct value v)
{
    return *sieve_at(k, v) && value_map_get(&k->values, v) != ID_NONE;
}

/* Values that the scan holds stay, and those of operations that returned at `settled` or later. */
static void leave_out(struct journal *j, uint64_t settled, const struct scan *scan, const void *state)
{
    struct keeping k = {.mem = j->mem};
    uint32_t recent = j->ops.n, kept = 0, init_n = 0;
    while (recent && journal_op(j, recent - 1)->op.returned >= settled)
        keep(&k, scan->names(&journal_op(j, --recent)->op));
    scan->each_held(state, keep, &k);
    for (uint32_t i = 0; i < j->ops.n; i++)
        if (i >= recent || stays(&k, scan->names(&journal_op(j, i)->op)))
            j->ops.at[kept++] = j->ops.at[i];
        else
            records_release(j->mem, j->records, j->ops.at[i]);
    j->ops.n = kept;
    for (uint32_t i = 0; i < j->init.n; i++)
        if (stays(&k, value_internal(j->init.at[i].value)))
            j->init.at[init_n++] = j->init.at[i];
    j->init.n = init_n;
    value_map_free(j->mem, &k.values);
}

void journal_prune(struct journal *j, uint64_t settled, const struct scan *scan, const void *state)
{
    if (scan->each_held && j->complete)
        leave_out(j, settled, scan, state);
    if (!scan->each_held || !j->complete || j->ops.n > j->few * JOURNAL_MOST / 2) {
        forget(j, j->ops.n - j->few / 2);
        j->complete = false;
    }
    j->limit = 8 * j->ops.n > j->few ? 8 * j->ops.n : j->few;
}

void journal_each_text(const struct journal *j, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; i < j->ops.n; i++) {
        const struct scan_op *o = journal_op(j, i);
        for (uint32_t a = 0; a < o->arity; a++)
            if (scan_arg(o, a).kind != ASSAY_INT)
                visit(arg, scan_arg(o, a));
        if (o->op.result.kind != ASSAY_INT)
            visit(arg, o->op.result);
    }
}
