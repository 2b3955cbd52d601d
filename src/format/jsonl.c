/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Lines, described in docs/formats.md: one JSON object a line, which is an operation, an event
 * (call or return), a header, or the border between two histories. Whatever .hist can say can be
 * said here, and what is read from one and written as the other is the same history.
 *
 *     {"type":"header","key":"object","value":"queue"}
 *     {"thread":"t0","method":"push","args":[5],"call":1,"return":4}
 *     {"thread":"t1","method":"pop","result":5,"call":2,"return":3}
 *
 * The fields of a line come in any order, so they are gathered before the line is understood.
 * Numbers and literals of JSON are tokens of .hist, so values are read as such; a JSON string is a
 * word where it can be one. */
#include "base/json.h"
#include "format/cursor.h"
#include "format/format.h"
#include "format/recognise.h"

#include <inttypes.h>

enum form { FORM_UNKNOWN, FORM_OPERATIONS, FORM_EVENTS };

enum type { TYPE_NONE, TYPE_OPERATION, TYPE_CALL, TYPE_RETURN, TYPE_HEADER, TYPE_HISTORY };

enum field {
    FIELD_TYPE,
    FIELD_THREAD,
    FIELD_OBJECT,
    FIELD_METHOD,
    FIELD_ARGS,
    FIELD_RESULT,
    FIELD_TIME,
    FIELD_CALL,
    FIELD_RETURN,
    FIELD_PENDING,
    FIELD_AFTER,
    FIELD_KEY,
    FIELDS,
};

static const struct {
    const char *key;
    enum field field;
} keys[] = {
    {"type", FIELD_TYPE},     {"thread", FIELD_THREAD}, {"id", FIELD_THREAD},
    {"object", FIELD_OBJECT}, {"method", FIELD_METHOD}, {"args", FIELD_ARGS},
    {"result", FIELD_RESULT}, {"value", FIELD_RESULT},  {"time", FIELD_TIME},
    {"call", FIELD_CALL},     {"return", FIELD_RETURN}, {"pending", FIELD_PENDING},
    {"after", FIELD_AFTER},   {"key", FIELD_KEY},
};

struct parser {
    struct cursor c;
    struct json json;
    struct warnings *warnings;
    history *h;
    enum form form;
    bool timed; /* event form: the events have times of their own */
    int64_t clock;
    uint64_t events;
    const char *at[FIELDS]; /* where each field's value starts in this line, or NULL */
    struct value args[UINT8_MAX];
};

/* ---- JSON ---- */

/* What json.h found is in the error, with its column. */
static _Noreturn void json_fault(struct parser *s)
{
    cursor_fault(&s->c, s->c.line.at + (s->c.e->column ? s->c.e->column - 1 : 0));
}

static void go_to(struct parser *s, enum field field)
{
    s->json.at = s->at[field];
}

static void expect(struct parser *s, char c)
{
    if (!json_expect(&s->json, c))
        json_fault(s);
}

static bool another(struct parser *s, char close, bool first)
{
    enum json_next next = json_next(&s->json, close, first);
    if (next == JSON_BAD)
        json_fault(s);
    return next == JSON_ITEM;
}

/* A string that is a word or a number becomes what it is in .hist; others are strings. */
static struct value string_value(struct parser *s, struct value v)
{
    const struct name *name = &s->h->names.all.at[v.bits];
    if (token_is_word(name->text, name->length))
        v.kind = ASSAY_WORD;
    return v;
}

static struct value scalar(struct parser *s)
{
    struct value v;
    const char *expected, *from = json_peek(&s->json);
    if (*from != '"' && *from != '-' && !(*from >= '0' && *from <= '9') &&
        strncmp(from, "true", 4) != 0 && strncmp(from, "false", 5) != 0 &&
        strncmp(from, "null", 4) != 0)
        FAULT(&s->c, from, "expected a number, a string, true, false or null");
    if (!token_value(s->h, &s->json.at, s->c.line.end, &v, &expected))
        FAULT(&s->c, s->json.at, "expected %s", expected);
    if (!strchr(",:]} \t", *s->json.at)) /* the end of the line counts, too */
        FAULT(&s->c, from,
              "expected a number without a sign in its exponent, a string or a literal");
    return v;
}

