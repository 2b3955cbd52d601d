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
#include "format/entries.h"
#include "format/format.h"
#include "format/hist_line.h"
#include "format/recognise.h"

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
    struct entry entry;
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
    const char *text = csv_text(&s->row, s->cell[column]);
    size_t length = s->row.cells.at[s->cell[column]].length;
    if (!is_word(text, length))
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
    vec_clear(&s->entry.args);
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
        vec_push(&s->h->mem, &s->entry.args, v);
    }
}

static int64_t time_in(struct parser *s, enum column column)
{
    values(s, column, false);
    if (s->entry.args.n != 1 || s->entry.args.at[0].kind != ASSAY_INT)
        FAULT_REMEDY(&s->c, at(s, column), "give seconds as nanoseconds, say", "expected a time, a whole number");
    return s->entry.args.at[0].bits;
}

static struct value result(struct parser *s)
{
    values(s, COLUMN_RESULT, false);
    if (s->entry.args.n != 1)
        FAULT(&s->c, at(s, COLUMN_RESULT), "expected one value; several are a list, [1 2]");
    return s->entry.args.at[0];
}

/* ---- rows ---- */

static bool is_pending(const struct parser *s)
{
    if (filled(s, COLUMN_RESULT) && strcmp(csv_text(&s->row, s->cell[COLUMN_RESULT]), "?") == 0)
        return true;
    return s->cell[COLUMN_RETURN] != ID_NONE && !filled(s, COLUMN_RETURN);
}

static void times(struct parser *s)
{
    struct entry *e = &s->entry;
    e->times = TIMES_INTERVAL;
    e->called_at = at(s, COLUMN_CALL);
    e->called = time_in(s, COLUMN_CALL);
    e->returned = INT64_MAX;
    if (e->op.pending && filled(s, COLUMN_RETURN))
        FAULT(&s->c, at(s, COLUMN_RETURN), "an operation with the result `?` has no time of return");
    if (!e->op.pending && s->cell[COLUMN_RETURN] == ID_NONE)
        FAULT(&s->c, e->called_at, "expected a column return, since there is a column call");
    if (!e->op.pending) {
        e->returned_at = at(s, COLUMN_RETURN);
        e->returned = time_in(s, COLUMN_RETURN);
    }
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
    csv_split(&s->row, c, s->separator);
    if (s->row.cells.n != s->cells)
        FAULT_REMEDY(c, c->line.at,
                     s->row.cells.n > s->cells ? "a cell with the separator in it is put in quotation marks"
                                               : "an empty cell also has its separator",
                     "expected %" PRIu32 " cells, as in the header line, found %" PRIu32, s->cells, s->row.cells.n);
    struct entry *e = &s->entry;
    bool pending = is_pending(s);
    entry_begin(e, c->line.at);
    e->at = at(s, COLUMN_THREAD);
    e->name = name(s, COLUMN_THREAD, "a thread");
    e->op = (struct new_op){.object = filled(s, COLUMN_OBJECT) ? name(s, COLUMN_OBJECT, "an object") : ID_NONE,
                            .method = method(s),
                            .pending = pending,
                            .line = c->line.number,
                            .column = 1};
    if (filled(s, COLUMN_RESULT) && !pending)
        e->op.result = result(s);
    else if (filled(s, COLUMN_RESULT) && strcmp(csv_text(&s->row, s->cell[COLUMN_RESULT]), "?") != 0)
        FAULT(c, at(s, COLUMN_RESULT), "expected the time of the return, since there is a result");
    if (s->cell[COLUMN_CALL] != ID_NONE)
        times(s);
    vec_clear(&e->args);
    if (filled(s, COLUMN_ARGUMENTS))
        values(s, COLUMN_ARGUMENTS, token_is_txn(s->h, e->op.method));
    e->op.args = e->args.at;
    e->op.arity = e->args.n;
    cursor_may_go_on(c, s->h, doubt(s), false, entry_operation(c, s->h, e));
}

/* `# @object queue`, before the header line; other comments are skipped. */
static void comment_line(struct parser *s, const char *from)
{
    struct entry *e = &s->entry;
    s->c.p = from + 1;
    skip_space(&s->c);
    if (s->separator || *s->c.p++ != '@')
        return;
    entry_begin(e, from);
    hist_header_key(&s->c, e);
    hist_header_text(&s->c, e);
    if (!history_header_known(e->key, e->key_length))
        FAULT(&s->c, e->key, "unknown header @%.*s", (int)(e->key_length < 40 ? e->key_length : 40), e->key);
    entry_header(&s->c, s->h, e);
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
    vec_free(&h->mem, &s.entry.args);
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
