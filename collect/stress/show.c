/* SPDX-License-Identifier: Apache-2.0 */
/* A history in thread columns. A row holds one operation. Operations that are known to come before it stand above it,
 * and the last column has the knowledge of other threads. */
#include "base/escape.h"
#include "collect/stress/stress.h"
#include "history/history.h"
#include "report/columns.h"
#include "report/describe.h"

struct drawing_board {
    const history *h;
    struct text *out;
};

static bool can_follow(const history *h, uint32_t op, const uint32_t *shown)
{
    for (uint32_t i = h->after_at ? h->after_at[op] : 0; h->after_at && i < h->after_at[op + 1]; i++)
        if (h->after.at[i].count > shown[h->after.at[i].thread])
            return false;
    return true;
}

static void knowledge(const history *h, uint32_t op, struct text *out)
{
    for (uint32_t i = h->after_at ? h->after_at[op] : 0; h->after_at && i < h->after_at[op + 1]; i++) {
        const struct after *a = &h->after.at[i];
        if (a->count)
            text_printf(out, "%s %s:%u", out->n ? "" : "after", history_text(h, h->threads.at[a->thread].name),
                        (unsigned)a->count);
    }
}

static void draw_operation(struct columns *c, const history *h, uint32_t op, uint32_t row, uint32_t column)
{
    struct text call = text_in(c->mem), known = text_in(c->mem);
    describe_call(&call, h, op);
    knowledge(h, op, &known);
    columns_cell(c, row, column, text_get(&call));
    if (known.n)
        columns_cell(c, row, c->heads.n - 1, text_get(&known));
}

/* The next operation of a thread that knows of none that is still to come. */
static uint32_t next_operation(const history *h, const bool *drawn, const uint32_t *shown, struct mem *mem)
{
    bool *passed = mem_new_zero(mem, bool, h->threads.n + 1);
    uint32_t op = 0, first = ID_NONE;
    for (; op < h->n; op++) {
        if (drawn[op] || passed[h->thread[op]])
            continue;
        passed[h->thread[op]] = true;
        first = first == ID_NONE ? op : first;
        if (can_follow(h, op, shown))
            break;
    }
    mem_free(mem, passed);
    return op < h->n ? op : first;
}

static void draw(void *arg)
{
    const struct drawing_board *b = arg;
    const history *h = b->h;
    struct mem *mem = b->out->mem;
    struct columns c = columns_new(mem);
    uint32_t *shown = mem_new_zero(mem, uint32_t, h->threads.n + 1);
    bool *drawn = mem_new_zero(mem, bool, h->n + 1);
    uint32_t *column = mem_new_zero(mem, uint32_t, h->threads.n + 1);
    for (uint32_t t = 0; t < h->threads.n; t++) {
        column[t] = c.heads.n;
        if (h->threads.at[t].count)
            columns_head(&c, history_text(h, h->threads.at[t].name));
    }
    columns_head(&c, "");
    for (uint32_t row = 0; row < h->n; row++) {
        uint32_t op = next_operation(h, drawn, shown, mem);
        drawn[op] = true;
        shown[h->thread[op]]++;
        draw_operation(&c, h, op, row, column[h->thread[op]]);
    }
    columns_write(&c, b->out);
}

void stress_show(const assay_history *h, FILE *to)
{
    struct mem mem = {0};
    struct text out = text_in(&mem);
    struct drawing_board board = {h, &out};
    if (escape_run(draw, &board) == ESCAPE_NONE)
        fwrite(out.at, 1, out.n, to);
    mem_release(&mem);
}
