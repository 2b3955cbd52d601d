/* SPDX-License-Identifier: Apache-2.0 */
/* The fields of a line come in any order, so they are gathered before the line is understood. Numbers and literals of
 * JSON are tokens of .hist, so values are read as such; a JSON string is a word where it can be one. */
#include "format/jsonl_line.h"

#include "base/json.h"

enum type { TYPE_OPERATION, TYPE_CALL, TYPE_RETURN, TYPE_HEADER, TYPE_HISTORY };

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
    {"type", FIELD_TYPE},     {"thread", FIELD_THREAD}, {"id", FIELD_THREAD},     {"object", FIELD_OBJECT},
    {"method", FIELD_METHOD}, {"args", FIELD_ARGS},     {"result", FIELD_RESULT}, {"value", FIELD_RESULT},
    {"time", FIELD_TIME},     {"call", FIELD_CALL},     {"return", FIELD_RETURN}, {"pending", FIELD_PENDING},
    {"after", FIELD_AFTER},   {"key", FIELD_KEY},
};

struct fields {
    struct cursor *c;
    struct json json;
    history *h;
    struct entry *e;
    const char *at[FIELDS]; /* where each field's value starts in this line, or NULL */
};

/* ---- JSON ---- */

/* The fault that json.h found is in the error, with its column. */
static _Noreturn void json_fault(struct fields *s)
{
    cursor_fault(s->c, s->c->line.at + (s->c->e->column ? s->c->e->column - 1 : 0));
}

static void expect(struct fields *s, char c)
{
    if (!json_expect(&s->json, c))
        json_fault(s);
}

/* Does another item follow? */
static bool another(struct fields *s, char close, bool first)
{
    enum json_next next = json_next(&s->json, close, first);
    if (next == JSON_BAD)
        json_fault(s);
    return next == JSON_ITEM;
}

/* A fault if the field is not there. */
static void need(struct fields *s, enum field field, const char *what)
{
    if (!s->at[field])
        FAULT(s->c, s->e->start, "expected %s", what);
}

static void go_to(struct fields *s, enum field field)
{
    s->json.at = s->at[field];
}

/* A string that is a word or a number in .hist becomes one; others are strings. */
static struct value string_value(struct fields *s, struct value v)
{
    const struct name *name = &s->h->names.all.at[v.bits];
    if (token_is_word(name->text, name->length))
        v.kind = ASSAY_WORD;
    return v;
}

static struct value string_of_number(struct fields *s, const char *from)
{
    s->json.at = from + strcspn(from, ",]} \t");
    size_t length = (size_t)(s->json.at - from);
    cursor_warn_number_like(s->c, place_of(s->c, from), from, length);
    s->h->number_like = NULL;
    return (struct value){history_name(s->h, from, length), ASSAY_STRING};
}

static struct value scalar(struct fields *s)
{
    struct value v;
    const char *expected, *from = json_peek(&s->json);
    if (*from != '"' && *from != '-' && !(*from >= '0' && *from <= '9') && strncmp(from, "true", 4) != 0 &&
        strncmp(from, "false", 5) != 0 && strncmp(from, "null", 4) != 0)
        FAULT(s->c, from, "expected a number, a string, true, false or null");
    if (!token_value(s->h, &s->json.at, s->c->line.end, &v, &expected))
        FAULT(s->c, s->json.at, "expected %s", expected);
    if (*s->json.at == '+') /* 1e+5 is no word of .hist */
        return string_of_number(s, from);
    return v;
}

static struct value value(struct fields *s);

/* [1,2,3]; the cursor is behind the bracket. */
static struct value list(struct fields *s)
{
    struct value all = {lists_empty(&s->h->mem, &s->h->lists), ASSAY_LIST};
    for (bool first = true; another(s, ']', first); first = false) {
        const char *from = json_peek(&s->json);
        struct value element = value(s);
        if (element.kind == ASSAY_LIST || element.kind == ASSAY_NONE)
            FAULT(s->c, from, "expected an element that is a number, a string, true, false or null");
        all = history_longer(s->h, all, element);
    }
    return all;
}

/* A value; {"string":"x"} is a string though x could be a word, {} a value that is not known. */
static struct value value(struct fields *s)
{
    char name[JSON_NAME];
    struct value v;
    const char *from = json_peek(&s->json);
    if (json_take(&s->json, '['))
        return list(s);
    if (!json_take(&s->json, '{')) {
        v = scalar(s);
        return v.kind == ASSAY_STRING ? string_value(s, v) : v;
    }
    if (json_take(&s->json, '}'))
        return (struct value){0};
    if (!json_name(&s->json, name, "\"string\""))
        json_fault(s);
    if (strcmp(name, "string") != 0)
        FAULT(s->c, from, "expected a value; an object can only be {\"string\":\"...\"}");
    expect(s, ':');
    from = json_peek(&s->json);
    v = scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(s->c, from, "expected a string");
    expect(s, '}');
    return v;
}

