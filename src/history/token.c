/* SPDX-License-Identifier: Apache-2.0 */
#include "history/token.h"

#include "base/notation.h"

#include <stdio.h>
#include <string.h>

void token_number_like(const char *word, size_t length, char out[HISTORY_WARNING])
{
    snprintf(
        out, HISTORY_WARNING,
        "%.*s is a word, compared letter by letter, though it begins like a number (integers are decimal, as 1000, "
        "or hexadecimal, as 0x3e8; put a text in quotation marks)",
        (int)(length < 40 ? length : 40), word);
}

/* A run that is not digits alone: a hexadecimal integer, or a word. */
static bool hex_or_word(history *h, const char *from, const char *to, struct value *out, const char **expected)
{
    if (!notation_is_hex(from, to)) {
        *out = (struct value){history_name(h, from, (size_t)(to - from)), ASSAY_WORD};
        if (token_begins_like_number(from, to))
            h->number_like = from;
        return true;
    }
    *out = (struct value){.kind = ASSAY_INT};
    *expected = "a hexadecimal integer of 64 bits (quote longer numbers as strings)";
    return notation_read(from, to, &out->bits, &out->notation);
}

/* A run of word characters: an integer if it is digits with an optional sign and fits, else a word. */
static bool run_value(history *h, const char *from, const char *to, struct value *out, const char **expected)
{
    const char *p = from;
    int64_t integer;
    if (from + (*from == '-') == to) {
        *expected = "an integer behind the minus (a text is put in quotation marks)";
        return false;
    }
    bool fits = notation_decimal(&p, to, &integer);
    if (p < to)
        return hex_or_word(h, from, to, out, expected);
    *expected = "an integer of 64 bits (quote longer numbers as strings)";
    *out = (struct value){integer, ASSAY_INT};
    return fits;
}

