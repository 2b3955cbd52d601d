/* SPDX-License-Identifier: Apache-2.0 */
/* The common lines of a stream, taken at first sight.
 *
 * The bytes read always end in a line feed, which is no part of a token. So no test for the end of the buffer is
 * needed. Nothing is changed before the whole line is known to be a call or return that the object can have. */
#include "monitor/feed.h"

#include "base/error.h"
#include "base/json.h"
#include "base/notation.h"

#include <inttypes.h>
#include <string.h>

enum { DIGIT = 1, LETTER = 2, DOT = 4, WORD_CHAR = DIGIT | LETTER | DOT };

/* The characters of words, as far as they are ASCII. A minus may begin a number: words with one are left to
 * stream_line.c if they begin with it. */
static const uint8_t class_of[256] = {
    ['0'] = DIGIT,  ['1'] = DIGIT,  ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,
    ['7'] = DIGIT,  ['8'] = DIGIT,  ['9'] = DIGIT,  ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER, ['d'] = LETTER,
    ['e'] = LETTER, ['f'] = LETTER, ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER,
    ['l'] = LETTER, ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER,
    ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER, ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER, ['y'] = LETTER,
    ['z'] = LETTER, ['A'] = LETTER, ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER, ['E'] = LETTER, ['F'] = LETTER,
    ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER, ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER,
    ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER, ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER,
    ['U'] = LETTER, ['V'] = LETTER, ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER, ['_'] = LETTER,
    ['-'] = LETTER, ['.'] = DOT,
};

static uint8_t class_at(const char *p)
{
    return class_of[(unsigned char)*p];
}

/* A run of characters of these classes, of at most 8 bytes: an id, whose length is 0 if there is none. */
static struct id packed(const char *p, uint8_t classes)
{
    struct id id = {.text = p};
    for (; class_at(p) & classes; p++)
        id.key = id.key << 8 | (unsigned char)*p;
    size_t length = (size_t)(p - id.text);
    id.length = length <= ID_PACKED ? (uint32_t)length : 0;
    return id;
}

/* 0x1f; p is in it. NULL: no integer. */
static const char *hexadecimal(const char *from, const char *p, struct value *out)
{
    while (class_at(p) & WORD_CHAR || (unsigned char)*p >= 0x80)
        p++;
    *out = (struct value){.kind = ASSAY_INT};
    return notation_is_hex(from, p) && notation_read(from, p, &out->bits, &out->notation) ? p : NULL;
}

/* An integer, in decimal of at most 18 digits, or a word that begins with a letter. NULL: something else. */
static const char *value(struct feed *f, const char *p, struct value *out)
{
    const char *from = p;
    bool negative = *p == '-';
    p += negative;
    if (!(class_at(p) & DIGIT)) {
        if (negative || !(class_at(p) & LETTER))
            return NULL;
        while (class_at(p) & WORD_CHAR)
            p++;
        *out = (struct value){symbols_put(&f->m->symbols, from, (size_t)(p - from)), ASSAY_WORD};
        return p;
    }
    int64_t number = 0;
    const char *digits = p;
    for (; class_at(p) & DIGIT; p++)
        number = (int64_t)((uint64_t)number * 10 + (uint64_t)(*p - '0'));
    if (p == digits + 1 && *digits == '0' && (*p == 'x' || *p == 'X'))
        return hexadecimal(from, p, out);
    if (p - digits > 18 || class_at(p) & WORD_CHAR)
        return NULL;
    *out = (struct value){negative ? -number : number, ASSAY_INT};
    return p;
}

/* Behind the line's end, or NULL. */
static const char *behind(const char *p)
{
    p += *p == '\r';
    return *p == '\n' ? p + 1 : NULL;
}

enum { MOST_ARGUMENTS = 4 };

/* (1, x), (), or nothing. Behind it, or NULL. */
static const char *arguments(struct feed *f, const char *p, struct value args[MOST_ARGUMENTS], uint32_t *arity)
{
    *arity = 0;
    if (*p != '(')
        return p;
    if (*++p == ')')
        return p + 1;
    for (;; p++) {
        p += *p == ' ';
        if (*arity == MOST_ARGUMENTS || !(p = value(f, p, &args[(*arity)++])))
            return NULL;
        if (*p == ')')
            return p + 1;
        if (*p != ',')
            return NULL;
    }
}

/* `enq(5)`, behind `[12] call `. */
static const char *call(struct feed *f, struct id id, const char *p)
{
    struct monitor *m = f->m;
    struct value args[MOST_ARGUMENTS];
    uint32_t arity;
    struct id name = packed(p, DIGIT | LETTER);
    if (!name.length || m->single == ID_NONE)
        return NULL;
    bool brackets = p[name.length] == '(';
    p = arguments(f, p + name.length, args, &arity);
    p = p ? behind(p) : NULL;
    if (!p)
        return NULL;
    struct watch *w = &m->watches.at[m->single];
    const assay_method *method = watch_method(w, name);
    if (!method || !monitor_fits_call(m, w, method, args, arity) || slots_find(&m->slots, id) != ID_NONE)
        return NULL;
    if (brackets && m->notation == NOTATION_OPEN)
        m->notation = NOTATION_BRACKETS;
    monitor_call(m, id, m->single, method, args, arity);
    return p;
}

