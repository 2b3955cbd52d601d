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
#include "format/entries.h"
#include "format/format.h"
#include "format/jepsen.h"
#include "format/json_array.h"
#include "format/jsonl_line.h"
#include "format/jsonl_plain.h"
#include "format/recognise.h"

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

/* The next object of the array. */
static bool next_object(struct entries *s, struct json_array *array)
{
    if (!json_array_next(array, &s->c))
        return false;
    jsonl_line(&s->c, s->h, &s->entry);
    if (s->entry.kind == ENTRY_BORDER)
        FAULT_REMEDY(&s->c, s->entry.start, "give each history an array of its own", "an array is one history");
    return true;
}

static bool read_array(struct entries *s)
{
    struct json_array array;
    if (!json_array_begin(&array, &s->c, &s->h->mem))
        return false;
    while (next_object(s, &array))
        entries_take(s);
    json_array_free(&array);
    return true;
}

/* The next line that is not plain. */
static bool next_line(struct entries *s, struct plain_lines *plain)
{
    if (s->form == FORM_OPERATIONS)
        jsonl_plain_lines(plain);
    if (!cursor_line(&s->c))
        return false;
    jsonl_line(&s->c, s->h, &s->entry);
    return true;
}

static bool read_lines(struct entries *s)
{
    struct plain_lines plain = {.in = s->c.in, .h = s->h};
    bool inside = true, more = false;
    while (inside && (more = next_line(s, &plain)))
        inside = entries_take(s);
    plain_end(&plain);
    return more;
}

static bool read_jsonl(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    const char *bytes;
    size_t n = input_peek(in, &bytes, e);
    if (is_jepsen(bytes, n))
        return jepsen_read(in, out, true, warnings, e);
    struct entries s;
    entries_begin(&s, in, out, warnings, e);
    bool more = is_array(bytes, n) ? read_array(&s) : read_lines(&s);
    entries_end(&s);
    return more || entries_any(&s);
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
