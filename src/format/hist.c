/* SPDX-License-Identifier: Apache-2.0 */
/* The native format .hist, described in docs/guides/formats.md: one operation a line, or call and return events.
 *
 * There is one pass, without look-ahead. A line is parsed where it lies in the input's buffer and appended to the
 * history's columns, so memory beyond the columns stays constant. Some faults show only at the end of a history
 * (knowledge of operations that do not exist), and are found there. */
#include "format/format.h"
#include "format/hist_operation.h"
#include "format/hist_plain.h"
#include "format/hist_text.h"
#include "format/log_calls.h"
#include "format/recognise.h"
#include "spec/spec.h"

#include <inttypes.h>

enum form { FORM_UNKNOWN, FORM_OPERATIONS, FORM_EVENTS };

struct parser {
    struct cursor c;
    history *h;
    enum form form;
    int64_t events;     /* event form: so many */
    struct calls times; /* event form: of the events */
    bool bare;          /* event form: some call has arguments without brackets */
    struct arguments args;
};

/* ---- threads ---- */

static uint32_t thread(struct parser *s, const char *name, size_t length)
{
    return history_thread(s->h, history_name(s->h, name, length));
}

/* ---- operation form ---- */

static void known_form(struct parser *s, enum form form, const char *where)
{
    if (s->form == FORM_UNKNOWN)
        s->form = form;
    else if (s->form != form)
        FAULT_REMEDY(&s->c, where, "separate histories with a line ---",
                     "operation lines and call/return events cannot be mixed in one history");
}

static void operation_line(struct parser *s, const char *name, size_t length)
{
    known_form(s, FORM_OPERATIONS, name);
    uint32_t row = hist_operation(&s->c, s->h, &s->args, name, length);
    bool closed = strpbrk(name, "(@=");
    cursor_may_go_on(&s->c, s->h, closed ? DOUBT_OUTCOME : DOUBT_CALL, false, row);
}

/* ---- event form ---- */

/* The rest of an event's line. */
static int64_t event_time(struct parser *s, const char *expected)
{
    const char *at = s->c.p;
    int64_t given;
    bool timed = hist_event_time(&s->c, &given);
    cursor_expect_end(&s->c, expected);
    s->times.events = (uint64_t)s->events++;
    return calls_time(&s->times, timed ? &given : NULL, place_of(&s->c, at));
}

static void call_line(struct parser *s, const struct hist_event *event, uint32_t t)
{
    history *h = s->h;
    struct new_op op = {.thread = t, .pending = true};
    uint32_t open = history_open_call(h, t);
    if (open != ID_NONE)
        FAULT(&s->c, event->id, "a second call of this id; its call in line %u has not returned",
              history_line(h, open));
    if (h->ids == IDS_OPERATION && h->threads.at[t].count)
        FAULT_REMEDY(&s->c, event->id, "say `# @ids thread` if ids are threads",
                     "this id was used before, but the header says that each operation has its own");
    hist_call(&s->c, h, &s->args, &op);
    bool bare = hist_bare_arguments(&s->c, h, &s->args, &op), closed = s->c.p[-1] == ')';
    s->bare |= bare;
    int64_t time = event_time(s, "`(arguments)`, `@ time`");
    uint32_t row = history_append(h, &op);
    history_set_times(h, row, time, INT64_MAX);
    closed &= !s->times.timed;
    cursor_may_go_on(&s->c, h, closed ? DOUBT_OUTCOME : bare ? DOUBT_ARGUMENT : DOUBT_CALL, true, row);
}

static void event_line(struct parser *s)
{
    known_form(s, FORM_EVENTS, s->c.p);
    struct hist_event event = hist_event(&s->c);
    uint32_t t = thread(s, event.id, event.length);
    if (event.is_call) {
        call_line(s, &event, t);
        return;
    }
    uint32_t open = history_open_call(s->h, t);
    if (open == ID_NONE)
        FAULT(&s->c, event.id, "a return of this id without a call");
    if (hist_is_unknown(&s->c)) {
        event_time(s, "`@ time`");
        history_part(s->h, open);
        return;
    }
    struct value result = hist_result(&s->c, s->h);
    history_return(s->h, open, result, event_time(s, "a result, `@ time`"));
    cursor_may_go_on(&s->c, s->h, DOUBT_OUTCOME, true, open);
}

/* In the dialect without brackets a bare return says that there was nothing to find. */
static void find_nothing(struct parser *s)
{
    history *h = s->h;
    for (uint32_t op = 0; s->bare && op < h->n; op++)
        if (!history_arity(h, op) && !history_pending(h, op) && history_result(h, op).kind == ASSAY_NONE &&
            spec_may_find_nothing(history_text(h, h->method[op])))
            history_return(h, op, (struct value){history_name(h, "empty", 5), ASSAY_WORD}, h->ret[op]);
}

/* ---- headers and lines ---- */

