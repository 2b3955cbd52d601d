/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/sequence.h"

#include "collect/stress/judge.h"

#include <stdlib.h>
#include <string.h>

struct order {
    uint32_t threads, n;
    uint32_t *from;  /* the number of the first call of each thread */
    uint32_t *known; /* rows of `threads` numbers: so many calls of each thread precede the call */
};

static uint32_t *row(const struct order *o, uint32_t call)
{
    return &o->known[(size_t)call * o->threads];
}

static struct order read_order(const assay_recorder *r, struct mem *m)
{
    struct order o = {.threads = r->threads, .from = mem_new_zero(m, uint32_t, (size_t)r->threads + 1)};
    int pending;
    for (unsigned t = 0; t < r->threads; t++)
        o.from[t + 1] = o.from[t] + assay_record_size(r, t, &pending);
    o.n = o.from[r->threads];
    o.known = mem_new_zero(m, uint32_t, (size_t)o.n * o.threads + 1);
    for (unsigned t = 0; t < r->threads; t++)
        for (uint32_t i = o.from[t]; i < o.from[t + 1]; i++) {
            memcpy(row(&o, i), assay_record_seen(assay_record_at(r, t, i - o.from[t])), o.threads * sizeof *o.known);
            row(&o, i)[t] = i - o.from[t];
        }
    return o;
}

/* The predecessors of predecessors precede, too. */
static void close_order(struct order *o)
{
    for (bool grown = true; grown;) {
        grown = false;
        for (uint32_t i = 0; i < o->n; i++)
            for (uint32_t t = 0; t < o->threads; t++)
                for (uint32_t u = 0, last = row(o, i)[t]; last && u < o->threads; u++) {
                    uint32_t more = row(o, o->from[t] + last - 1)[u];
                    grown |= more > row(o, i)[u];
                    row(o, i)[u] = more > row(o, i)[u] ? more : row(o, i)[u];
                }
    }
}

static bool is_within(const struct order *o, uint32_t a, uint32_t b)
{
    for (uint32_t t = 0; t < o->threads; t++)
        if (row(o, a)[t] > row(o, b)[t])
            return false;
    return true;
}

/* How many calls have fewer predecessors; equal for equal rows. False: two rows are not nested. */
static bool find_place(const struct order *o, uint32_t call, uint32_t *place)
{
    *place = 0;
    for (uint32_t i = 0; i < o->n; i++) {
        bool below = is_within(o, i, call), above = is_within(o, call, i);
        if (!below && !above)
            return false;
        *place += below && !above;
    }
    return true;
}

/* The first place whose row has the call, or one behind all. */
static uint32_t first_that_knows(const struct order *o, const struct sequence_span *spans, uint32_t thread, uint32_t i)
{
    uint32_t first = 2 * o->n + 2;
    for (uint32_t j = 0; j < o->n; j++)
        if (row(o, j)[thread] > i && spans[j].call < first)
            first = spans[j].call;
    return first;
}

const struct sequence_span *sequence_spans(const assay_recorder *r, struct mem *m)
{
    struct order o = read_order(r, m);
    struct sequence_span *spans = mem_new_zero(m, struct sequence_span, (size_t)o.n + 1);
    close_order(&o);
    for (uint32_t i = 0; i < o.n; i++) {
        if (!find_place(&o, i, &spans[i].call))
            return NULL;
        spans[i].call = 2 * spans[i].call + 2;
    }
    for (uint32_t t = 0; t < o.threads; t++)
        for (uint32_t i = o.from[t]; i < o.from[t + 1]; i++)
            spans[i].ret = first_that_knows(&o, spans, t, i - o.from[t]) - 1;
    return spans;
}

static void write_call(const assay_recorder *r, unsigned t, const assay_record_entry *e, struct sequence_span span,
                       FILE *to)
{
    fprintf(to, "t%u: %s(", t, e->method);
    assay_record_write_args(to, r->tapes[t], e);
    fputc(')', to);
    if (e->result_kind != ASSAY_RECORD_NONE) {
        fputs(" => ", to);
        assay_record_write_value(to, r->tapes[t], e->result_kind, e->result);
    }
    fprintf(to, " @ %u..%u\n", (unsigned)span.call, (unsigned)span.ret);
}

char *sequence_text(const assay_recorder *r, const assay_adapter *a, const struct sequence_span *spans)
{
    char *text = NULL;
    size_t length;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        return NULL;
    judge_write_headers(a, to);
    for (unsigned t = 0; t < r->threads; t++) {
        int pending;
        uint32_t n = assay_record_size(r, t, &pending);
        for (uint32_t i = 0; i < n; i++)
            write_call(r, t, assay_record_at(r, t, i), *spans++, to);
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}
