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

bool json_number(struct json *j, uint32_t *number)
{
    const char *start = json_peek(j);
    uint64_t value = 0;
    while (*j->at >= '0' && *j->at <= '9' && value < UINT32_MAX)
        value = value * 10 + (uint64_t)(*j->at++ - '0');
    bool padded = *start == '0' && j->at - start > 1;
    if (j->at == start)
        return unexpected(j, "a number");
    if (padded || value >= UINT32_MAX)
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

/* A number or a literal. */
static bool skip_scalar(struct json *j)
{
    const char *start = j->at;
    while ((*j->at >= '0' && *j->at <= '9') || (*j->at >= 'a' && *j->at <= 'z') || *j->at == '-' || *j->at == '+' ||
           *j->at == '.' || *j->at == 'E')
        j->at++;
    return j->at > start || unexpected(j, "a value");
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
