/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Lines, described in docs/guides/formats.md: one JSON object a line. It is an operation, an event (call or
 * return), a header, or the border between two histories. It has the same content as .hist: a history that is read from
 * one and written as the other is the same history.
 *
 *     {"type":"header","key":"object","value":"queue"}
 *     {"thread":"t0","method":"push","args":[5],"call":1,"return":4}
 *     {"thread":"t1","method":"pop","result":5,"call":2,"return":3}
 *
 * A file of events as Jepsen has them is read as such (jepsen.h): {"type":"invoke","process":0,"f":"txn",...}. */
#include "format/format.h"
#include "format/interval.h"
#include "format/jepsen.h"
#include "format/json_array.h"
#include "format/jsonl_line.h"
#include "format/jsonl_plain.h"
#include "format/log_calls.h"
#include "format/recognise.h"
#include "history/blocks.h"

#include <inttypes.h>

enum form { FORM_UNKNOWN, FORM_OPERATIONS, FORM_EVENTS };

struct parser {
    struct jsonl_line l;
    enum form form;
    struct calls clock; /* event form: of the events */
    struct json_array array;
    bool in_array;
};

/* ---- calls ---- */

static void known_form(struct parser *s, enum form form)
{
    if (s->form == FORM_UNKNOWN)
        s->form = form;
    else if (s->form != form)
        FAULT_REMEDY(&s->l.c, s->l.c.p, "separate histories with a line {\"type\":\"history\"}",
                     "operations and call/return events cannot be mixed in one history");
}

static uint32_t thread(struct parser *s)
{
    jsonl_need(&s->l, FIELD_THREAD, "a \"thread\"");
    jsonl_go_to(&s->l, FIELD_THREAD);
    return history_thread(s->l.h, jsonl_name(&s->l, "a thread", true));
}

/* ---- operations ---- */

static bool is_pending(struct parser *s)
{
    if (!s->l.at[FIELD_PENDING])
        return s->l.at[FIELD_CALL] && !s->l.at[FIELD_RETURN];
    bool pending = jsonl_is_pending(&s->l);
    if (!pending && s->l.at[FIELD_CALL] && !s->l.at[FIELD_RETURN])
        FAULT(&s->l.c, s->l.at[FIELD_CALL], "expected a \"return\", since the operation is not pending");
    return pending;
}

/* {"t0":2,"t2":5} */
static void knowledge(struct parser *s, uint32_t op)
{
    jsonl_go_to(&s->l, FIELD_AFTER);
    history_begin_after(s->l.h);
    jsonl_expect(&s->l, '{');
    for (bool first = true; jsonl_another(&s->l, '}', first); first = false) {
        struct after known = {.thread = history_thread(s->l.h, jsonl_name(&s->l, "a thread", false))};
        jsonl_expect(&s->l, ':');
        const char *from = json_peek(&s->l.json);
        struct value count = jsonl_scalar(&s->l);
        if (count.kind != ASSAY_INT || count.bits < 0 || count.bits > UINT32_MAX - 1)
            FAULT(&s->l.c, from, "expected how many operations of the thread had returned");
        known.count = (uint32_t)count.bits;
        history_add_after(s->l.h, op, known);
    }
}

static void interval(struct parser *s, uint32_t op, uint32_t previous)
{
    history *h = s->l.h;
    bool pending = history_pending(h, op);
    int64_t start = jsonl_integer(&s->l, FIELD_CALL, "the time of the call"), ended = INT64_MAX;
    if (pending && s->l.at[FIELD_RETURN])
        FAULT(&s->l.c, s->l.at[FIELD_RETURN], "a pending operation has no time of return");
    if (!pending)
        ended = jsonl_integer(&s->l, FIELD_RETURN, "the time of the return");
    interval_set(&s->l.c, h, op, previous,
                 &(struct interval){start, ended, s->l.at[FIELD_CALL], s->l.at[FIELD_RETURN]});
}

/* All operations have times, or none has; knowledge and times exclude each other. */
static void real_time(struct parser *s, uint32_t op, uint32_t previous)
{
    history *h = s->l.h;
    if (s->l.at[FIELD_RETURN])
        jsonl_need(&s->l, FIELD_CALL, "a \"call\", since there is a \"return\"");
    if (s->l.at[FIELD_CALL] && s->l.at[FIELD_AFTER])
        FAULT(&s->l.c, s->l.at[FIELD_AFTER], "expected either times or \"after\"");
    if (h->call)
        jsonl_need(&s->l, FIELD_CALL, "the times \"call\" and \"return\", as in the lines before");
    else if (op && s->l.at[FIELD_CALL])
        FAULT(&s->l.c, s->l.at[FIELD_CALL],
              "times here, but none in the lines before: all operations have times, or none");
    if (s->l.at[FIELD_CALL])
        interval(s, op, previous);
    else if (s->l.at[FIELD_AFTER])
        knowledge(s, op);
}

