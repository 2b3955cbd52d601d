/* SPDX-License-Identifier: Apache-2.0 */
/* The notation is described at https://github.com/edn-format/edn. */
#include "format/edn_form.h"

#include "base/json.h"
#include "base/notation.h"

#include <string.h>

/* ---- white space ---- */

bool edn_space(struct edn *e)
{
    struct cursor *c = e->c;
    while (!e->over) {
        while (*c->p == ' ' || *c->p == ',' || *c->p == '\t' || *c->p == '\r' || *c->p == '\f')
            c->p++;
        if (*c->p == ';')
            c->p = c->line.end;
        if (c->p != c->line.end)
            return true;
        if (e->one_line)
            break;
        e->over = !cursor_line(c);
    }
    return false;
}

/* ---- nodes ---- */

static struct edn_node *add_text(struct edn *e, enum edn_kind kind, const char *where, const char *text, size_t length)
{
    struct edn_node *node = edn_add(e, kind, where);
    node->text = (uint32_t)e->text.n;
    node->length = (uint32_t)length;
    text_add(&e->text, text, length);
    return node;
}

static void add_integer(struct edn *e, const char *where, int64_t integer, uint32_t notation)
{
    struct edn_node *node = edn_add(e, EDN_INT, where);
    node->integer = integer;
    node->notation = notation;
}

void edn_clear(struct edn *e)
{
    vec_clear(&e->nodes);
    e->text.n = 0;
}

/* ---- forms without brackets ---- */

static const bool delimiter[256] = {
    ['\0'] = true, [' '] = true, [','] = true, ['\t'] = true, ['\r'] = true, ['\f'] = true, [';'] = true,
    ['"'] = true,  ['('] = true, [')'] = true, ['['] = true,  [']'] = true,  ['{'] = true,  ['}'] = true,
};

static const char *run(struct edn *e, size_t *length)
{
    const char *from = e->c->p;
    while (!delimiter[(unsigned char)*e->c->p])
        e->c->p++;
    *length = (size_t)(e->c->p - from);
    return from;
}

void edn_skip_tag(struct edn *e)
{
    size_t length;
    run(e, &length);
}

static const char longer[] = "put a longer number in quotation marks";

/* 0x1f, 0x1fN. False: not an integer of this kind. */
static bool hexadecimal(struct edn *e, const char *from, size_t length, int64_t *out, uint32_t *notation)
{
    const char *start = from + (*from == '+'), *to = from + length;
    to -= to > start && to[-1] == 'N';
    if (!notation_is_hex(start, to))
        return false;
    if (!notation_read(start, to, out, notation))
        FAULT_REMEDY(e->c, from, longer, "expected a hexadecimal integer of 64 bits");
    return true;
}

/* -12, +12, 12N. False: not an integer. */
static bool integer(struct edn *e, const char *from, size_t length, int64_t *out)
{
    const char *to = from + length, *p = from + (*from == '+'), *digits = from + (*from == '-' || *from == '+');
    if (digits == to || *digits < '0' || *digits > '9')
        return false;
    bool fits = notation_decimal(&p, to, out);
    if (p != to && !(p + 1 == to && *p == 'N'))
        return false;
    if (*digits == '0' && p > digits + 1)
        FAULT_REMEDY(e->c, from, "write it in decimal without them",
                     "zeros in front of an integer: EDN has none, and Clojure takes it for octal");
    if (!fits)
        FAULT_REMEDY(e->c, from, longer, "expected an integer of 64 bits");
    return true;
}

static void check_json(struct edn *e, const char *from, size_t length)
{
    const char *remedy, *fault = json_scalar_fault(from, from + length, &remedy);
    if (fault)
        FAULT_REMEDY(e->c, from, remedy, "%s", fault);
}