static int64_t integer(struct fields *s, enum field field, const char *what)
{
    go_to(s, field);
    const char *from = s->json.at;
    struct value v = *from == '"' ? (struct value){0} : scalar(s);
    if (v.kind != ASSAY_INT)
        FAULT(s->c, from, "expected %s, an integer", what);
    return v.bits;
}

/* A name: a word, or an integer where `digits` allows it. */
static uint32_t name_at(struct fields *s, const char *what, bool digits)
{
    const char *from = json_peek(&s->json);
    struct value v = scalar(s);
    if (v.kind == ASSAY_INT && digits)
        return history_name(s->h, from, (size_t)(s->json.at - from));
    if (v.kind == ASSAY_STRING) {
        const struct name *name = &s->h->names.all.at[v.bits];
        if (is_word(name->text, name->length))
            return (uint32_t)v.bits;
    }
    FAULT(s->c, from, "expected %s: %sa word in quotation marks (letters, digits, _ - .)", what,
          digits ? "a whole number, or " : "");
}

/* ---- the fields of a line ---- */

static void one_field(struct fields *s)
{
    const char *from = json_peek(&s->json), *p = from + 1;
    if (*from != '"')
        FAULT(s->c, from, "expected a key");
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
        if (keys[i].key[0] != from[1] || strncmp(keys[i].key, from + 1, length) != 0 || keys[i].key[length])
            continue;
        if (*known)
            FAULT(s->c, from, "a second \"%s\", or another name of it", keys[i].key);
        *known = at;
        return;
    }
}

static void gather(struct fields *s)
{
    expect(s, '{');
    for (bool first = true; another(s, '}', first); first = false)
        one_field(s);
    if (!json_end(&s->json))
        json_fault(s);
}

static enum type type_of(struct fields *s)
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
    FAULT(s->c, s->at[FIELD_TYPE], "expected the type operation, call, return, header or history");
}

/* ---- calls ---- */

static void thread(struct fields *s)
{
    need(s, FIELD_THREAD, "a \"thread\" or an \"id\"");
    go_to(s, FIELD_THREAD);
    s->e->at = s->at[FIELD_THREAD];
    s->e->name = name_at(s, "a thread", true);
}

static void arguments(struct fields *s)
{
    struct arguments *args = &s->e->args;
    if (!s->at[FIELD_ARGS])
        return;
    go_to(s, FIELD_ARGS);
    expect(s, '[');
    while (another(s, ']', !args->n)) {
        const char *from = s->json.at;
        vec_push(&s->h->mem, args, value(s));
        if (vec_last(args).kind == ASSAY_NONE && !token_is_txn(s->h, s->e->op.method))
            FAULT(s->c, from, "expected a value; only in a txn may one be unknown");
    }
}

/* Object, method, place and arguments. */
static void call(struct fields *s)
{
    struct new_op *op = &s->e->op;
    need(s, FIELD_METHOD, "a \"method\"");
    go_to(s, FIELD_METHOD);
    op->method = name_at(s, "a method", false);
    if (strchr(history_text(s->h, op->method), '.'))
        FAULT(s->c, s->at[FIELD_METHOD], "a method has no dot; \"object\" is a field of its own");
    if (s->at[FIELD_OBJECT]) {
        go_to(s, FIELD_OBJECT);
        op->object = name_at(s, "an object", true);
    }
    struct place at = place_of(s->c, s->e->start);
    op->line = at.line;
    op->column = (uint32_t)at.column;
    arguments(s);
    op->args = s->e->args.at;
    op->arity = s->e->args.n;
}

/* "pending":true */
static bool says_pending(struct fields *s)
{
    if (!s->at[FIELD_PENDING])
        return false;
    go_to(s, FIELD_PENDING);
    if (strncmp(s->json.at, "true", 4) != 0 && strncmp(s->json.at, "false", 5) != 0)
        FAULT(s->c, s->json.at, "expected true or false");
    return *s->json.at == 't';
}

static void result(struct fields *s)
{
    if (!s->at[FIELD_RESULT])
        return;
    go_to(s, FIELD_RESULT);
    s->e->op.result = value(s);
    if (s->e->op.result.kind == ASSAY_NONE)
        FAULT_REMEDY(s->c, s->at[FIELD_RESULT], "\"pending\":true says that there is none", "expected a result");
}

/* ---- operations ---- */

static bool is_pending(struct fields *s)
{
    bool open = s->at[FIELD_CALL] && !s->at[FIELD_RETURN];
    if (!s->at[FIELD_PENDING])
        return open;
    bool pending = says_pending(s);
    if (!pending && open)
        FAULT(s->c, s->at[FIELD_CALL], "expected a \"return\", since the operation is not pending");
    return pending;
}