static void operation_line(struct parser *s)
{
    history *h = s->l.h;
    known_form(s, FORM_OPERATIONS);
    struct new_op op = {.thread = thread(s)};
    uint32_t previous = h->threads.at[op.thread].last;
    uint32_t open = history_open_call(h, op.thread);
    jsonl_call(&s->l, &op);
    if (open != ID_NONE && !blocks_go_on(h, open, op.method))
        FAULT_REMEDY(&s->l.c, s->l.at[FIELD_THREAD], "give what follows to another thread",
                     "this thread goes on after its operation in line %u, which never returned", history_line(h, open));
    op.result = jsonl_result(&s->l);
    op.pending = is_pending(s);
    if (op.pending && op.result.kind != ASSAY_NONE)
        FAULT(&s->l.c, s->l.at[FIELD_RESULT], "a pending operation has no result");
    real_time(s, history_append(h, &op), previous);
}

/* ---- events ---- */

static int64_t event_time(struct parser *s)
{
    const char *at = s->l.at[FIELD_TIME];
    int64_t time = at ? jsonl_integer(&s->l, FIELD_TIME, "a time") : 0;
    return calls_time(&s->clock, at ? &time : NULL, place_of(&s->l.c, at ? at : s->l.c.p));
}

static void call_line(struct parser *s)
{
    history *h = s->l.h;
    known_form(s, FORM_EVENTS);
    struct new_op op = {.thread = thread(s), .pending = true};
    uint32_t open = history_open_call(h, op.thread);
    if (open != ID_NONE)
        FAULT(&s->l.c, s->l.at[FIELD_THREAD], "a second call of this thread; its call in line %u has not returned",
              history_line(h, open));
    if (h->ids == IDS_OPERATION && h->threads.at[op.thread].count)
        FAULT(&s->l.c, s->l.at[FIELD_THREAD],
              "this id was used before, but the header says that each operation has its own");
    int64_t time = event_time(s);
    jsonl_call(&s->l, &op);
    history_set_times(h, history_append(h, &op), time, INT64_MAX);
}

static void return_line(struct parser *s)
{
    known_form(s, FORM_EVENTS);
    uint32_t open = history_open_call(s->l.h, thread(s));
    if (open == ID_NONE)
        FAULT(&s->l.c, s->l.at[FIELD_THREAD], "a return of this thread without a call");
    int64_t time = event_time(s);
    if (jsonl_is_pending(&s->l))
        history_part(s->l.h, open);
    else
        history_return(s->l.h, open, jsonl_result(&s->l), time);
}

/* ---- headers ---- */

static void header_line(struct parser *s)
{
    if (s->form != FORM_UNKNOWN)
        FAULT_REMEDY(&s->l.c, s->l.c.p, "move it up, or start a new history: {\"type\":\"history\"}",
                     "headers stand before the first operation");
    struct jsonl_header x = jsonl_header(&s->l);
    if (!history_header_known(x.key, x.key_length))
        warn(s->l.c.warnings, "%s:%" PRIu64 ": unknown header @%.40s is kept and ignored", input_name(s->l.c.in),
             s->l.c.line.number, x.key);
    if (!history_header(s->l.h, x.key, x.key_length, x.text, x.length, s->l.c.line.number, x.column, s->l.c.e))
        cursor_fault(&s->l.c, s->l.at[FIELD_RESULT]);
}

/* ---- lines ---- */

/* False at the border of two histories. */
static bool parse_line(struct parser *s)
{
    skip_space(&s->l.c);
    if (s->l.c.p == s->l.c.line.end)
        return true;
    jsonl_fields(&s->l);
    switch (jsonl_type(&s->l)) {
    case TYPE_CALL: call_line(s); break;
    case TYPE_RETURN: return_line(s); break;
    case TYPE_HEADER: header_line(s); break;
    case TYPE_HISTORY:
        if (s->in_array)
            FAULT_REMEDY(&s->l.c, s->l.c.p, "give each history an array of its own", "an array is one history");
        return false;
    default: operation_line(s);
    }
    return true;
}

/* The next line that is not plain, or the next object of an array. */
static bool next_line(struct parser *s, struct plain_lines *plain)
{
    if (s->in_array)
        return json_array_next(&s->array, &s->l.c);
    if (s->form == FORM_OPERATIONS)
        jsonl_plain_lines(plain);
    return cursor_line(&s->l.c);
}

/* ---- Jepsen's events ---- */

