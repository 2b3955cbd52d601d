/* SPDX-License-Identifier: Apache-2.0 */
#include "format/jsonl_line.h"

static const struct {
    const char *key;
    enum jsonl_field field;
} keys[] = {
    {"type", FIELD_TYPE},     {"thread", FIELD_THREAD}, {"id", FIELD_THREAD},     {"object", FIELD_OBJECT},
    {"method", FIELD_METHOD}, {"args", FIELD_ARGS},     {"result", FIELD_RESULT}, {"value", FIELD_RESULT},
    {"time", FIELD_TIME},     {"call", FIELD_CALL},     {"return", FIELD_RETURN}, {"pending", FIELD_PENDING},
    {"after", FIELD_AFTER},   {"key", FIELD_KEY},
};

/* ---- JSON ---- */

void jsonl_fault(struct jsonl_line *s)
{
    cursor_fault(&s->c, s->c.line.at + (s->c.e->column ? s->c.e->column - 1 : 0));
}

/* A string that is a word or a number in .hist becomes one; others are strings. */
static struct value string_value(struct jsonl_line *s, struct value v)
{
    const struct name *name = &s->h->names.all.at[v.bits];
    if (token_is_word(name->text, name->length))
        v.kind = ASSAY_WORD;
    return v;
}

static struct value string_of_number(struct jsonl_line *s, const char *from)
{
    s->json.at = from + strcspn(from, ",]} \t");
    size_t length = (size_t)(s->json.at - from);
    cursor_warn_number_like(&s->c, place_of(&s->c, from), from, length);
    s->h->number_like = NULL;
    return (struct value){history_name(s->h, from, length), ASSAY_STRING};
}

struct value jsonl_scalar(struct jsonl_line *s)
{
    struct value v;
    const char *expected, *from = json_peek(&s->json);
    if (*from != '"' && *from != '-' && !(*from >= '0' && *from <= '9') && strncmp(from, "true", 4) != 0 &&
        strncmp(from, "false", 5) != 0 && strncmp(from, "null", 4) != 0)
        FAULT(&s->c, from, "expected a number, a string, true, false or null");
    if (!token_value(s->h, &s->json.at, s->c.line.end, &v, &expected))
        FAULT(&s->c, s->json.at, "expected %s", expected);
    if (*s->json.at == '+') /* 1e+5 is no word of .hist */
        return string_of_number(s, from);
    return v;
}

static struct value value(struct jsonl_line *s);

/* [1,2,3]; the cursor is behind the bracket. */
static struct value list(struct jsonl_line *s)
{
    struct value all = {lists_empty(&s->h->mem, &s->h->lists), ASSAY_LIST};
    for (bool first = true; jsonl_another(s, ']', first); first = false) {
        const char *from = json_peek(&s->json);
        struct value element = value(s);
        if (element.kind == ASSAY_LIST || element.kind == ASSAY_NONE)
            FAULT(&s->c, from, "expected an element that is a number, a string, true, false or null");
        all = history_longer(s->h, all, element);
    }
    return all;
}

/* A value; {"string":"x"} is a string though x could be a word, {} a value that is not known. */
static struct value value(struct jsonl_line *s)
{
    char name[JSON_NAME];
    struct value v;
    const char *from = json_peek(&s->json);
    if (json_take(&s->json, '['))
        return list(s);
    if (!json_take(&s->json, '{')) {
        v = jsonl_scalar(s);
        return v.kind == ASSAY_STRING ? string_value(s, v) : v;
    }
    if (json_take(&s->json, '}'))
        return (struct value){0};
    if (!json_name(&s->json, name, "\"string\""))
        jsonl_fault(s);
    if (strcmp(name, "string") != 0)
        FAULT(&s->c, from, "expected a value; an object can only be {\"string\":\"...\"}");
    jsonl_expect(s, ':');
    from = json_peek(&s->json);
    v = jsonl_scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(&s->c, from, "expected a string");
    jsonl_expect(s, '}');
    return v;
}

int64_t jsonl_integer(struct jsonl_line *s, enum jsonl_field field, const char *what)
{
    jsonl_go_to(s, field);
    const char *from = s->json.at;
    struct value v = *from == '"' ? (struct value){0} : jsonl_scalar(s);
    if (v.kind != ASSAY_INT)
        FAULT(&s->c, from, "expected %s, an integer", what);
    return v.bits;
}

/* A name: a word, or an integer where `digits` allows it. */
uint32_t jsonl_name(struct jsonl_line *s, const char *what, bool digits)
{
    const char *from = json_peek(&s->json);
    struct value v = jsonl_scalar(s);
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
    FAULT(&s->c, from, "expected %s: %sa word in quotation marks (letters, digits, _ - .)", what,
          digits ? "a whole number, or " : "");
}

/* ---- the fields of a line ---- */

