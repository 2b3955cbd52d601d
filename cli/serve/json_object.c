/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/json_object.h"

#include "characters.h"

#include <string.h>

/* Each function takes a pointer to a token and returns the place behind it, or NULL. The NUL at the end is no part of
 * any token, so nothing reads on behind it. */

static const char *blank(const char *p)
{
    return p + strspn(p, " \t");
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *digits(const char *p)
{
    if (!digit(*p))
        return NULL;
    while (digit(*p))
        p++;
    return p;
}

static const char *number(const char *p)
{
    p += *p == '-';
    p = *p == '0' ? p + 1 : digits(p);
    if (p && *p == '.')
        p = digits(p + 1);
    if (p && (*p == 'e' || *p == 'E')) {
        p++;
        p = digits(p + (*p == '+' || *p == '-'));
    }
    return p;
}

static const char *string(const char *p)
{
    if (*p++ != '"')
        return NULL;
    while (*p != '"') {
        if ((unsigned char)*p < ' ')
            return NULL;
        if (*p++ != '\\')
            continue;
        if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") >= 4)
            p += 5;
        else if (*p && strchr("\"\\/bfnrt", *p))
            p++;
        else
            return NULL;
    }
    return p + 1;
}

static const char *value(const char *p, unsigned depth);

static const char *member(const char *p, unsigned depth)
{
    p = string(p);
    if (!p || *(p = blank(p)) != ':')
        return NULL;
    return value(blank(p + 1), depth);
}

/* Behind the opening bracket. */
static const char *items(const char *p, char close, const char *(*item)(const char *, unsigned), unsigned depth)
{
    p = blank(p);
    if (*p == close)
        return p + 1;
    while (depth < JSON_OBJECT_DEPTH && (p = item(p, depth + 1))) {
        p = blank(p);
        if (*p == close)
            return p + 1;
        if (*p != ',')
            return NULL;
        p = blank(p + 1);
    }
    return NULL;
}

static const char *literal(const char *p, const char *word)
{
    size_t n = strlen(word);
    return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static const char *value(const char *p, unsigned depth)
{
    switch (*p) {
    case '{': return items(p + 1, '}', member, depth);
    case '[': return items(p + 1, ']', value, depth);
    case '"': return string(p);
    case 't': return literal(p, "true");
    case 'f': return literal(p, "false");
    case 'n': return literal(p, "null");
    default: return number(p);
    }
}

bool json_object(const char *text, size_t n)
{
    const char *p = blank(text);
    if (*p != '{' || !text_is_utf8(text, n))
        return false;
    p = value(p, 0);
    return p && blank(p) == text + n;
}