/* Is the text at p, behind white space, one of the types that Jepsen's events have? */
static bool is_jepsen_type(const char *p, const char *end)
{
    static const char *const types[] = {"\"invoke\"", "\"ok\"", "\"fail\"", "\"info\"", NULL};
    p = recognise_blank(p, end);
    p = p < end && *p == ':' ? recognise_blank(p + 1, end) : end;
    for (size_t i = 0; types[i]; i++)
        if (recognise_here(p, end, types[i]))
            return true;
    return false;
}

/* An array of objects, or an object, whose first type is one of Jepsen's. */
static bool is_jepsen(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    if (p < end && *p == '[')
        p = recognise_start(p + 1, end, '\0');
    const char *type = p < end && *p == '{' ? recognise_find(p, end, "\"type\"") : NULL;
    return type && is_jepsen_type(type, end);
}

/* An array of operations; an empty one is an empty history. */
static bool is_array(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    p = p < end && *p == '[' ? recognise_start(p + 1, end, '\0') : end;
    return p < end && (*p == '{' || *p == ']');
}

/* ---- histories ---- */

static bool read_jsonl(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    const char *bytes;
    size_t n = input_peek(in, &bytes, e);
    if (is_jepsen(bytes, n))
        return jepsen_read(in, out, true, warnings, e);
    bool in_array = is_array(bytes, n);
    input_begin_history(in, out);
    history *h = *out;
    struct parser s = {.l = {.c = {.in = in, .e = e, .warnings = warnings}, .h = h}, .in_array = in_array};
    s.clock = (struct calls){.c = &s.l.c, .h = h};
    struct plain_lines plain = {.in = in, .h = h};
    bool more;
    if (in_array && !json_array_begin(&s.array, &s.l.c, &h->mem))
        return false;
    while ((more = next_line(&s, &plain))) {
        bool border = !parse_line(&s);
        cursor_end_line(&s.l.c, h);
        if (border && (h->n || h->headers.n)) /* else nothing yet: a leading border */
            break;
    }
    plain_end(&plain);
    if (in_array)
        json_array_free(&s.array);
    history_check_knowledge(h, e);
    return in_array || more || h->n || h->headers.n;
}

/* ---- writing ---- */

static void print_name(struct text *t, const history *h, uint32_t name)
{
    text_json(t, h->names.all.at[name].text, h->names.all.at[name].length);
}

static void print_value(struct text *t, const history *h, struct value v);

static void print_list(struct text *t, const history *h, const struct list_value *l)
{
    const struct list_value **elements = list_elements(l, t->mem);
    for (uint32_t i = 0; i < l->length; i++) {
        text_char(t, i ? ',' : '[');
        print_value(t, h, elements[i]->last);
    }
    text_puts(t, l->length ? "]" : "[]");
    mem_free(t->mem, elements);
}

static void print_value(struct text *t, const history *h, struct value v)
{
    if (v.kind == ASSAY_LIST) {
        print_list(t, h, h->lists.all.at[v.bits]);
        return;
    }
    if (v.kind == ASSAY_INT || v.kind == ASSAY_NONE) {
        v.kind == ASSAY_INT ? text_int(t, v.bits) : text_puts(t, "{}");
        return;
    }
    const struct name *name = &h->names.all.at[v.bits];
    bool word = token_is_word(name->text, name->length);
    if (v.kind == ASSAY_WORD &&
        (strcmp(name->text, "true") == 0 || strcmp(name->text, "false") == 0 || strcmp(name->text, "null") == 0)) {
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
    if (history_object_of(h, op) != ID_NONE) {
        text_puts(t, ",\"object\":");
        print_name(t, h, history_object_of(h, op));
    }
    text_puts(t, ",\"method\":");
    print_name(t, h, h->method[op]);
    for (uint32_t i = 0; i < history_arity(h, op); i++) {
        text_puts(t, i ? "," : ",\"args\":[");
        print_value(t, h, history_arg(h, op, i));
    }
    text_puts(t, history_arity(h, op) ? "]" : "");
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
        text_json(&t, h->headers.at[i].text, h->headers.at[i].length);
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
    if (is_jepsen(bytes, n))
        return 80;
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    bool array = is_array(bytes, n);
    if (array) {
        p = recognise_start(p + 1, end, '\0');
        if (*p == ']')
            return recognise_start(p + 1, end, '\0') == end ? 60 : 0;
    }
    p = p == end || *p != '{' ? end : array ? recognise_start(p + 1, end, '\0') : recognise_blank(p + 1, end);
    return p < end && *p == '"' ? 70 : 0;
}

const struct format format_jsonl = {
    .name = "jsonl",
    .title = "JSON Lines: an operation or an event a line; or an array",
    .extensions = (const char *const[]){".jsonl", ".ndjson", ".json", NULL},
    .recognise = recognise_jsonl,
    .read = read_jsonl,
    .write = write_jsonl,
};
