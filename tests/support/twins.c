/* SPDX-License-Identifier: Apache-2.0 */
#include "support/twins.h"

#include "assay.h"
#include "format/plain.h"
#include "history/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_IN_FRONT = PLAIN_FIRST_LINE + 8 };

/* ---- comparing ---- */

static bool same_names(const history *a, const history *b)
{
    bool same = a->names.all.n == b->names.all.n;
    for (uint32_t i = 0; same && i < a->names.all.n; i++) {
        const struct name *x = &a->names.all.at[i], *y = &b->names.all.at[i];
        same = x->length == y->length && memcmp(x->text, y->text, x->length) == 0;
    }
    return same;
}

#define SAME(column, n)                                                                                                \
    (!a->column == !b->column && (!a->column || !memcmp(a->column, b->column, (n) * sizeof *a->column)))

/* Lists have the same numbers if each goes on from the same one with the same element. */
static bool same_lists(const history *a, const history *b)
{
    bool same = a->lists.all.n == b->lists.all.n;
    for (uint32_t i = 1; same && i < a->lists.all.n; i++) {
        const struct list_value *x = a->lists.all.at[i], *y = b->lists.all.at[i];
        same = x->before->id == y->before->id && value_same(x->last, y->last);
    }
    return same;
}

static const char *difference(const history *a, const history *b)
{
    if (!same_names(a, b))
        return "other names";
    if (!same_lists(a, b))
        return "other lists";
    if (a->n != b->n || a->value_n != b->value_n || a->wide.n != b->wide.n || a->threads.n != b->threads.n ||
        a->after.n != b->after.n)
        return "another number of operations, values or threads";
    if (a->n && !(SAME(thread, a->n) && SAME(object_column, a->n) && SAME(method, a->n) && SAME(values_at, a->n + 1)))
        return "other operations";
    if (a->n &&
        !(a->first_line == b->first_line && SAME(line_column, a->n) && SAME(column_column, a->n) && SAME(flags, a->n)))
        return "other places or flags";
    if (a->n && !(SAME(call, a->n) && SAME(ret, a->n) && SAME(after_at, a->n + 1) && SAME(after.at, a->after.n)))
        return "other times";
    if (a->value_n && !(SAME(value_kind, a->value_n) && SAME(value_bits, a->value_n) && SAME(wide.at, a->wide.n)))
        return "other values";
    if (a->value_n && !SAME(value_notation, a->value_n))
        return "other notations";
    return SAME(threads.at, a->threads.n) ? NULL : "other threads";
}

static bool same_fault(const assay_error *a, const assay_error *b)
{
    return a->code == b->code && a->line == b->line && a->column == b->column && !strcmp(a->message, b->message) &&
           !strcmp(a->remedy, b->remedy);
}

struct text_of {
    const char *bytes;
    size_t n;
};

static const char *compare(const char *format, struct text_of text, struct text_of twin)
{
    assay_error opening = {0};
    assay_reader *r[2] = {assay_reader_open_memory("text", text.bytes, text.n, format, &opening),
                          assay_reader_open_memory("text", twin.bytes, twin.n, format, &opening)};
    const char *fault = r[0] && r[1] ? NULL : "cannot be opened";
    for (bool more = true; more && !fault;) {
        assay_error e[2] = {{0}, {0}};
        assay_history *h[2] = {assay_reader_next(r[0], &e[0]), assay_reader_next(r[1], &e[1])};
        more = h[0] && h[1];
        if (!h[0] != !h[1] || !same_fault(&e[0], &e[1]))
            fault = "another fault";
        else if (more)
            fault = difference(h[0], h[1]);
        for (int i = 0; i < 2; i++)
            assay_history_free(h[i]);
    }
    for (int i = 0; i < 2; i++)
        assay_reader_close(r[i]);
    return fault;
}

/* ---- .hist ---- */

/* Behind the blank that follows a word and `end`, or NULL: there is no such blank. */
static char *behind_name(char *p, const char *stop, char end)
{
    char *from = p;
    while (p < stop && token_is_word_char((unsigned char)*p))
        p++;
    return p > from && stop - p > 1 && p[0] == end && p[1] == ' ' ? p + 2 : NULL;
}

/* A tab takes the place of the blank behind the thread, which makes the line a rare one. */
static void make_twin(char *p, const char *end)
{
    while (p < end) {
        char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : p + (end - p);
        char *behind = *p == '[' ? behind_name(p + 1, stop, ']') : behind_name(p, stop, ':');
        if (behind)
            behind[-1] = '\t';
        p = stop + 1;
    }
}

/* Behind the copies of `front` in `out`. */
static char *put_front(char *out, const char *front)
{
    size_t n = strlen(front);
    for (int i = 0; i < LINES_IN_FRONT; i++, out += n)
        memcpy(out, front, n);
    return out;
}

const char *twins_hist(const char *text, size_t n)
{
    static const char *const fronts[] = {"t0: write(x, 1)\n", "[t0] call write(x, 1)\n[t0] return\n"};
    const char *fault = NULL;
    for (int f = 0; f < 2 && !fault; f++) {
        size_t size = strlen(fronts[f]) * LINES_IN_FRONT + n;
        char *whole = malloc(size + 1), *twin = malloc(size + 1);
        memcpy(put_front(whole, fronts[f]), text, n);
        memcpy(twin, whole, size);
        make_twin(twin, twin + size);
        fault = compare("hist", (struct text_of){whole, size}, (struct text_of){twin, size});
        free(whole);
        free(twin);
    }
    return fault;
}

/* ---- JSON Lines and EDN ---- */

/* A carriage return before the line feed makes the line a rare one. Behind a quote the line end may be in a string, of
 * which it is a part if strings may span lines, as in EDN. */
static size_t put_returns(char *out, const char *p, size_t n, bool strings_span_lines)
{
    size_t length = 0;
    bool quoted = false;
    for (size_t i = 0; i < n; i++) {
        quoted |= strings_span_lines && p[i] == '"';
        if (p[i] == '\n' && !quoted && (!i || p[i - 1] != '\r'))
            out[length++] = '\r';
        out[length++] = p[i];
    }
    return length;
}

static const char *compare_returns(const char *format, const char *front, const char *text, size_t n)
{
    size_t size = strlen(front) * LINES_IN_FRONT + n;
    char *whole = malloc(size + 1), *twin = malloc(2 * size + 1);
    memcpy(put_front(whole, front), text, n);
    size_t twin_size = put_returns(twin, whole, size, strcmp(format, "edn") == 0);
    const char *fault = compare(format, (struct text_of){whole, size}, (struct text_of){twin, twin_size});
    free(whole);
    free(twin);
    return fault;
}

const char *twins_jsonl(const char *text, size_t n)
{
    const char *fault = compare_returns("jsonl", "{\"thread\":\"t0\",\"method\":\"write\",\"args\":[\"x\",1]}\n", text,
                                        n);
    return fault ? fault
                 : compare_returns("jsonl",
                                   "{\"thread\":\"t0\",\"method\":\"write\",\"args\":[\"x\",1],"
                                   "\"call\":1,\"return\":1}\n",
                                   text, n);
}

const char *twins_edn(const char *text, size_t n)
{
    return compare_returns("edn", "", text, n);
}
