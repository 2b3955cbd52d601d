/* SPDX-License-Identifier: Apache-2.0 */
/* A cursor: the position of a reader of text, line by line, and its messages about expected text.
 *
 * A line ends in a NUL that can be read, so reading one character never needs a test for the end. Functions that run
 * for every operation of a large file are inline. */
#ifndef ASSAY_FORMAT_CURSOR_H
#define ASSAY_FORMAT_CURSOR_H

#include "base/error.h"
#include "format/input.h"
#include "history/token.h"

#include <string.h>

struct place { /* from 1 */
    uint64_t line, column;
};

/* The lines of a file that a longer line was gathered from, each with the place of its first byte. */
struct pieces {
    struct mem *mem;
    struct piece {
        uint32_t offset; /* in the gathered line */
        struct place place;
    } * at;
    uint32_t n, cap;
};

void pieces_add(struct pieces *p, uint32_t offset, struct place place);
void pieces_clear(struct pieces *p);
void pieces_free(struct pieces *p);
struct place pieces_place(const struct pieces *p, uint64_t column); /* of the gathered line's column */

struct cursor {
    struct input *in;
    assay_error *e;
    struct warnings *warnings; /* or NULL */
    struct line line;
    const char *p;               /* where we are in the line */
    const struct pieces *pieces; /* that the line was gathered from; NULL: it is one of the file */
    bool open_end;               /* the line may go on (cursor_whole_line) */
};

/* The next line, with the cursor at its start, behind a byte order mark. Text that is not UTF-8
 * is a fault. False at the end of the input. */
bool cursor_line(struct cursor *c);
/* The same where a line says only by its end that it is whole: `return 5` may be the beginning of `return 55`. The
 * file's last line may go on if it has no end, and then the reader calls cursor_may_go_on. */
bool cursor_whole_line(struct cursor *c);
/* If the line may go on: notes the doubt in the history, with a warning, and that the operation (or ID_NONE) is in
 * doubt. `latest`: the line is an event, not earlier than those of the lines before. */
void cursor_may_go_on(struct cursor *c, history *h, enum doubt doubt, bool latest, uint32_t op);
/* As cursor_line, for a line that the caller has put into c->line. */
void cursor_begin(struct cursor *c);

/* ---- faults ---- */

_Noreturn void cursor_fault(struct cursor *c, const char *where); /* c->e has been filled in */

#define FAULT(c, where, ...) (error_set((c)->e, ASSAY_ERROR_INPUT, __VA_ARGS__), cursor_fault((c), (where)))
#define FAULT_REMEDY(c, where, remedy, ...)                                                                            \
    (error_set((c)->e, ASSAY_ERROR_INPUT, __VA_ARGS__), error_remedy((c)->e, "%s", remedy), cursor_fault((c), (where)))

static inline struct place place_of(const struct cursor *c, const char *where)
{
    uint64_t column = (uint64_t)(where - c->line.at) + 1;
    return c->pieces ? pieces_place(c->pieces, column) : (struct place){c->line.number, column};
}

void cursor_set_place(struct cursor *c, struct place at); /* of the fault that is in c->e */

#define FAULT_AT(c, at, ...)                                                                                           \
    (error_set((c)->e, ASSAY_ERROR_INPUT, __VA_ARGS__), cursor_set_place((c), (at)), cursor_fault((c), (c)->p))
#define FAULT_AT_REMEDY(c, at, remedy, ...)                                                                            \
    (error_set((c)->e, ASSAY_ERROR_INPUT, __VA_ARGS__), error_remedy((c)->e, "%s", remedy),                            \
     cursor_set_place((c), (at)), cursor_fault((c), (c)->p))

/* Warns of a word that begins like a number, once a file: it may have been meant as one. */
void cursor_warn_number_like(struct cursor *c, struct place at, const char *word, size_t length);

/* The same for the warnings that token_value has noted while the line was read. */
void cursor_warn_noted(struct cursor *c, history *h);

static inline void cursor_end_line(struct cursor *c, history *h)
{
    if (h->number_like)
        cursor_warn_noted(c, h);
}

/* ---- tokens ---- */

static inline void skip_space(struct cursor *c)
{
    while (*c->p == ' ' || *c->p == '\t')
        c->p++;
}

static inline bool at_end(const struct cursor *c) /* of the line, or at a comment */
{
    return c->p == c->line.end || *c->p == '#';
}

static inline bool at_digit(const struct cursor *c)
{
    return *c->p >= '0' && *c->p <= '9';
}

static inline const char *word(struct cursor *c, size_t *length)
{
    const char *from = c->p;
    while (token_is_word_char((unsigned char)*c->p))
        c->p++;
    *length = (size_t)(c->p - from);
    return from;
}

/* Is the text one word? */
static inline bool is_word(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && token_is_word_char((unsigned char)text[i]))
        i++;
    return i && i == length;
}

static inline bool take(struct cursor *c, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(c->p, text, n) != 0)
        return false;
    c->p += n;
    return true;
}

/* A fault unless only a comment follows; `expected` names the alternatives, or is empty. */
void cursor_expect_end(struct cursor *c, const char *expected);
int64_t cursor_integer(struct cursor *c, const char *what);
/* The same as a value, which may be hexadecimal. */
struct value cursor_number(struct cursor *c, const char *what);

#endif