/* A value; {"string":"x"} is a string though x could be a word, {} a value that is not known. */
static struct value value(struct parser *s)
{
    char name[JSON_NAME];
    struct value v;
    const char *from = json_peek(&s->json);
    if (!json_take(&s->json, '{')) {
        v = scalar(s);
        return v.kind == ASSAY_STRING ? string_value(s, v) : v;
    }
    if (json_take(&s->json, '}'))
        return (struct value){0};
    if (!json_name(&s->json, name, "\"string\""))
        json_fault(s);
    if (strcmp(name, "string") != 0)
        FAULT(&s->c, from, "expected a value; an object can only be {\"string\":\"...\"}");
    expect(s, ':');
    from = json_peek(&s->json);
    v = scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(&s->c, from, "expected a string");
    expect(s, '}');
    return v;
}

static int64_t integer(struct parser *s, enum field field, const char *what)
{
    go_to(s, field);
    const char *from = s->json.at;
    struct value v = *from == '"' ? (struct value){0} : scalar(s);
    if (v.kind != ASSAY_INT)
        FAULT(&s->c, from, "expected %s, an integer", what);
    return v.bits;
}

/* A name: a word, or an integer where `digits` allows it. */
static uint32_t name_here(struct parser *s, const char *what, bool digits)
{
    const char *from = json_peek(&s->json);
    struct value v = scalar(s);
    if (v.kind == ASSAY_INT && digits)
        return history_name(s->h, from, (size_t)(s->json.at - from));
    if (v.kind == ASSAY_STRING) {
        const struct name *name = &s->h->names.all.at[v.bits];
        uint32_t i = 0;
        while (i < name->length && token_is_word_char((unsigned char)name->text[i]))
            i++;
        if (i && i == name->length)
            return (uint32_t)v.bits;
    }
    FAULT(&s->c, from, "expected %s, a word: letters, digits, _ - .", what);
}

/* ---- the fields of a line ---- */

static void one_field(struct parser *s)
{
    const char *from = json_peek(&s->json), *p = from + 1;
    if (*from != '"')
        FAULT(&s->c, from, "expected a key");
    while (*p != '"' && *p != '\\' && *p)
        p++;
    size_t length = (size_t)(p - from - 1);
    if (!json_skip(&s->json))
        json_fault(s);
    expect(s, ':');
    const char *at = json_peek(&s->json);
    if (!json_skip(&s->json))
        json_fault(s);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char **known = &s->at[keys[i].field];
        if (keys[i].key[0] != from[1] || strncmp(keys[i].key, from + 1, length) != 0 ||
            keys[i].key[length])
            continue;
        if (*known)
            FAULT(&s->c, from, "a second \"%s\", or another name of it", keys[i].key);
        *known = at;
        return;
    }
}

static void fields(struct parser *s)
{
    memset(s->at, 0, sizeof s->at);
    s->json = (struct json){s->c.line.at, s->c.p, s->c.e};
    expect(s, '{');
    for (bool first = true; another(s, '}', first); first = false)
        one_field(s);
    if (!json_end(&s->json))
        json_fault(s);
}

static void need(struct parser *s, enum field field, const char *what)
{
    if (!s->at[field])
        FAULT(&s->c, s->c.p, "expected %s", what);
}

static enum type type_of(struct parser *s)
{
    static const char *const names[] = {[TYPE_OPERATION] = "operation",
                                        [TYPE_CALL] = "call",
                                        [TYPE_RETURN] = "return",
                                        [TYPE_HEADER] = "header",
                                        [TYPE_HISTORY] = "history"};
    char name[JSON_NAME];
    if (!s->at[FIELD_TYPE])
        return TYPE_OPERATION;
    go_to(s, FIELD_TYPE);
    if (!json_name(&s->json, name, "the type"))
        json_fault(s);
    for (enum type t = TYPE_OPERATION; t <= TYPE_HISTORY; t++)
        if (strcmp(name, names[t]) == 0)
            return t;
    FAULT(&s->c, s->at[FIELD_TYPE], "expected the type operation, call, return, header or history");
}

