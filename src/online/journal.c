/* SPDX-License-Identifier: Apache-2.0 */
#include "online/journal.h"

#include "history/value_table.h"

#include <string.h>

void journal_open(struct journal *j, const struct online_setup *s)
{
    uint32_t few = s->few ? s->few : JOURNAL_FEW;
    *j = (struct journal){.mem = s->mem, .few = few, .limit = few, .complete = true};
    for (size_t i = 0; i < s->setting.init_count; i++)
        vec_push(s->mem, &j->init, s->setting.init[i]);
}

/* The first n are no longer in use. */
static void drop_args(struct journal *j, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        mem_free(j->mem, j->ops.at[i].args);
}

void journal_close(struct journal *j)
{
    drop_args(j, j->ops.n);
    vec_free(j->mem, &j->ops);
    vec_free(j->mem, &j->init);
}

void journal_clear(struct journal *j)
{
    drop_args(j, j->ops.n);
    vec_clear(&j->ops);
    vec_clear(&j->init);
    j->limit = j->few;
    j->complete = true;
}

void journal_add(struct journal *j, const struct scan_op *o)
{
    struct journal_op op = {.op = o->op, .arity = o->arity};
    if (o->arity > 1) {
        op.args = mem_new(j->mem, struct value, o->arity);
        memcpy(op.args, o->args, o->arity * sizeof *op.args);
    }
    vec_push(j->mem, &j->ops, op);
}

/* The values of operations that returned at `settled` or later: all operations of these stay. */
static struct value_table recent_values(const struct journal *j, uint64_t settled, const struct scan *scan)
{
    struct value_table recent = {0};
    for (uint32_t i = j->ops.n; i-- > 0 && j->ops.at[i].op.returned >= settled;) {
        struct value v = scan->names(&j->ops.at[i].op);
        if (v.kind != ASSAY_NONE)
            *value_table_at(j->mem, &recent, v) = 0;
    }
    return recent;
}

struct keeping {
    const struct scan *scan;
    const void *state;
    struct value_table recent;
};

static bool stays(const struct keeping *k, struct value v)
{
    return v.kind != ASSAY_NONE && (k->scan->holds(k->state, v) || value_table_get(&k->recent, v) != ID_NONE);
}

static void leave_out(struct journal *j, uint64_t settled, const struct scan *scan, const void *state)
{
    struct keeping k = {scan, state, recent_values(j, settled, scan)};
    uint32_t kept = 0, init_n = 0;
    for (uint32_t i = 0; i < j->ops.n; i++) {
        struct journal_op o = j->ops.at[i];
        if (o.op.returned >= settled || stays(&k, scan->names(&o.op)))
            j->ops.at[kept++] = o;
        else
            mem_free(j->mem, o.args);
    }
    j->ops.n = kept;
    for (uint32_t i = 0; i < j->init.n; i++)
        if (stays(&k, online_value(j->init.at[i].value)))
            j->init.at[init_n++] = j->init.at[i];
    j->init.n = init_n;
    value_table_free(j->mem, &k.recent);
}

/* Only the last ones stay. */
static void forget(struct journal *j)
{
    uint32_t n = j->ops.n - j->few / 2;
    drop_args(j, n);
    j->ops.n -= n;
    memmove(j->ops.at, j->ops.at + n, j->ops.n * sizeof *j->ops.at);
    j->complete = false;
}

void journal_prune(struct journal *j, uint64_t settled, const struct scan *scan, const void *state)
{
    if (scan->holds && j->complete)
        leave_out(j, settled, scan, state);
    if (!scan->holds || !j->complete || j->ops.n > j->few * JOURNAL_MOST / 2)
        forget(j);
    j->limit = 8 * j->ops.n > j->few ? 8 * j->ops.n : j->few;
}

void journal_each_text(const struct journal *j, void (*visit)(void *arg, struct value v), void *arg)
{
    for (uint32_t i = 0; i < j->ops.n; i++) {
        const struct journal_op *o = &j->ops.at[i];
        for (uint32_t a = 0; a < o->arity; a++) {
            struct value v = o->arity > 1 ? o->args[a] : o->op.arg;
            if (v.kind != ASSAY_INT)
                visit(arg, v);
        }
        if (o->op.result.kind != ASSAY_INT)
            visit(arg, o->op.result);
    }
}