bool token_is_word(const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    bool digits = true;
    if (p < end && *p == '-')
        p++;
    if (p == end)
        return false;
    for (; p < end; p++) {
        if (!token_is_word_char((unsigned char)*p))
            return false;
        digits &= *p >= '0' && *p <= '9';
    }
    return !digits && !notation_is_hex(text, end);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The four digits of \uXXXX at p, or -1. */
static long hex4(const char *p, const char *end)
{
    long code = 0;
    if (end - p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(p[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static void put_utf8(struct text *t, long code)
{
    if (code < 0x80) {
        text_char(t, (char)code);
    } else if (code < 0x800) {
        text_char(t, (char)(0xC0 | code >> 6));
        text_char(t, (char)(0x80 | (code & 0x3F)));
    } else if (code < 0x10000) {
        text_char(t, (char)(0xE0 | code >> 12));
        text_char(t, (char)(0x80 | (code >> 6 & 0x3F)));
        text_char(t, (char)(0x80 | (code & 0x3F)));
    } else {
        text_char(t, (char)(0xF0 | code >> 18));
        text_char(t, (char)(0x80 | (code >> 12 & 0x3F)));
        text_char(t, (char)(0x80 | (code >> 6 & 0x3F)));
        text_char(t, (char)(0x80 | (code & 0x3F)));
    }
}

bool token_unescape(const char **at, const char *end, struct text *t)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *p = *at;
    if (p == end)
        return false;
    const char *known = *p ? strchr(plain, *p) : NULL;
    if (known) {
        text_char(t, meant[known - plain]);
        *at = p + 1;
        return true;
    }
    if (*p != 'u')
        return false;
    long code = hex4(p + 1, end);
    if (code < 0)
        return false;
    p += 5;
    if (code >= 0xD800 && code < 0xDC00) { /* the first half of a surrogate pair */
        long low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? hex4(p + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF)
            return false;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        p += 6;
    } else if (code >= 0xDC00 && code < 0xE000) {
        return false;
    }
    put_utf8(t, code);
    *at = p;
    return true;
}

static bool string_value(history *h, const char **at, const char *end, struct value *out, const char **expected)
{
    const char *p = *at + 1;
    const char *from = p;
    while (p < end && *p != '"' && *p != '\\')
        p++;
    if (p < end && *p == '"') { /* the common case: nothing escaped */
        *out = (struct value){history_name(h, from, (size_t)(p - from)), ASSAY_STRING};
        *at = p + 1;
        return true;
    }
    struct text text = text_in(&h->mem);
    text_add(&text, from, (size_t)(p - from));
    while (p < end && *p != '"') {
        if (*p == '\\') {
            const char *escape = p++;
            if (!token_unescape(&p, end, &text)) {
                *expected = "a JSON escape such as \\n, \\\" or \\u00e9";
                *at = escape;
                mem_free(&h->mem, text.at);
                return false;
            }
        } else {
            text_char(&text, *p++);
        }
    }
    if (p == end) {
        *expected = "a closing quotation mark";
        *at = p;
        mem_free(&h->mem, text.at);
        return false;
    }
    *out = (struct value){history_name(h, text_get(&text), text.n), ASSAY_STRING};
    mem_free(&h->mem, text.at);
    *at = p + 1;
    return true;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

static bool stop(const char **at, const char *where, const char **expected, const char *text)
{
    *at = where;
    *expected = text;
    return false;
}

/* Behind an element: a blank, a comma with one behind it, or the end of the list. */
static bool separator(const char **at, const char *end, const char **expected)
{
    const char *p = skip_blanks(*at, end);
    bool comma = p < end && *p == ',';
    p = skip_blanks(p + comma, end);
    if (p == end || (*p != ']' && p == *at))
        return stop(at, p, expected, "a blank, `,` or `]` behind the element of a list");
    if (comma && *p == ']')
        return stop(at, p, expected, "an element behind the comma");
    *at = p;
    return true;
}

/* `[1 2 3]`, `[1, 2, 3]`; *at is at the bracket. */
static bool list(history *h, const char **at, const char *end, struct value *out, const char **expected)
{
    struct value element;
    *at = skip_blanks(*at + 1, end);
    *out = (struct value){lists_empty(&h->mem, &h->lists), ASSAY_LIST};
    while (*at < end && **at != ']') {
        if (**at == '[')
            return stop(at, *at, expected, "an element that is no list");
        if (!token_value(h, at, end, &element, expected) || !separator(at, end, expected))
            return false;
        *out = history_longer(h, *out, element);
    }
    if (*at == end)
        return stop(at, end, expected, "`]` at the end of the list");
    ++*at;
    return true;
}

bool token_value(history *h, const char **at, const char *end, struct value *out, const char **expected)
{
    const char *from = *at;
    if (from < end && *from == '[')
        return list(h, at, end, out, expected);
    if (from < end && *from == '"')
        return string_value(h, at, end, out, expected);
    const char *to = from;
    while (to < end && token_is_word_char((unsigned char)*to))
        to++;
    if (to == from) {
        *expected = from < end && *from == '+' ? "an integer without a plus in front"
                                               : "a value: an integer, a word, a \"string\" or a [list]";
        return false;
    }
    if (!run_value(h, from, to, out, expected))
        return false;
    *at = to;
    return true;
}

static void print_list(struct text *t, const history *h, const struct list_value *l)
{
    const struct list_value **elements = list_elements(l, t->mem);
    text_char(t, '[');
    for (uint32_t i = 0; i < l->length; i++) {
        text_puts(t, i ? " " : "");
        token_print(t, h, elements[i]->last);
    }
    text_char(t, ']');
    mem_free(t->mem, elements);
}

void token_print(struct text *t, const history *h, struct value v)
{
    switch (v.kind) {
    case ASSAY_INT: text_integer(t, v.bits, v.notation); break;
    case ASSAY_WORD: text_puts(t, history_text(h, (uint32_t)v.bits)); break;
    case ASSAY_STRING: {
        const struct name *name = &h->names.all.at[v.bits];
        text_json(t, name->text, name->length);
        break;
    }
    case ASSAY_LIST: print_list(t, h, h->lists.all.at[v.bits]); break;
    default: text_puts(t, "?");
    }
}

void token_print_op(struct text *t, const history *h, uint32_t op)
{
    bool txn = token_is_txn(h, h->method[op]);
    text_puts(t, history_text(h, h->threads.at[h->thread[op]].name));
    text_puts(t, ": ");
    if (history_object_of(h, op) != ID_NONE) {
        text_puts(t, history_text(h, history_object_of(h, op)));
        text_char(t, '.');
    }
    text_puts(t, history_text(h, h->method[op]));
    text_char(t, '(');
    for (uint32_t i = 0; i < history_arity(h, op); i++) {
        if (i)
            text_puts(t, txn && i % 3 ? " " : ", ");
        token_print(t, h, history_written(h, op, i));
    }
    text_char(t, ')');
    struct value result = history_written_result(h, op);
    if (history_pending(h, op)) {
        text_puts(t, " => ?");
    } else if (result.kind != ASSAY_NONE) {
        text_puts(t, " => ");
        token_print(t, h, result);
    }
}