/* ---- calls ---- */

static void known_form(struct parser *s, enum form form)
{
    if (s->form == FORM_UNKNOWN)
        s->form = form;
    else if (s->form != form)
        FAULT_REMEDY(&s->c, s->c.p, "separate histories with a line {\"type\":\"history\"}",
                     "operations and call/return events cannot be mixed in one history");
}

static uint32_t thread(struct parser *s)
{
    need(s, FIELD_THREAD, "a \"thread\"");
    go_to(s, FIELD_THREAD);
    return history_thread(s->h, name_here(s, "a thread", true));
}

static void arguments(struct parser *s, struct new_op *op)
{
    if (!s->at[FIELD_ARGS])
        return;
    go_to(s, FIELD_ARGS);
    expect(s, '[');
    while (another(s, ']', !op->arity)) {
        if (op->arity == UINT8_MAX)
            FAULT(&s->c, s->json.at, "more than %d arguments", UINT8_MAX);
        const char *from = s->json.at;
        s->args[op->arity] = value(s);
        if (s->args[op->arity++].kind == ASSAY_NONE && !token_is_txn(s->h, op->method))
            FAULT(&s->c, from, "expected a value; only in a txn may one be unknown");
    }
}

static void call(struct parser *s, struct new_op *op)
{
    need(s, FIELD_METHOD, "a \"method\"");
    go_to(s, FIELD_METHOD);
    op->method = name_here(s, "a method", false);
    const char *dot = strchr(history_text(s->h, op->method), '.');
    if (dot)
        FAULT(&s->c, s->at[FIELD_METHOD], "a method has no dot; \"object\" is a field of its own");
    op->object = ID_NONE;
    if (s->at[FIELD_OBJECT]) {
        go_to(s, FIELD_OBJECT);
        op->object = name_here(s, "an object", true);
    }
    op->args = s->args;
    op->line = s->c.line.number;
    op->column = (uint32_t)(s->c.p - s->c.line.at) + 1;
    arguments(s, op);
}

static struct value result(struct parser *s)
{
    if (!s->at[FIELD_RESULT])
        return (struct value){0};
    go_to(s, FIELD_RESULT);
    struct value v = value(s);
    if (v.kind == ASSAY_NONE)
        FAULT_REMEDY(&s->c, s->at[FIELD_RESULT], "\"pending\":true says that there is none",
                     "expected a result");
    return v;
}

/* ---- operations ---- */

static bool is_pending(struct parser *s)
{
    if (!s->at[FIELD_PENDING])
        return s->at[FIELD_CALL] && !s->at[FIELD_RETURN];
    go_to(s, FIELD_PENDING);
    if (strncmp(s->json.at, "true", 4) != 0 && strncmp(s->json.at, "false", 5) != 0)
        FAULT(&s->c, s->json.at, "expected true or false");
    bool pending = *s->json.at == 't';
    if (!pending && s->at[FIELD_CALL] && !s->at[FIELD_RETURN])
        FAULT(&s->c, s->at[FIELD_CALL],
              "expected a \"return\", since the operation is not pending");
    return pending;
}

/* {"t0":2,"t2":5} */
static void knowledge(struct parser *s, uint32_t op)
{
    go_to(s, FIELD_AFTER);
    history_begin_after(s->h);
    expect(s, '{');
    for (bool first = true; another(s, '}', first); first = false) {
        struct after known = {.thread = history_thread(s->h, name_here(s, "a thread", false))};
        expect(s, ':');
        const char *from = json_peek(&s->json);
        struct value count = scalar(s);
        if (count.kind != ASSAY_INT || count.bits < 0 || count.bits > UINT32_MAX - 1)
            FAULT(&s->c, from, "expected how many operations of the thread had returned");
        known.count = (uint32_t)count.bits;
        history_add_after(s->h, op, known);
    }
}

