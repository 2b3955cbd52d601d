/* SPDX-License-Identifier: Apache-2.0 */
/* JSON, as far as evidence and logs need it: objects, arrays, names and numbers. It is read in one pass from a text
 * that ends in a NUL. There is no tree: the caller asks for the next item. So the depth is that of the caller's own
 * code, and numbers go straight to their places. */
#ifndef ASSAY_BASE_JSON_H
#define ASSAY_BASE_JSON_H

#include "assay.h"

struct json {
    const char *start, *at;
    assay_error *error;
};

enum { JSON_NAME = 32 };  /* longer names of keys and the like are none of ours */
enum { JSON_DEPTH = 64 }; /* brackets in brackets that json_skip follows */

enum json_next { JSON_ITEM, JSON_END, JSON_BAD };

/* ASSAY_ERROR_INPUT with this message and the column of `at`; always false. */
bool json_fail(const struct json *j, const char *at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The next token, as a pointer to its first byte. */
const char *json_peek(struct json *j);
/* Takes the punctuation c if it is next. */
bool json_take(struct json *j, char c);
bool json_expect(struct json *j, char c);
/* Takes the word if it is next. */
bool json_literal(struct json *j, const char *word);
/* After the opening bracket, and after each item: does another one follow, or the closing
 * bracket? */
enum json_next json_next(struct json *j, char close, bool first);
/* A string without escapes, of less than `size` bytes. `what` is for the message. */
bool json_text(struct json *j, char *text, size_t size, const char *what);
static inline bool json_name(struct json *j, char name[JSON_NAME], const char *what)
{
    return json_text(j, name, JSON_NAME, what);
}
/* 0 .. UINT32_MAX - 1: the largest number stands for "none" wherever ids are used. */
bool json_number(struct json *j, uint32_t *number);
/* Any value, read over: brackets must match, numbers and literals are JSON's, escapes are not looked into. */
bool json_skip(struct json *j);
/* Is the text from..to a number, true, false or null? NULL: it is. Else a message, and its remedy. */
const char *json_scalar_fault(const char *from, const char *to, const char **remedy);
bool json_end(struct json *j);

#endif