/* {"t0":2,"t2":5} */
static void knowledge(struct fields *s)
{
    s->e->times = TIMES_KNOWLEDGE;
    s->e->times_at = s->at[FIELD_AFTER];
    go_to(s, FIELD_AFTER);
    expect(s, '{');
    for (bool first = true; another(s, '}', first); first = false) {
        struct known_thread known = {.name = name_at(s, "a thread", false)};
        expect(s, ':');
        const char *from = json_peek(&s->json);
        struct value count = scalar(s);
        if (count.kind != ASSAY_INT || count.bits < 0 || count.bits > UINT32_MAX - 1)
            FAULT(s->c, from, "expected how many operations of the thread had returned");
        known.count = (uint32_t)count.bits;
        vec_push(&s->h->mem, &s->e->known, known);
    }
}

static void interval(struct fields *s)
{
    struct entry *e = s->e;
    e->times = TIMES_INTERVAL;
    e->times_at = e->called_at = s->at[FIELD_CALL];
    e->returned_at = s->at[FIELD_RETURN];
    e->called = integer(s, FIELD_CALL, "the time of the call");
    e->returned = INT64_MAX;
    if (e->op.pending && s->at[FIELD_RETURN])
        FAULT(s->c, s->at[FIELD_RETURN], "a pending operation has no time of return");
    if (!e->op.pending)
        e->returned = integer(s, FIELD_RETURN, "the time of the return");
}

static void operation(struct fields *s)
{
    struct entry *e = s->e;
    call(s);
    result(s);
    e->op.pending = is_pending(s);
    if (e->op.pending && e->op.result.kind != ASSAY_NONE)
        FAULT(s->c, s->at[FIELD_RESULT], "a pending operation has no result");
    if (s->at[FIELD_RETURN])
        need(s, FIELD_CALL, "a \"call\", since there is a \"return\"");
    if (s->at[FIELD_CALL] && s->at[FIELD_AFTER])
        FAULT(s->c, s->at[FIELD_AFTER], "expected either times or \"after\"");
    if (s->at[FIELD_CALL])
        interval(s);
    else if (s->at[FIELD_AFTER])
        knowledge(s);
}

/* ---- events ---- */

static void event_time(struct fields *s)
{
    if (!s->at[FIELD_TIME])
        return;
    s->e->times = TIMES_EVENT;
    s->e->times_at = s->at[FIELD_TIME];
    s->e->called = integer(s, FIELD_TIME, "a time");
}

static void return_event(struct fields *s)
{
    s->e->op.pending = says_pending(s);
    if (!s->e->op.pending)
        result(s);
}

/* ---- headers ---- */

static const struct name *text_of(struct fields *s, enum field field, const char *what)
{
    need(s, field, what);
    go_to(s, field);
    struct value v = scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(s->c, s->at[field], "expected %s, a string", what);
    return &s->h->names.all.at[v.bits];
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The text must fit on a line of .hist, and has no blanks around it. */
static void header(struct fields *s)
{
    struct entry *e = s->e;
    struct name key = *text_of(s, FIELD_KEY, "the header's \"key\"");
    struct name text = *text_of(s, FIELD_RESULT, "the header's \"value\"");
    if (!is_word(key.text, key.length))
        FAULT(s->c, s->at[FIELD_KEY], "expected a key that is a word");
    if (memchr(text.text, '\n', text.length) || memchr(text.text, '\0', text.length))
        FAULT(s->c, s->at[FIELD_RESULT], "expected one line of text");
    while (text.length && is_blank(text.text[0]))
        text.text++, text.length--;
    while (text.length && is_blank(text.text[text.length - 1]))
        text.length--;
    if (memchr(text.text, '\r', text.length))
        FAULT(s->c, s->at[FIELD_RESULT], "expected one line of text");
    e->key = key.text;
    e->key_length = key.length;
    e->text = text.text;
    e->text_length = text.length;
    e->text_at = s->at[FIELD_RESULT];
}

/* ---- lines ---- */

void jsonl_line(struct cursor *c, history *h, struct entry *e)
{
    static const enum entry_kind kinds[] = {ENTRY_OPERATION, ENTRY_CALL, ENTRY_RETURN, ENTRY_HEADER, ENTRY_BORDER};
    skip_space(c);
    entry_begin(e, c->p);
    e->json = true;
    if (c->p == c->line.end)
        return;
    struct fields s = {.c = c, .h = h, .e = e, .json = {c->line.at, c->p, c->e}};
    gather(&s);
    enum type type = type_of(&s);
    e->kind = kinds[type];
    if (type == TYPE_OPERATION || type == TYPE_CALL || type == TYPE_RETURN)
        thread(&s);
    if (type == TYPE_CALL || type == TYPE_RETURN)
        event_time(&s);
    switch (type) {
    case TYPE_OPERATION: operation(&s); break;
    case TYPE_CALL: call(&s); break;
    case TYPE_RETURN: return_event(&s); break;
    case TYPE_HEADER: header(&s); break;
    case TYPE_HISTORY: break;
    }
}
