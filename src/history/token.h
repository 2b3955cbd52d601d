/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens of the native text: integers, words and strings, and how they are printed. */
#ifndef ASSAY_HISTORY_TOKEN_H
#define ASSAY_HISTORY_TOKEN_H

#include "base/text.h"
#include "history/history.h"

static inline bool token_is_word_char(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || c >= 0x80;
}

/* 1_000, 12ab, -3x, .5: a word, but perhaps meant as a number. */
static inline bool token_begins_like_number(const char *from, const char *to)
{
    from += from < to && *from == '-';
    from += from < to && *from == '.';
    return from < to && *from >= '0' && *from <= '9';
}

/* The warning of such a word, of which 40 bytes are shown. */
void token_number_like(const char *word, size_t length, char out[HISTORY_WARNING]);

/* Reads one value at *at, before end, and moves *at behind it. On failure *at is at the fault and *expected names the
 * expected text. Never reads beyond end. A word that begins like a number is noted in h->number_like. */
bool token_value(history *h, const char **at, const char *end, struct value *out, const char **expected);

/* The escape of JSON behind a backslash, at *at, which moves behind it. False: *at is at the fault. */
bool token_unescape(const char **at, const char *end, struct text *t);

/* Is the text a word, and not an integer? */
bool token_is_word(const char *text, size_t length);

/* Prints a value so that token_value reads it back. */
void token_print(struct text *t, const history *h, struct value v);

/* A transaction's arguments come in threes, which are printed without commas: `txn(r x 1, w y 2)`. */
static inline bool token_names_txn(const char *method)
{
    return method[0] == 't' && method[1] == 'x' && method[2] == 'n' && !method[3];
}
static inline bool token_is_txn(const history *h, uint32_t method)
{
    return token_names_txn(history_text(h, method));
}
/* Does the i-th of these accesses read? */
static inline bool token_reads(const history *h, uint32_t op, uint32_t i)
{
    struct value kind = history_arg(h, op, 3 * i);
    const char *word = kind.kind == ASSAY_WORD ? history_text(h, (uint32_t)kind.bits) : "";
    return word[0] == 'r' && !word[1];
}

/* Prints an operation as `thread: method(args) => result`. */
void token_print_op(struct text *t, const history *h, uint32_t op);

#endif