static void interval(struct parser *s, uint32_t op, uint32_t previous)
{
    history *h = s->h;
    bool pending = history_pending(h, op);
    int64_t start = integer(s, FIELD_CALL, "the time of the call"), ended = INT64_MAX;
    if (pending && s->at[FIELD_RETURN])
        FAULT(&s->c, s->at[FIELD_RETURN], "a pending operation has no time of return");
    if (!pending)
        ended = integer(s, FIELD_RETURN, "the time of the return");
    if (ended < start)
        FAULT(&s->c, s->at[FIELD_RETURN], "the return is before the call");
    if (previous != ID_NONE && start < h->ret[previous])
        FAULT_REMEDY(&s->c, s->at[FIELD_CALL],
                     "a thread does one operation at a time; use two threads",
                     "the call is earlier than the thread's previous return (%" PRId64 ", line %u)",
                     h->ret[previous], h->line[previous]);
    history_set_times(h, op, start, ended);
}

/* All operations have times, or none has; knowledge and times exclude each other. */
static void real_time(struct parser *s, uint32_t op, uint32_t previous)
{
    history *h = s->h;
    if (s->at[FIELD_RETURN])
        need(s, FIELD_CALL, "a \"call\", since there is a \"return\"");
    if (s->at[FIELD_CALL] && s->at[FIELD_AFTER])
        FAULT(&s->c, s->at[FIELD_AFTER], "expected either times or \"after\"");
    if (h->call)
        need(s, FIELD_CALL, "the times \"call\" and \"return\", as in the lines before");
    else if (op && s->at[FIELD_CALL])
        FAULT(&s->c, s->at[FIELD_CALL],
              "times here, but none in the lines before: all operations have times, or none");
    if (s->at[FIELD_CALL])
        interval(s, op, previous);
    else if (s->at[FIELD_AFTER])
        knowledge(s, op);
}

static void operation_line(struct parser *s)
{
    history *h = s->h;
    known_form(s, FORM_OPERATIONS);
    struct new_op op = {.thread = thread(s)};
    uint32_t previous = h->threads.at[op.thread].last;
    if (history_open_call(h, op.thread) != ID_NONE)
        FAULT_REMEDY(&s->c, s->at[FIELD_THREAD], "give what follows to another thread",
                     "this thread goes on after its operation in line %u, which never returned",
                     h->line[previous]);
    call(s, &op);
    op.result = result(s);
    op.pending = is_pending(s);
    if (op.pending && op.result.kind != ASSAY_NONE)
        FAULT(&s->c, s->at[FIELD_RESULT], "a pending operation has no result");
    real_time(s, history_append(h, &op), previous);
}

/* ---- events ---- */

static int64_t event_time(struct parser *s)
{
    bool given = s->at[FIELD_TIME] != NULL;
    int64_t time = given ? integer(s, FIELD_TIME, "a time") : (int64_t)s->events + 1;
    if (s->events++ == 0)
        s->timed = given;
    else if (given && !s->timed)
        FAULT(&s->c, s->at[FIELD_TIME], "a time here, but none in the events before");
    else if (!given && s->timed)
        FAULT(&s->c, s->c.p, "expected a \"time\", as the events before have one");
    else if (time < s->clock)
        FAULT_REMEDY(&s->c, s->at[FIELD_TIME],
                     "events are in the order of their times: sort them, or repair the clock",
                     "the clock goes backwards: %" PRId64 " after %" PRId64, time, s->clock);
    return s->clock = time;
}

