/* SPDX-License-Identifier: Apache-2.0 */
/* Comma-separated values with a header line, described in docs/guides/formats.md: an operation a line.
 *
 *     thread,method,arguments,result,call,return
 *     t0,write,x 1,,1,4
 *     t1,read,x,1,2,3
 *
 * Commas, semicolons or tabs separate cells; the header line decides. Cells hold tokens of .hist. Lines before the
 * header may be headers of .hist, as in `# @object queue`. */
#include "format/csv_row.h"
#include "format/format.h"
#include "format/hist_text.h"
#include "format/interval.h"
#include "format/recognise.h"
#include "history/blocks.h"

#include <inttypes.h>
#include <strings.h>

enum column {
    COLUMN_THREAD,
    COLUMN_OBJECT,
    COLUMN_METHOD,
    COLUMN_ARGUMENTS,
    COLUMN_RESULT,
    COLUMN_CALL,
    COLUMN_RETURN,
    COLUMNS
};

static const struct {
    const char *name;
    enum column column;
} names[] = {
    {"thread", COLUMN_THREAD},       {"process", COLUMN_THREAD},  {"client", COLUMN_THREAD},
    {"session", COLUMN_THREAD},      {"object", COLUMN_OBJECT},   {"method", COLUMN_METHOD},
    {"operation", COLUMN_METHOD},    {"op", COLUMN_METHOD},       {"function", COLUMN_METHOD},
    {"arguments", COLUMN_ARGUMENTS}, {"args", COLUMN_ARGUMENTS},  {"argument", COLUMN_ARGUMENTS},
    {"result", COLUMN_RESULT},       {"response", COLUMN_RESULT}, {"call", COLUMN_CALL},
    {"start", COLUMN_CALL},          {"invoke", COLUMN_CALL},     {"return", COLUMN_RETURN},
    {"end", COLUMN_RETURN},          {"complete", COLUMN_RETURN},
};

struct parser {
    struct cursor c;
    history *h;
    struct csv_row row;
    struct arguments args;
    char separator;
    uint32_t cell[COLUMNS]; /* the number of the column's cell, or ID_NONE */
    uint32_t cells;         /* in the header line */
};

/* ---- the header line ---- */

static enum column column_named(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(name, names[i].name) == 0)
            return names[i].column;
    return COLUMNS;
}

static char separator_of(const char *p, const char *end)
{
    for (; p < end; p++)
        if (*p == ',' || *p == ';' || *p == '\t')
            return *p;
    return '\0';
}

static void header_line(struct parser *s)
{
    struct cursor *c = &s->c;
    const char *from = c->p;
    s->separator = separator_of(from + strspn(from, " \t"), c->line.end);
    csv_split(&s->row, c, s->separator);
    s->cells = s->row.cells.n;
    memset(s->cell, 0xff, sizeof s->cell);
    for (uint32_t i = 0; i < s->cells; i++) {
        enum column column = column_named(csv_text(&s->row, i));
        if (column == COLUMNS) {
            warn(c->warnings, "%s:%" PRIu64 ": the column `%.40s` is skipped", input_name(c->in), c->line.number,
                 csv_text(&s->row, i));
            continue;
        }
        if (s->cell[column] != ID_NONE)
            FAULT(c, s->row.cells.at[i].at, "a second column for the same: the first is `%s`",
                  csv_text(&s->row, s->cell[column]));
        s->cell[column] = i;
    }
    if (!s->separator || s->cell[COLUMN_THREAD] == ID_NONE || s->cell[COLUMN_METHOD] == ID_NONE)
        FAULT_REMEDY(c, from, "as in `thread,method,arguments,result,call,return`",
                     "expected a header line with the columns thread and method");
    if (s->cell[COLUMN_RETURN] != ID_NONE && s->cell[COLUMN_CALL] == ID_NONE)
        FAULT(c, s->row.cells.at[s->cell[COLUMN_RETURN]].at, "expected a column call, since there is a column return");
}

/* ---- cells ---- */

static const char *at(const struct parser *s, enum column column)
{
    return s->row.cells.at[s->cell[column]].at;
}

static bool filled(const struct parser *s, enum column column)
{
    return s->cell[column] != ID_NONE && s->row.cells.at[s->cell[column]].length;
}