static void atom(struct edn *e)
{
    size_t length;
    int64_t number;
    uint32_t notation = NOTATION_DECIMAL;
    const char *from = run(e, &length);
    if (!length)
        FAULT(e->c, from, "expected a form of EDN");
    if (e->json)
        check_json(e, from, length);
    if (e->json ? length == 4 && memcmp(from, "null", 4) == 0 : length == 3 && memcmp(from, "nil", 3) == 0)
        edn_add(e, EDN_NIL, from);
    else if (integer(e, from, length, &number) || hexadecimal(e, from, length, &number, &notation))
        add_integer(e, from, number, notation);
    else
        add_text(e, EDN_SYMBOL, from, from, length);
}

static void keyword(struct edn *e)
{
    size_t length;
    const char *from = run(e, &length);
    if (length < 2)
        FAULT(e->c, from, "expected a keyword, as in `:read`");
    add_text(e, EDN_KEYWORD, from, from + 1, length - 1);
}

/* \newline and the like as their characters; NULL: it is no such name. */
static const char *named_character(const char *name, size_t length)
{
    static const struct {
        const char *name, *text;
    } names[] = {{"newline", "\n"}, {"space", " "},     {"tab", "\t"},
                 {"return", "\r"},  {"formfeed", "\f"}, {"backspace", "\b"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
            return names[i].text;
    return NULL;
}

static bool is_continuation(char ch) /* a byte of a character in UTF-8 that is not its first */
{
    return ((unsigned char)ch & 0xc0) == 0x80;
}

/* \a, \newline, \u00e9: a string of one character. */
static void character(struct edn *e)
{
    size_t rest, first = 1;
    const char *from = e->c->p++;
    if (e->c->p == e->c->line.end)
        FAULT(e->c, from, "expected a character behind \\");
    const char *name = e->c->p++, *escape = name;
    run(e, &rest);
    while (is_continuation(name[first]))
        first++;
    const char *text = named_character(name, rest + 1);
    if (text) {
        add_text(e, EDN_STRING, from, text, 1);
    } else if (first == rest + 1) {
        add_text(e, EDN_STRING, from, name, first);
    } else {
        struct edn_node *node = add_text(e, EDN_STRING, from, "", 0);
        if (*name != 'u' || !token_unescape(&escape, e->c->p, &e->text) || escape != e->c->p)
            FAULT(e->c, from, "expected a character, as in \\a, \\newline or \\u00e9");
        node->length = (uint32_t)(e->text.n - node->text);
    }
}

/* A string may go over several lines. */
static void string(struct edn *e)
{
    struct cursor *c = e->c;
    struct place at = place_of(c, c->p);
    uint32_t node = e->nodes.n;
    add_text(e, e->json ? EDN_KEYWORD : EDN_STRING, c->p, "", 0);
    for (c->p++;;) {
        const char *from = c->p;
        while (*c->p != '"' && *c->p != '\\' && c->p != c->line.end)
            c->p++;
        text_add(&e->text, from, (size_t)(c->p - from));
        if (c->p == c->line.end) {
            bool carriage = c->line.carriage;
            if (e->one_line || !cursor_line(c))
                FAULT_AT(c, at, "expected a closing quotation mark; this string has none");
            text_puts(&e->text, carriage ? "\r\n" : "\n");
        } else if (*c->p++ == '"') {
            break;
        } else if (!token_unescape(&c->p, c->line.end, &e->text)) {
            FAULT(c, c->p, "expected an escape of EDN behind the \\: n, t, \", \\, u00e9 ...");
        }
    }
    e->nodes.at[node].length = (uint32_t)(e->text.n - e->nodes.at[node].text);
}

/* ---- forms with others inside ---- */

enum { CLOSE_TAG = 't', CLOSE_DISCARD = '_' }; /* closed by the end of the next form */

struct frame {
    uint32_t node;
    char close;
};

struct stack {
    struct frame at[EDN_DEPTH];
    int n;
};

static void open_frame(struct edn *e, struct stack *s, char close, const char *where)
{
    if (s->n == EDN_DEPTH)
        FAULT(e->c, where, "more than %d forms in each other", EDN_DEPTH);
    s->at[s->n++] = (struct frame){e->nodes.n, close};
}

static void open_bracket(struct edn *e, struct stack *s, enum edn_kind kind, char close, const char *where)
{
    open_frame(e, s, close, where);
    edn_add(e, kind, where);
    e->c->p++;
}

/* `#_`, `#{`, `##Inf`, `#tag`. True if that was a whole form. */
static bool dispatch(struct edn *e, struct stack *s)
{
    const char *from = e->c->p++;
    size_t length;
    if (*e->c->p == '_') {
        open_frame(e, s, CLOSE_DISCARD, from);
        e->c->p++;
        return false;
    }
    if (*e->c->p == '{') {
        open_bracket(e, s, EDN_SET, '}', from);
        return false;
    }
    const char *tag = run(e, &length);
    if (!length)
        FAULT(e->c, from, "expected a tag, `{` or `_` behind #");
    if (*tag == '#') {
        add_text(e, EDN_SYMBOL, from, tag + 1, length - 1);
        return true;
    }
    open_frame(e, s, CLOSE_TAG, from);
    add_text(e, EDN_TAG, from, tag, length);
    return false;
}

static void close_bracket(struct edn *e, struct stack *s)
{
    struct frame *top = &s->at[s->n - 1];
    if (top->close == CLOSE_TAG || top->close == CLOSE_DISCARD)
        FAULT(e->c, e->c->p, "expected a form behind the %s", top->close == CLOSE_TAG ? "tag" : "`#_` or `^`");
    if (top->close != *e->c->p)
        FAULT(e->c, e->c->p, "expected `%c`, which closes the bracket of line %llu, column %llu", top->close,
              (unsigned long long)e->nodes.at[top->node].at.line, (unsigned long long)e->nodes.at[top->node].at.column);
    e->nodes.at[top->node].end = e->nodes.n;
    s->n--;
    e->c->p++;
}

/* A form has ended: so have the tags before it. A discarded one was none. */
static bool form_ended(struct edn *e, struct stack *s)
{
    while (s->n) {
        struct frame *top = &s->at[s->n - 1];
        if (top->close == CLOSE_DISCARD) {
            e->nodes.n = top->node;
            s->n--;
            return false;
        }
        if (top->close != CLOSE_TAG)
            break;
        e->nodes.at[top->node].end = e->nodes.n;
        s->n--;
    }
    return true;
}

static _Noreturn void cut_off(struct edn *e, const struct stack *s)
{
    const struct frame *top = &s->at[s->n - 1];
    const char *missing = top->close == CLOSE_TAG       ? "a form behind the tag"
                          : top->close == CLOSE_DISCARD ? "a form behind the `#_` or `^`"
                          : top->close == ']'           ? "`]`"
                          : top->close == ')'           ? "`)`"
                                                        : "`}`";
    FAULT(e->c, e->c->p, "expected %s, found the end of the %s", missing, e->one_line ? "line" : "file: it is cut off");
}

/* Reads on: a bracket, or a form without any. True at the end of a form. */
static bool step(struct edn *e, struct stack *s)
{
    const char *from = e->c->p;
    switch (*from) {
    case '[': open_bracket(e, s, EDN_VECTOR, ']', from); return false;
    case '(': open_bracket(e, s, EDN_LIST, ')', from); return false;
    case '{': open_bracket(e, s, EDN_MAP, '}', from); return false;
    case ']':
    case ')':
    case '}': close_bracket(e, s); return true;
    case '#': return dispatch(e, s);
    case '"': string(e); return true;
    case ':':
        if (e->json) { /* between a key and its value */
            e->c->p++;
            return false;
        }
        keyword(e);
        return true;
    case '\\': character(e); return true;
    case '^': /* metadata: a form that says something about the next one */
        open_frame(e, s, CLOSE_DISCARD, from);
        e->c->p++;
        return false;
    default: atom(e); return true;
    }
}

uint32_t edn_read(struct edn *e)
{
    struct stack s; /* its frames are not cleared for each form */
    s.n = 0;
    uint32_t root = e->nodes.n;
    for (;;) {
        if (!edn_space(e)) {
            if (s.n)
                cut_off(e, &s);
            return ID_NONE;
        }
        char ch = *e->c->p;
        if (!s.n && (ch == ']' || ch == ')' || ch == '}'))
            return ID_NONE;
        if (step(e, &s) && form_ended(e, &s) && !s.n)
            return root;
    }
}

/* ---- looking at forms ---- */

uint32_t edn_untag(const struct edn *e, uint32_t node)
{
    while (e->nodes.at[node].kind == EDN_TAG)
        node++;
    return node;
}

bool edn_is_sequence(const struct edn *e, uint32_t node)
{
    return e->nodes.at[node].kind == EDN_VECTOR || e->nodes.at[node].kind == EDN_LIST;
}

uint32_t edn_child(const struct edn *e, uint32_t node, uint32_t i)
{
    uint32_t end = e->nodes.at[node].end, child = node + 1;
    while (child < end && i--)
        child = e->nodes.at[child].end;
    return child < end ? child : ID_NONE;
}

uint32_t edn_count(const struct edn *e, uint32_t node)
{
    uint32_t count = 0;
    for (uint32_t i = node + 1; i < e->nodes.at[node].end; i = e->nodes.at[i].end)
        count++;
    return count;
}

uint32_t edn_behind(const struct edn *e, uint32_t map, uint32_t key)
{
    uint32_t value = e->nodes.at[key].end;
    if (value >= e->nodes.at[map].end)
        EDN_FAULT_REMEDY(e, key, "keys and values take turns: one before this may be missing, or have a blank in it",
                         "expected a value behind this key");
    return value;
}

void edn_second(const struct edn *e, uint32_t key)
{
    EDN_FAULT_REMEDY(e, key, "a map has a key once", "a second %s%.*s in one map", e->json ? "" : ":",
                     (int)e->nodes.at[key].length, edn_text(e, key));
}

uint32_t edn_lookup(const struct edn *e, uint32_t map, const char *keyword)
{
    uint32_t found = ID_NONE;
    if (e->nodes.at[map].kind != EDN_MAP)
        return ID_NONE;
    for (uint32_t key = map + 1; key < e->nodes.at[map].end;) {
        uint32_t value = edn_behind(e, map, key);
        if (edn_is(e, key, EDN_KEYWORD, keyword)) {
            if (found != ID_NONE)
                edn_second(e, key);
            found = value;
        }
        key = e->nodes.at[value].end;
    }
    return found;
}

struct value edn_value(const struct edn *e, uint32_t node, history *h, const char *what)
{
    node = edn_untag(e, node);
    const struct edn_node *n = &e->nodes.at[node];
    uint8_t kind = ASSAY_STRING; /* also of a/b and :17, which are no words of ours */
    switch (n->kind) {
    case EDN_NIL: return (struct value){history_name(h, "nil", 3), ASSAY_WORD};
    case EDN_INT: return (struct value){n->integer, ASSAY_INT, n->notation};
    case EDN_STRING: break;
    case EDN_SYMBOL:
        if (token_begins_like_number(edn_text(e, node), edn_text(e, node) + n->length))
            cursor_warn_number_like(e->c, n->at, edn_text(e, node), n->length);
        /* fall through */
    case EDN_KEYWORD: kind = token_is_word(edn_text(e, node), n->length) ? ASSAY_WORD : kind; break;
    default: EDN_FAULT(e, node, "expected %s, found a collection", what);
    }
    return (struct value){history_name(h, edn_text(e, node), n->length), kind};
}

struct value edn_list(const struct edn *e, uint32_t node, history *h)
{
    struct value list = {lists_empty(&h->mem, &h->lists), ASSAY_LIST};
    for (uint32_t i = node + 1; i < e->nodes.at[node].end; i = e->nodes.at[i].end)
        list = history_longer(h, list, edn_value(e, i, h, "an element of a list"));
    return list;
}
