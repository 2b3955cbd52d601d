/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool json_fail(const struct json *j, const char *at, const char *format, ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    error_set(j->error, ASSAY_ERROR_INPUT, "%s", message);
    error_place(j->error, NULL, 0, (uint64_t)(at - j->start) + 1);
    return false;
}

/* The byte at the cursor is not the expected one. */
static bool unexpected(const struct json *j, const char *expected)
{
    unsigned char c = (unsigned char)*j->at;
    if (c == '\0')
        return json_fail(j, j->at, "expected %s, found the end of the line", expected);
    if (c > 0x20 && c < 0x7f)
        return json_fail(j, j->at, "expected %s, found '%c'", expected, c);
    return json_fail(j, j->at, "expected %s, found the byte 0x%02x", expected, c);
}

const char *json_peek(struct json *j)
{
    while (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r')
        j->at++;
    return j->at;
}

bool json_take(struct json *j, char c)
{
    if (*json_peek(j) != c)
        return false;
    j->at++;
    return true;
}

bool json_expect(struct json *j, char c)
{
    char quoted[] = {'\'', c, '\'', '\0'};
    return json_take(j, c) || unexpected(j, quoted);
}

enum json_next json_next(struct json *j, char close, bool first)
{
    if (json_take(j, close))
        return JSON_END;
    if (first || json_take(j, ','))
        return JSON_ITEM;
    char expected[] = "',' or ' '";
    expected[sizeof expected - 3] = close;
    unexpected(j, expected);
    return JSON_BAD;
}

bool json_text(struct json *j, char *text, size_t size, const char *what)
{
    if (*json_peek(j) != '"')
        return unexpected(j, what);
    size_t n = 0;
    for (j->at++; *j->at != '"'; j->at++) {
        unsigned char c = (unsigned char)*j->at;
        if (c < 0x20 || c == '\\' || n == size - 1)
            return json_fail(j, j->at, "expected the end of %s", what);
        text[n++] = (char)c;
    }
    text[n] = '\0';
    j->at++;
    return true;
}

/* ---- numbers and literals ---- */

static const char *digits_end(const char *p, const char *to)
{
    while (p < to && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* Is it a number of RFC 8259? */
static bool is_number(const char *p, const char *to)
{
    p += p < to && *p == '-';
    const char *whole = digits_end(p, to);
    if (whole == p || (*p == '0' && whole - p > 1))
        return false;
    p = whole;
    if (p < to && *p == '.') {
        const char *fraction = p + 1;
        p = digits_end(fraction, to);
        if (p == fraction)
            return false;
    }
    if (p < to && (*p == 'e' || *p == 'E')) {
        p++;
        p += p < to && (*p == '-' || *p == '+');
        const char *exponent = p;
        p = digits_end(exponent, to);
        if (p == exponent)
            return false;
    }
    return p == to;
}

static bool is_one_of(const char *from, const char *to, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == (size_t)(to - from) && memcmp(*words, from, (size_t)(to - from)) == 0)
            return true;
    return false;
}

const char *json_scalar_fault(const char *from, const char *to, const char **remedy)
{
    static const char *const literals[] = {"true", "false", "null", NULL};
    static const char *const others[] = {"True", "False", "None", "nil", "NULL", "undefined", NULL};
    static const char *const no_numbers[] = {"NaN", "nan", "Infinity", "inf", NULL};
    if (is_one_of(from, to, literals) || is_number(from, to))
        return NULL;
    const char *p = from + (from < to && (*from == '-' || *from == '+')), *whole = digits_end(p, to);
    *remedy = "put it in quotation marks: it is a word or a string then";
    if (is_one_of(p, to, no_numbers))
        return "JSON has neither NaN nor infinity";
    if (to - p > 1 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        *remedy = "write it in decimal, or put it in quotation marks: it is a string then";
        return "JSON has no hexadecimal numbers";
    }
    if (whole - p > 1 && *p == '0') {
        *remedy = "leave the zeros out, or put it in quotation marks: it is a string then";
        return "a number of JSON has no zeros in front";
    }
    if (*from == '+' && whole > p) {
        *remedy = "leave the + out";
        return "a number of JSON has no + in front";
    }
    if (whole < to && *whole == '.' && (whole == p || digits_end(whole + 1, to) == whole + 1)) {
        *remedy = "write 0.5 and 1.0, not .5 and 1.";
        return "a number of JSON has digits before its point and behind it";
    }
    if (is_one_of(from, to, others))
        *remedy = "JSON spells them so, and null stands for nothing";
    return "expected a number, a string, true, false or null";
}

static const char *scalar_end(const char *p)
{
    return p + strcspn(p, ",:[]{}\" \t\r\n");
}

static bool scalar_fail(const struct json *j, const char *start)
{
    const char *remedy = "", *fault = json_scalar_fault(start, scalar_end(start), &remedy);
    json_fail(j, start, "%s", fault);
    error_remedy(j->error, "%s", remedy);
    return false;
}

bool json_number(struct json *j, uint32_t *number)
{
    const char *start = json_peek(j);
    uint64_t value = 0;
    while (*j->at >= '0' && *j->at <= '9' && value < UINT32_MAX)
        value = value * 10 + (uint64_t)(*j->at++ - '0');
    if (j->at == start)
        return unexpected(j, "a number");
    if (*start == '0' && j->at - start > 1)
        return scalar_fail(j, start);
    if (value >= UINT32_MAX)
        return json_fail(j, start, "expected a number from 0 to %u", UINT32_MAX - 1);
    *number = (uint32_t)value;
    return true;
}

/* From the opening quotation mark to behind the closing one. */
static bool skip_string(struct json *j)
{
    for (j->at++; *j->at != '"'; j->at++) {
        if (*j->at == '\\')
            j->at++;
        if (!*j->at)
            return unexpected(j, "a closing quotation mark");
    }
    j->at++;
    return true;
}

/* A number or a literal. One at the end of the text is cut off; the missing bracket is reported then. */
static bool skip_scalar(struct json *j)
{
    const char *start = j->at, *remedy;
    j->at = scalar_end(start);
    if (j->at == start)
        return unexpected(j, "a value");
    return !*j->at || !json_scalar_fault(start, j->at, &remedy) || scalar_fail(j, start);
}

bool json_skip(struct json *j)
{
    char close[JSON_DEPTH];
    int depth = 0;
    bool value = true; /* a value must come next, not a comma or a closing bracket */
    do {
        char c = *json_peek(j);
        if (c == '{' || c == '[') {
            if (depth == JSON_DEPTH)
                return json_fail(j, j->at, "more than %d brackets in each other", JSON_DEPTH);
            close[depth++] = c == '{' ? '}' : ']';
            j->at++;
            value = !json_take(j, close[depth - 1]);
            depth -= !value;
        } else if (depth && !value && c == close[depth - 1]) {
            depth--;
            j->at++;
        } else if (depth && !value) {
            if (!json_expect(j, ','))
                return false;
            value = true;
        } else if (!(c == '"' ? skip_string(j) : skip_scalar(j))) {
            return false;
        } else {
            /* a key is like a value, with a value behind it */
            value = depth && close[depth - 1] == '}' && c == '"' && json_take(j, ':');
        }
    } while (depth || value);
    return true;
}

bool json_end(struct json *j)
{
    return *json_peek(j) == '\0' || unexpected(j, "the end of the line");
}

bool json_literal(struct json *j, const char *word)
{
    const char *at = json_peek(j);
    if (strncmp(at, word, strlen(word)) != 0)
        return false;
    j->at = at + strlen(word);
    return true;
}