static void call_line(struct parser *s)
{
    history *h = s->h;
    known_form(s, FORM_EVENTS);
    struct new_op op = {.thread = thread(s), .pending = true};
    uint32_t open = history_open_call(h, op.thread);
    if (open != ID_NONE)
        FAULT(&s->c, s->at[FIELD_THREAD],
              "a second call of this thread; its call in line %u has not returned", h->line[open]);
    if (h->ids == IDS_OPERATION && h->threads.at[op.thread].count)
        FAULT(&s->c, s->at[FIELD_THREAD],
              "this id was used before, but the header says that each operation has its own");
    int64_t time = event_time(s);
    call(s, &op);
    history_set_times(h, history_append(h, &op), time, INT64_MAX);
}

static void return_line(struct parser *s)
{
    known_form(s, FORM_EVENTS);
    uint32_t open = history_open_call(s->h, thread(s));
    if (open == ID_NONE)
        FAULT(&s->c, s->at[FIELD_THREAD], "a return of this thread without a call");
    int64_t time = event_time(s);
    history_return(s->h, open, result(s), time);
}

/* ---- headers ---- */

static const struct name *text_of(struct parser *s, enum field field, const char *what)
{
    need(s, field, what);
    go_to(s, field);
    struct value v = scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(&s->c, s->at[field], "expected %s, a string", what);
    return &s->h->names.all.at[v.bits];
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The text is what a line of .hist can hold, without the blanks around it. */
static void header_line(struct parser *s)
{
    if (s->form != FORM_UNKNOWN)
        FAULT_REMEDY(&s->c, s->c.p, "move it up, or start a new history: {\"type\":\"history\"}",
                     "headers stand before the first operation");
    struct name key = *text_of(s, FIELD_KEY, "the header's \"key\"");
    struct name text = *text_of(s, FIELD_RESULT, "the header's \"value\"");
    for (uint32_t i = 0; i < key.length; i++)
        if (!token_is_word_char((unsigned char)key.text[i]))
            FAULT(&s->c, s->at[FIELD_KEY], "expected a key that is a word");
    if (!key.length)
        FAULT(&s->c, s->at[FIELD_KEY], "expected a key that is a word");
    if (memchr(text.text, '\n', text.length) || memchr(text.text, '\0', text.length))
        FAULT(&s->c, s->at[FIELD_RESULT], "expected one line of text");
    while (text.length && is_blank(text.text[0]))
        text.text++, text.length--;
    while (text.length && is_blank(text.text[text.length - 1]))
        text.length--;
    if (memchr(text.text, '\r', text.length))
        FAULT(&s->c, s->at[FIELD_RESULT], "expected one line of text");
    if (!history_header_known(key.text, key.length))
        warn(s->warnings, "%s:%" PRIu64 ": unknown header @%.40s is kept and ignored",
             input_name(s->c.in), s->c.line.number, key.text);
    if (!history_header(s->h, key.text, key.length, text.text, text.length, s->c.line.number,
                        (uint64_t)(s->at[FIELD_RESULT] - s->c.line.at) + 2, s->c.e))
        cursor_fault(&s->c, s->at[FIELD_RESULT]);
}

/* ---- lines ---- */

/* False at the border of two histories. */
static bool parse_line(struct parser *s)
{
    skip_space(&s->c);
    if (s->c.p == s->c.line.end)
        return true;
    fields(s);
    switch (type_of(s)) {
    case TYPE_CALL: call_line(s); break;
    case TYPE_RETURN: return_line(s); break;
    case TYPE_HEADER: header_line(s); break;
    case TYPE_HISTORY: return false;
    default: operation_line(s);
    }
    return true;
}

static bool read_jsonl(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    history *h = *out = history_new();
    struct parser s = {.c = {.in = in, .e = e}, .warnings = warnings, .h = h};
    h->source = history_name(h, input_name(in), strlen(input_name(in)));
    bool more;
    while ((more = cursor_line(&s.c)))
        if (!parse_line(&s) && (h->n || h->headers.n)) /* else nothing yet: a leading border */
            break;
    history_check_knowledge(h, e);
    return more || h->n || h->headers.n;
}

/* ---- writing ---- */

static void print_name(struct text *t, const history *h, uint32_t name)
{
    text_json(t, h->names.all.at[name].text, h->names.all.at[name].length);
}

static void print_value(struct text *t, const history *h, struct value v)
{
    if (v.kind == ASSAY_INT || v.kind == ASSAY_NONE) {
        v.kind == ASSAY_INT ? text_int(t, v.bits) : text_puts(t, "{}");
        return;
    }
    const struct name *name = &h->names.all.at[v.bits];
    bool word = token_is_word(name->text, name->length);
    if (v.kind == ASSAY_WORD &&
        (strcmp(name->text, "true") == 0 || strcmp(name->text, "false") == 0 ||
         strcmp(name->text, "null") == 0)) {
        text_puts(t, name->text);
    } else if (v.kind == ASSAY_STRING && word) {
        text_puts(t, "{\"string\":");
        print_name(t, h, (uint32_t)v.bits);
        text_char(t, '}');
    } else {
        print_name(t, h, (uint32_t)v.bits);
    }
}

static void print_call(struct text *t, const history *h, uint32_t op)
{
    text_puts(t, "{\"thread\":");
    print_name(t, h, h->threads.at[h->thread[op]].name);
    if (h->object[op] != ID_NONE) {
        text_puts(t, ",\"object\":");
        print_name(t, h, h->object[op]);
    }
    text_puts(t, ",\"method\":");
    print_name(t, h, h->method[op]);
    for (uint32_t i = 0; i < h->arity[op]; i++) {
        text_puts(t, i ? "," : ",\"args\":[");
        print_value(t, h, history_arg(h, op, i));
    }
    text_puts(t, h->arity[op] ? "]" : "");
}

static void print_op(struct text *t, const history *h, uint32_t op)
{
    bool pending = history_pending(h, op);
    print_call(t, h, op);
    if (pending) {
        text_puts(t, ",\"pending\":true");
    } else if (history_result(h, op).kind != ASSAY_NONE) {
        text_puts(t, ",\"result\":");
        print_value(t, h, history_result(h, op));
    }
    if (h->call) {
        text_puts(t, ",\"call\":");
        text_int(t, h->call[op]);
        if (!pending) {
            text_puts(t, ",\"return\":");
            text_int(t, h->ret[op]);
        }
    } else if (h->after_at) {
        text_puts(t, ",\"after\":{");
        for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++) {
            text_puts(t, i > h->after_at[op] ? "," : "");
            print_name(t, h, h->threads.at[h->after.at[i].thread].name);
            text_char(t, ':');
            text_int(t, h->after.at[i].count);
        }
        text_char(t, '}');
    }
    text_puts(t, "}\n");
}

static void write_jsonl(const history *h, const struct writing *w)
{
    struct text t = text_in(w->mem);
    if (w->index)
        fputs("{\"type\":\"history\"}\n", w->out);
    for (uint32_t i = 0; i < h->headers.n; i++) {
        text_puts(&t, "{\"type\":\"header\",\"key\":");
        print_name(&t, h, h->headers.at[i].key);
        text_puts(&t, ",\"value\":");
        print_name(&t, h, h->headers.at[i].text);
        text_puts(&t, "}\n");
    }
    fwrite(text_get(&t), 1, t.n, w->out);
    for (uint32_t o = 0; o < h->n; o++) {
        t.n = 0;
        print_op(&t, h, o);
        fwrite(t.at, 1, t.n, w->out);
    }
}

/* ---- recognising ---- */

static int recognise_jsonl(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    p = p < end && *p == '{' ? recognise_blank(p + 1, end) : end;
    return p < end && *p == '"' ? 70 : 0;
}

const struct format format_jsonl = {
    .name = "jsonl",
    .title = "JSON Lines: an operation or an event a line",
    .extensions = (const char *const[]){".jsonl", ".ndjson", NULL},
    .recognise = recognise_jsonl,
    .read = read_jsonl,
    .write = write_jsonl,
};