/* ` 5`, behind `[12] return`. */
static const char *result(struct feed *f, struct id id, const char *p)
{
    struct monitor *m = f->m;
    struct value v = {0};
    if (*p == ' ' && !(p = value(f, p + 1, &v)))
        return NULL;
    p = behind(p);
    uint32_t slot = p ? slots_find(&m->slots, id) : ID_NONE;
    if (slot == ID_NONE || !monitor_fits_result(m, slot, v))
        return NULL;
    monitor_return(m, slot, v);
    return p;
}

/* Behind the line, or NULL: it is not for here, and nothing has been done. */
static const char *at_first_sight(struct feed *f, const char *p)
{
    if (*p != '[')
        return NULL;
    struct id id = packed(p + 1, WORD_CHAR);
    p += 1 + id.length;
    if (!id.length || *p++ != ']' || *p++ != ' ')
        return NULL;
    if (p[0] == 'c' && p[1] == 'a' && p[2] == 'l' && p[3] == 'l' && p[4] == ' ')
        return call(f, id, p + 5);
    if (p[0] == 'r' && p[1] == 'e' && p[2] == 't' && p[3] == 'u' && p[4] == 'r' && p[5] == 'n')
        return result(f, id, p + 6);
    return NULL;
}

/* Lines, up to `end`, behind a line feed. */
static void lines(struct feed *f, const char *p, const char *end)
{
    struct monitor *m = f->m;
    while (p < end && !m->stopped) {
        m->line++;
        const char *next = at_first_sight(f, p);
        if (!next) {
            const char *feed = memchr(p, '\n', (size_t)(end - p));
            next = feed + 1;
            line_read(f, p, (size_t)(feed - p));
        }
        p = next;
    }
}

/* Keeps a line's beginning, if it is not too long. */
static void keep(struct feed *f, const char *p, size_t n)
{
    if (f->skipping)
        return;
    if (f->begun.n + n <= INPUT_LONGEST_LINE) {
        text_add(&f->begun, p, n);
        return;
    }
    mem_free(f->begun.mem, f->begun.at);
    f->begun = text_in(f->begun.mem);
    f->skipping = true;
    f->m->line++;
    error_set(&f->fault, ASSAY_ERROR_INPUT, "the line is longer than %d MiB", INPUT_LONGEST_LINE / 1024 / 1024);
    error_remedy(&f->fault, "is this a text with one event a line?");
    error_place(&f->fault, input_name(f->in), f->m->line, 1);
    line_fault(f);
}

void feed_bytes(struct feed *f, const char *bytes, size_t n)
{
    const char *end = bytes + n, *last = end;
    while (last > bytes && last[-1] != '\n')
        last--;
    if (last > bytes && (f->begun.n || f->skipping)) { /* the end of the line that had begun */
        const char *feed = memchr(bytes, '\n', n);
        keep(f, bytes, (size_t)(feed + 1 - bytes));
        bytes = feed + 1;
        if (!f->skipping)
            lines(f, f->begun.at, f->begun.at + f->begun.n);
        f->begun.n = 0;
        f->skipping = false;
    }
    lines(f, bytes, last);
    if (last < end && !f->m->stopped)
        keep(f, last, (size_t)(end - last));
}

/* A line without its end may be cut: `return 5` of `return 55`. An object of JSON that is closed is whole. So is one
 * with a fault before its end, which is then reported. */
static bool is_whole(struct feed *f)
{
    assay_error fault = {0};
    struct json json = {f->begun.at, f->begun.at, &fault};
    if (*json_peek(&json) != '{')
        return false;
    return (json_skip(&json) && json_end(&json)) || fault.column <= strlen(f->begun.at);
}

/* No event has come, and this is no text: the file is of another kind. Behind events a crash leaves zeros. */
static bool is_binary(struct feed *f)
{
    if (!f->begun.n || f->m->stats.events || !memchr(f->begun.at, '\0', f->begun.n))
        return false;
    error_set(&f->fault, ASSAY_ERROR_INPUT, "this is binary data: a monitor reads events as text, one a line");
    error_remedy(&f->fault, "`assay check` reads binary logs of Cobra and dbcop");
    error_place(&f->fault, input_name(f->in), f->m->line + 1, 1);
    line_fault(f);
    return true;
}

void feed_end(struct feed *f)
{
    const char *text = f->begun.n ? f->begun.at : "";
    bool blank = strspn(text, " \t\r") == f->begun.n;
    if (!blank && !f->m->stopped && !is_binary(f)) {
        if (is_whole(f)) {
            text_char(&f->begun, '\n');
            lines(f, f->begun.at, f->begun.at + f->begun.n);
        } else {
            warn(&f->warnings, "%s:%" PRIu64 ": the last line has no end and is dropped: the stream may be cut",
                 input_name(f->in), f->m->line + 1);
            line_warn(f);
        }
    }
    f->begun.n = 0;
}

void feed_free(struct feed *f)
{
    input_close(f->in);
    history_free(f->names);
    mem_release(&f->warnings.mem);
}