static void one_field(struct jsonl_line *s)
{
    const char *from = json_peek(&s->json), *p = from + 1;
    if (*from != '"')
        FAULT(&s->c, from, "expected a key");
    while (*p != '"' && *p != '\\' && *p)
        p++;
    size_t length = (size_t)(p - from - 1);
    if (!json_skip(&s->json))
        jsonl_fault(s);
    jsonl_expect(s, ':');
    const char *at = json_peek(&s->json);
    if (!json_skip(&s->json))
        jsonl_fault(s);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char **known = &s->at[keys[i].field];
        if (keys[i].key[0] != from[1] || strncmp(keys[i].key, from + 1, length) != 0 || keys[i].key[length])
            continue;
        if (*known)
            FAULT(&s->c, from, "a second \"%s\", or another name of it", keys[i].key);
        *known = at;
        return;
    }
}

void jsonl_fields(struct jsonl_line *s)
{
    memset(s->at, 0, sizeof s->at);
    s->json = (struct json){s->c.line.at, s->c.p, s->c.e};
    jsonl_expect(s, '{');
    for (bool first = true; jsonl_another(s, '}', first); first = false)
        one_field(s);
    if (!json_end(&s->json))
        jsonl_fault(s);
}

enum jsonl_type jsonl_type(struct jsonl_line *s)
{
    static const char *const names[] = {[TYPE_OPERATION] = "operation",
                                        [TYPE_CALL] = "call",
                                        [TYPE_RETURN] = "return",
                                        [TYPE_HEADER] = "header",
                                        [TYPE_HISTORY] = "history"};
    char name[JSON_NAME];
    if (!s->at[FIELD_TYPE])
        return TYPE_OPERATION;
    jsonl_go_to(s, FIELD_TYPE);
    if (!json_name(&s->json, name, "the type"))
        jsonl_fault(s);
    for (enum jsonl_type t = TYPE_OPERATION; t <= TYPE_HISTORY; t++)
        if (strcmp(name, names[t]) == 0)
            return t;
    FAULT(&s->c, s->at[FIELD_TYPE], "expected the type operation, call, return, header or history");
}

static void arguments(struct jsonl_line *s, struct new_op *op)
{
    if (!s->at[FIELD_ARGS])
        return;
    jsonl_go_to(s, FIELD_ARGS);
    jsonl_expect(s, '[');
    while (jsonl_another(s, ']', !s->args.n)) {
        const char *from = s->json.at;
        vec_push(&s->h->mem, &s->args, value(s));
        if (vec_last(&s->args).kind == ASSAY_NONE && !token_is_txn(s->h, op->method))
            FAULT(&s->c, from, "expected a value; only in a txn may one be unknown");
    }
}

void jsonl_call(struct jsonl_line *s, struct new_op *op)
{
    jsonl_need(s, FIELD_METHOD, "a \"method\"");
    jsonl_go_to(s, FIELD_METHOD);
    op->method = jsonl_name(s, "a method", false);
    const char *dot = strchr(history_text(s->h, op->method), '.');
    if (dot)
        FAULT(&s->c, s->at[FIELD_METHOD], "a method has no dot; \"object\" is a field of its own");
    op->object = ID_NONE;
    if (s->at[FIELD_OBJECT]) {
        jsonl_go_to(s, FIELD_OBJECT);
        op->object = jsonl_name(s, "an object", true);
    }
    struct place at = place_of(&s->c, s->c.p);
    op->line = at.line;
    op->column = (uint32_t)at.column;
    vec_clear(&s->args);
    arguments(s, op);
    op->args = s->args.at;
    op->arity = s->args.n;
}

bool jsonl_is_pending(struct jsonl_line *s)
{
    if (!s->at[FIELD_PENDING])
        return false;
    jsonl_go_to(s, FIELD_PENDING);
    if (strncmp(s->json.at, "true", 4) != 0 && strncmp(s->json.at, "false", 5) != 0)
        FAULT(&s->c, s->json.at, "expected true or false");
    return *s->json.at == 't';
}

struct value jsonl_result(struct jsonl_line *s)
{
    if (!s->at[FIELD_RESULT])
        return (struct value){0};
    jsonl_go_to(s, FIELD_RESULT);
    struct value v = value(s);
    if (v.kind == ASSAY_NONE)
        FAULT_REMEDY(&s->c, s->at[FIELD_RESULT], "\"pending\":true says that there is none", "expected a result");
    return v;
}

/* ---- headers ---- */

static const struct name *text_of(struct jsonl_line *s, enum jsonl_field field, const char *what)
{
    jsonl_need(s, field, what);
    jsonl_go_to(s, field);
    struct value v = jsonl_scalar(s);
    if (v.kind != ASSAY_STRING)
        FAULT(&s->c, s->at[field], "expected %s, a string", what);
    return &s->h->names.all.at[v.bits];
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The text must fit on a line of .hist, and has no blanks around it. */
struct jsonl_header jsonl_header(struct jsonl_line *s)
{
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
    return (struct jsonl_header){key.text, key.length, text.text, text.length,
                                 (uint64_t)(s->at[FIELD_RESULT] - s->c.line.at) + 2};
}