static uint32_t name(struct parser *s, enum column column, const char *what)
{
    const char *text = csv_text(&s->row, s->cell[column]), *p = text;
    size_t length = s->row.cells.at[s->cell[column]].length;
    while (token_is_word_char((unsigned char)*p))
        p++;
    if (!length || p != text + length)
        FAULT(&s->c, at(s, column), "expected %s, a word: letters, digits, _ - .", what);
    return history_name(s->h, text, length);
}

static uint32_t method(struct parser *s)
{
    uint32_t id = name(s, COLUMN_METHOD, "a method");
    if (strchr(history_text(s->h, id), '.'))
        FAULT(&s->c, at(s, COLUMN_METHOD), "a method has no dot; `object` is a column of its own");
    return id;
}

/* The next token. A transaction may have read `?`. */
static bool token(struct parser *s, const char **p, const char *end, bool in_txn, struct value *v,
                  const char **expected)
{
    *v = (struct value){0};
    if (in_txn && **p == '?')
        ++*p;
    else if (!token_value(s->h, p, end, v, expected))
        return false;
    *expected = "a blank, `,` or `;` behind a value";
    return *p == end || strchr(" \t,;", **p);
}

/* Where that byte of a cell is in the line; the cell's own place if it is in quotation marks, which may be doubled. */
static const char *place_in(const struct parser *s, enum column column, const char *p)
{
    const char *cell = at(s, column);
    return *cell == '"' ? cell : cell + (p - csv_text(&s->row, s->cell[column]));
}

/* The tokens of a cell; commas and semicolons between them say nothing. */
static void values(struct parser *s, enum column column, bool in_txn)
{
    const char *p = csv_text(&s->row, s->cell[column]), *end = p + s->row.cells.at[s->cell[column]].length;
    vec_clear(&s->args);
    for (;;) {
        struct value v;
        const char *expected;
        p += strspn(p, " \t,;");
        if (p == end)
            return;
        if (!token(s, &p, end, in_txn, &v, &expected)) {
            error_set(s->c.e, ASSAY_ERROR_INPUT, "expected %s", expected);
            if (!strchr(expected, '(')) /* it has no remedy of its own */
                error_remedy(s->c.e, "other text is a string in quotation marks, \"\"\"a+b\"\"\"");
            cursor_fault(&s->c, place_in(s, column, p));
        }
        vec_push(&s->h->mem, &s->args, v);
    }
}

static int64_t time_in(struct parser *s, enum column column)
{
    values(s, column, false);
    if (s->args.n != 1 || s->args.at[0].kind != ASSAY_INT)
        FAULT_REMEDY(&s->c, at(s, column), "give seconds as nanoseconds, say", "expected a time, a whole number");
    return s->args.at[0].bits;
}

static struct value result(struct parser *s)
{
    values(s, COLUMN_RESULT, false);
    if (s->args.n != 1)
        FAULT(&s->c, at(s, COLUMN_RESULT), "expected one value; several are a list, [1 2]");
    return s->args.at[0];
}

/* ---- rows ---- */

static bool is_pending(const struct parser *s)
{
    if (filled(s, COLUMN_RESULT) && strcmp(csv_text(&s->row, s->cell[COLUMN_RESULT]), "?") == 0)
        return true;
    return s->cell[COLUMN_RETURN] != ID_NONE && !filled(s, COLUMN_RETURN);
}

static void times(struct parser *s, uint32_t op, uint32_t previous, bool pending)
{
    struct interval i = {.returned = INT64_MAX, .called_at = at(s, COLUMN_CALL)};
    i.called = time_in(s, COLUMN_CALL);
    if (pending && filled(s, COLUMN_RETURN))
        FAULT(&s->c, at(s, COLUMN_RETURN), "an operation with the result `?` has no time of return");
    if (!pending && s->cell[COLUMN_RETURN] == ID_NONE)
        FAULT(&s->c, i.called_at, "expected a column return, since there is a column call");
    if (!pending) {
        i.returned_at = at(s, COLUMN_RETURN);
        i.returned = time_in(s, COLUMN_RETURN);
    }
    interval_set(&s->c, s->h, op, previous, &i);
}

/* Only the last cell may go on. */
static enum doubt doubt(const struct parser *s)
{
    if (s->cell[COLUMN_ARGUMENTS] == s->cells - 1)
        return DOUBT_ARGUMENT;
    bool call = false;
    for (int i = 0; i < COLUMNS; i++)
        call |= s->cell[i] == s->cells - 1 && i != COLUMN_RESULT && i != COLUMN_RETURN;
    return call ? DOUBT_CALL : DOUBT_OUTCOME;
}

