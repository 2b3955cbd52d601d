/* SPDX-License-Identifier: Apache-2.0 */
#include "history/last_line.h"

#include "history/slice.h"
#include "history/token.h"

#include <string.h>

const char last_line_warning[] = "the last line has no newline, so the file may be cut there (end it with a newline if "
                                 "it is complete)";

void last_line_fault(const history *h, const char *what, assay_error *e)
{
    error_set(e, ASSAY_ERROR_INPUT, "the %s rests on the last line, which may be cut", what);
    error_remedy(e, "end it with a newline if it is complete");
    error_place(e, history_source(h) ? history_source(h) : "", h->last_line.line, h->last_line.column);
}

static bool in_doubt(const history *h, uint32_t op)
{
    for (uint32_t i = 0; i < h->last_line.ops.n; i++)
        if (h->last_line.ops.at[i] == op)
            return true;
    return false;
}

/* ---- may it go? ---- */

/* Has everything else that returned done so strictly before the event? */
static bool comes_last(const history *h)
{
    if (!h->last_line.latest || (h->last_line.ops.n && !h->call))
        return false;
    for (uint32_t i = 0; i < h->last_line.ops.n; i++)
        for (uint32_t op = 0; op < h->n; op++)
            if (!history_pending(h, op) && !in_doubt(h, op) && h->ret[op] >= h->call[h->last_line.ops.at[i]])
                return false;
    return true;
}

/* The value as written, which may be one that `first` goes on to: 12 of 1. Zeros may be the beginning of any number. */
static bool goes_on(const history *h, struct value first, struct value v, struct mem *m)
{
    if (first.kind != v.kind && !(first.kind == ASSAY_INT && v.kind == ASSAY_WORD))
        return false;
    if (first.kind == ASSAY_INT && !first.bits)
        return true;
    struct text a = text_in(m), b = text_in(m);
    token_print(&a, h, first);
    token_print(&b, h, v);
    bool longer = b.n > a.n && memcmp(text_get(&a), text_get(&b), a.n) == 0;
    mem_free(m, a.at);
    mem_free(m, b.at);
    return longer || (first.kind == ASSAY_INT && first.notation != v.notation);
}

static bool is_read(const history *h, uint32_t op)
{
    return strcmp(history_text(h, h->method[op]), "read") == 0;
}

/* A write whose value no other operation may know. */
static bool goes_unread(const history *h, uint32_t op, struct mem *m)
{
    uint32_t arity = history_arity(h, op);
    if (is_read(h, op))
        return true;
    if (arity < 2)
        return false;
    struct value last = history_written(h, op, arity - 1);
    for (uint32_t o = 0; o < h->n; o++)
        for (uint32_t i = 1; o != op && i <= history_arity(h, o); i++) /* behind the variable */
            if (goes_on(h, last, history_written(h, o, i), m))
                return false;
    for (uint32_t i = 0; i < h->final.n; i++)
        if (goes_on(h, last, h->final.at[i].value, m))
            return false;
    return true;
}

static bool all_unread(const history *h, struct mem *m)
{
    bool all = h->last_line.ops.n > 0;
    for (uint32_t i = 0; all && i < h->last_line.ops.n; i++)
        all = goes_unread(h, h->last_line.ops.at[i], m);
    return all;
}

/* ---- without it ---- */

/* The last read of a transaction may be the one in doubt. */
static void forget_last_read(history *h, uint32_t op)
{
    uint32_t arity = history_arity(h, op);
    if (token_is_txn(h, h->method[op]) && arity && arity % 3 == 0 && token_reads(h, op, arity / 3 - 1))
        h->value_kind[h->values_at[op] + arity - 1] = ASSAY_NONE;
}

static bool already_open(const history *h)
{
    for (uint32_t i = 0; i < h->last_line.ops.n; i++) {
        uint32_t op = h->last_line.ops.at[i];
        if (!history_pending(h, op) || token_is_txn(h, h->method[op]))
            return false;
    }
    return true;
}

static history *without(const history *h, bool drops, bool opens, struct mem *m)
{
    bool *keep = mem_new(m, bool, (size_t)h->n + 1), *open = mem_new_zero(m, bool, (size_t)h->n + 1);
    memset(keep, true, (size_t)h->n + 1);
    for (uint32_t i = 0; i < h->last_line.ops.n; i++) {
        keep[h->last_line.ops.at[i]] = !drops;
        open[h->last_line.ops.at[i]] = opens;
    }
    history *rest = history_slice_open(h, keep, open);
    for (uint32_t i = 0; opens && i < h->last_line.ops.n; i++)
        forget_last_read(rest, h->last_line.ops.at[i]);
    mem_free(m, keep);
    mem_free(m, open);
    return rest;
}

enum left_out last_line_left_out(const history *h, bool memory, bool real_time, struct mem *m, history **out)
{
    bool goes = real_time && comes_last(h);
    *out = NULL;
    switch (h->last_line.doubt) {
    case DOUBT_NONE: return LEFT_OUT_NOTHING;
    case DOUBT_OUTCOME:
        if (already_open(h))
            return LEFT_OUT_NOTHING;
        *out = without(h, false, true, m);
        return LEFT_OUT;
    case DOUBT_ARGUMENT: goes |= memory && all_unread(h, m); break;
    case DOUBT_READ: goes = true; break;
    case DOUBT_CALL: break;
    case DOUBT_SETTING:
        *out = without(h, false, false, m);
        (*out)->final.n = 0;
        return LEFT_OUT;
    }
    if (!goes)
        return LEFT_OUT_UNKNOWN;
    if (!h->last_line.ops.n)
        return LEFT_OUT_NOTHING;
    *out = without(h, true, false, m);
    return LEFT_OUT;
}

uint32_t last_line_origin(const history *h, const history *out, uint32_t op)
{
    uint32_t origin = op;
    for (uint32_t o = 0; out->n < h->n && o <= origin; o++)
        origin += in_doubt(h, o);
    return origin;
}