/* `@key text`; s->c.p is behind the @. */
static void header_line(struct parser *s, bool comment)
{
    const char *at = s->c.p - 1;
    size_t length;
    const char *key = word(&s->c, &length);
    bool known = history_header_known(key, length);
    if (s->form != FORM_UNKNOWN) {
        if (comment && !known)
            return; /* after the first operation it is only a comment */
        FAULT_REMEDY(&s->c, at, "move it up, or start a new history with a line ---",
                     "header lines stand before the first operation");
    }
    if (!length)
        FAULT(&s->c, s->c.p, "expected a key, as in `# @object memory`");
    size_t text_length = hist_header_text(&s->c);
    if (!known)
        warn(s->c.warnings,
             "%s:%" PRIu64 ": unknown header @%.*s is kept and ignored "
             "(known are object, init, final, ids, po, clock, nodes)",
             input_name(s->c.in), s->c.line.number, (int)(length < 40 ? length : 40), key);
    if (!history_header(s->h, key, length, s->c.p, text_length, s->c.line.number, (uint64_t)(s->c.p - s->c.line.at) + 1,
                        s->c.e))
        cursor_fault(&s->c, s->c.p);
    cursor_may_go_on(&s->c, s->h, DOUBT_SETTING, false, ID_NONE);
}

/* False at a line --- . */
static bool parse_line(struct parser *s)
{
    skip_space(&s->c);
    if (s->c.p == s->c.line.end)
        return true;
    if (*s->c.p == '#') {
        s->c.p++;
        skip_space(&s->c);
        if (*s->c.p == '@') {
            s->c.p++;
            header_line(s, true);
        }
        return true;
    }
    if (*s->c.p == '@') {
        s->c.p++;
        header_line(s, false);
        return true;
    }
    if (hist_is_separator(&s->c))
        return false;
    if (*s->c.p == '[') {
        event_line(s);
        return true;
    }
    size_t length;
    const char *name = word(&s->c, &length);
    skip_space(&s->c);
    if (!length || *s->c.p != ':')
        FAULT_REMEDY(&s->c, length ? s->c.p : name,
                     "one operation a line, as in `t0: write(x, 1)`; -f names another format",
                     "expected `thread: operation`, `[id] call` or `[id] return`");
    s->c.p++;
    operation_line(s, name, length);
    return true;
}

/* The next line that is not plain. */
static bool next_line(struct parser *s, struct plain_lines *plain)
{
    if (s->form != FORM_UNKNOWN && !s->times.timed)
        hist_plain_lines(plain, s->form == FORM_OPERATIONS ? PLAIN_OPERATIONS : PLAIN_EVENTS, &s->events);
    return cursor_whole_line(&s->c);
}

static bool read_hist(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings}};
    input_begin_history(in, h);
    s.h = *h;
    s.times = (struct calls){.c = &s.c, .h = s.h};
    struct plain_lines plain = {.in = in, .h = s.h};
    bool more;
    while ((more = next_line(&s, &plain))) {
        bool border = !parse_line(&s);
        cursor_end_line(&s.c, s.h);
        if (border && (s.h->n || s.h->headers.n)) /* else nothing yet: a leading --- */
            break;
    }
    plain_end(&plain);
    vec_free(&s.h->mem, &s.args);
    find_nothing(&s);
    history_check_knowledge(s.h, e);
    return more || s.h->n || s.h->headers.n;
}

/* ---- writing ---- */

static void write_op(const history *h, uint32_t o, bool line, struct text *t)
{
    token_print_op(t, h, o);
    if (h->call) {
        text_puts(t, " @ ");
        text_int(t, h->call[o]);
        text_puts(t, "..");
        if (!history_pending(h, o))
            text_int(t, h->ret[o]);
    } else if (h->after_at) {
        text_puts(t, " @ after");
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++) {
            text_char(t, ' ');
            text_puts(t, history_text(h, h->threads.at[h->after.at[i].thread].name));
            text_char(t, ':');
            text_int(t, h->after.at[i].count);
        }
    }
    if (line && history_line(h, o)) {
        text_puts(t, "  # line ");
        text_int(t, history_line(h, o));
    }
    text_char(t, '\n');
}

/* hist:lines names the line that each operation was read from. */
static void write_hist(const history *h, const struct writing *w)
{
    struct text t = text_in(w->mem);
    FILE *out = w->out;
    if (w->index)
        fputs("---\n", out);
    for (uint32_t i = 0; i < h->headers.n; i++)
        fprintf(out, "# @%s %s\n", history_text(h, h->headers.at[i].key), h->headers.at[i].text);
    for (uint32_t o = 0; o < h->n; o++) {
        t.n = 0;
        write_op(h, o, w->variant, &t);
        fwrite(t.at, 1, t.n, out);
    }
}

/* ---- recognising ---- */

/* `[id] call`, `[id] return`, `thread: method`, or a header line. */
static bool is_hist_line(const char *p, const char *end)
{
    if (*p == '@')
        return true;
    const char *id = *p == '[' ? p + 1 : p, *behind = id;
    while (behind < end && token_is_word_char((unsigned char)*behind))
        behind++;
    if (behind == id || behind == end)
        return false;
    if (id > p)
        return recognise_here(behind, end, "] call ") || recognise_here(behind, end, "] return");
    p = recognise_here(behind, end, ":");
    p = p ? recognise_blank(p, end) : end;
    const char *method = p;
    while (p < end && token_is_word_char((unsigned char)*p))
        p++;
    return p > method && p < end && (*p == '(' || *p == '\n' || *p == '\r');
}

/* A file that no other format claims is taken for the native format. */
static int recognise_hist(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '#');
    return (p < end && is_hist_line(p, end)) || recognise_find(bytes, end, "# @object ") ? 30 : 1;
}

const struct format format_hist = {
    .name = "hist",
    .title = "the native text format",
    .extensions = (const char *const[]){".hist", NULL},
    .variants = (const char *const[]){"lines", NULL},
    .recognise = recognise_hist,
    .read = read_hist,
    .write = write_hist,
};