static void operation_line(struct parser *s)
{
    struct cursor *c = &s->c;
    history *h = s->h;
    csv_split(&s->row, c, s->separator);
    if (s->row.cells.n != s->cells)
        FAULT_REMEDY(c, c->line.at,
                     s->row.cells.n > s->cells ? "a cell with the separator in it is put in quotation marks"
                                               : "an empty cell also has its separator",
                     "expected %" PRIu32 " cells, as in the header line, found %" PRIu32, s->cells, s->row.cells.n);
    bool pending = is_pending(s);
    struct new_op op = {.thread = history_thread(h, name(s, COLUMN_THREAD, "a thread")),
                        .object = filled(s, COLUMN_OBJECT) ? name(s, COLUMN_OBJECT, "an object") : ID_NONE,
                        .method = method(s),
                        .pending = pending,
                        .line = c->line.number,
                        .column = 1};
    uint32_t previous = h->threads.at[op.thread].last, open = history_open_call(h, op.thread);
    if (open != ID_NONE && !blocks_go_on(h, open, op.method))
        FAULT_REMEDY(c, at(s, COLUMN_THREAD), "give what follows to another thread",
                     "this thread goes on after its operation in line %u, which never returned", history_line(h, open));
    if (filled(s, COLUMN_RESULT) && !pending)
        op.result = result(s);
    else if (filled(s, COLUMN_RESULT) && strcmp(csv_text(&s->row, s->cell[COLUMN_RESULT]), "?") != 0)
        FAULT(c, at(s, COLUMN_RESULT), "expected the time of the return, since there is a result");
    vec_clear(&s->args);
    if (filled(s, COLUMN_ARGUMENTS))
        values(s, COLUMN_ARGUMENTS, token_is_txn(h, op.method));
    op.args = s->args.at;
    op.arity = s->args.n;
    uint32_t row = history_append(h, &op);
    if (s->cell[COLUMN_CALL] != ID_NONE)
        times(s, row, previous, pending);
    cursor_may_go_on(c, h, doubt(s), false, row);
}

/* `# @object queue`, before the header line; other comments are skipped. */
static void comment_line(struct parser *s, const char *from)
{
    size_t length;
    s->c.p = from + 1;
    skip_space(&s->c);
    if (s->separator || *s->c.p++ != '@')
        return;
    const char *key = word(&s->c, &length);
    size_t text = hist_header_text(&s->c);
    if (!history_header_known(key, length))
        FAULT(&s->c, key, "unknown header @%.*s", (int)(length < 40 ? length : 40), key);
    if (!history_header(s->h, key, length, s->c.p, text, s->c.line.number, (uint64_t)(s->c.p - s->c.line.at) + 1,
                        s->c.e))
        cursor_fault(&s->c, s->c.p);
}

static bool read_csv(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, out);
    history *h = *out;
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings}, .h = h};
    s.row.mem = &h->mem;
    s.row.text = text_in(&h->mem);
    while (cursor_whole_line(&s.c)) {
        const char *first = s.c.p + strspn(s.c.p, " \t"); /* a tab may stand behind an empty cell */
        if (*first == '#')
            comment_line(&s, first);
        else if (first != s.c.line.end && !s.separator)
            header_line(&s);
        else if (first != s.c.line.end)
            operation_line(&s);
        cursor_end_line(&s.c, h);
    }
    csv_free(&s.row);
    vec_free(&h->mem, &s.args);
    return s.separator;
}

/* The first line that is no comment names a thread and a method. */
static int recognise_csv(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '#'), *line_end = recognise_line_end(p, end);
    char separator = separator_of(p, line_end);
    bool found[COLUMNS] = {false};
    while (separator && p < line_end) {
        char cell[16];
        size_t length = 0;
        for (; p < line_end && *p != separator; p++)
            if (*p != ' ' && *p != '"' && *p != '\r' && length < sizeof cell - 1)
                cell[length++] = *p;
        cell[length] = '\0';
        enum column column = column_named(cell);
        if (column < COLUMNS)
            found[column] = true;
        p++;
    }
    return found[COLUMN_THREAD] && found[COLUMN_METHOD] ? 85 : 0;
}

const struct format format_csv = {
    .name = "csv",
    .title = "comma-separated values, an operation a line",
    .extensions = (const char *const[]){".csv", ".tsv", NULL},
    .shared_extension = true,
    .recognise = recognise_csv,
    .read = read_csv,
};
