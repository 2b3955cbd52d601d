/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines: those that nearly all lines of a large file or stream are, read where they lie in a buffer, eight bytes
 * at a time. INPUT_BEHIND bytes can be read behind the last of them. hist_plain.h, jsonl_plain.h and edn_plain.h say
 * which lines are plain. Their names are ASCII, their integers decimal and short, and nothing is wrong with them.
 *
 * All other lines are left to the format's own reader, which alone reports faults. Such a line may have left names and
 * threads in the history. They are those that the reader finds first in it, so it makes the same numbers of them. */
#ifndef ASSAY_FORMAT_PLAIN_H
#define ASSAY_FORMAT_PLAIN_H

#include "format/input.h"
#include "format/seen.h"
#include "history/token.h"

/* Where lines are not plain, only some are tried. */
struct plain_wait {
    uint32_t wait, waited;
};
bool plain_wait_over(struct plain_wait *s);
void plain_waited(struct plain_wait *s, uint64_t lines); /* so many were plain */

/* Finds the meaning of a new word; false: it is of a kind that is left to the format's reader. */
typedef bool plain_learner(void *owner, const char *p, size_t length, uint32_t id[2]);
plain_learner plain_learn_thread, plain_learn_name; /* of a history */

struct plain_words { /* of one kind, and their meaning to the owner */
    void *owner;
    plain_learner *learn;
    struct seen known;
    uint32_t id[2]; /* the meaning of a long one */
};

struct plain_words plain_words_of(void *owner, plain_learner *learn, struct mem *m, unsigned bits);

struct plain_lines {
    struct input *in;
    history *h;
    struct plain_words threads, calls, words;
    struct arguments accesses; /* of the transaction at hand */
    struct plain_wait wait;
    uint32_t row; /* the first of these lines */
};

enum { PLAIN_FIRST_LINE = 128 }; /* operations before it; the tables cost as much as reading these */
/* Is it worth while to try the next line? What follows the thread is learnt so, and so are words that are values. */
bool plain_try(struct plain_lines *s, plain_learner *call, plain_learner *word);
/* So many bytes and lines were plain; the next line is not. */
void plain_skip(struct plain_lines *s, size_t bytes, uint64_t lines);
void plain_end(struct plain_lines *s);

enum { PLAIN_ARGUMENTS = 4, PLAIN_DIGITS = 18, PLAIN_LONGEST_WORD = 256 };

/* A line that is being read. p becomes NULL where a number is none. */
struct plain {
    const char *p;
    struct value args[PLAIN_ARGUMENTS];
    struct new_op op;
};

/* The arguments are not cleared: that would take longer than reading them. */
static inline void plain_begin(struct plain *l, const char *p, uint64_t line)
{
    l->p = p;
    l->op = (struct new_op){.line = line, .args = l->args};
}

static inline bool plain_literal(const char **p, const char *text, size_t n)
{
    if (memcmp(*p, text, n) != 0)
        return false;
    *p += n;
    return true;
}
#define PLAIN(l, text) plain_literal(&(l)->p, (text), sizeof(text) - 1)

static inline bool plain_line_end(struct plain *l)
{
    l->p += *l->p == '\r';
    return *l->p++ == '\n';
}

/* ---- numbers ---- */

static inline bool plain_starts_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-';
}

/* -12; at most PLAIN_DIGITS digits. Behind it, or NULL. */
static inline const char *plain_number(const char *p, int64_t *out)
{
    bool negative = *p == '-';
    uint64_t sum = 0, x = eight_at(p += negative), ends = eight_not_digits(x);
    const char *from = p;
    while (!ends && p - from < PLAIN_DIGITS - 8) {
        sum = sum * 100000000u + eight_number(x, 8);
        x = eight_at(p += 8);
        ends = eight_not_digits(x);
    }
    unsigned n = ends ? eight_before(ends) : 8;
    if (p + n == from || p + n - from > PLAIN_DIGITS)
        return NULL;
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    if (n)
        sum = sum * power[n] + eight_number(x, n);
    *out = negative ? -(int64_t)sum : (int64_t)sum;
    return p + n;
}

/* As JSON and EDN have it: zeros in front are left to the format's reader, which reports them. */
static inline const char *plain_unpadded_number(const char *p, int64_t *out)
{
    const char *digits = p + (*p == '-'), *end = plain_number(p, out);
    return end && *digits == '0' && end > digits + 1 ? NULL : end;
}

/* ---- words ---- */

/* All bytes below the minus end a word, and so does `end`. Some others are no part of a word either. They are found
 * when the word is new. */
static inline uint64_t plain_word_ends(uint64_t x, char end)
{
    return eight_below(x, '-') | eight_equal(x, (unsigned char)end);
}

/* The bytes of the word at p, and how many there are; 0: there is none, or it is long. */
static inline unsigned plain_word(const char *p, char end, struct token_key *k)
{
    uint64_t low = eight_at(p), ends = plain_word_ends(low, end);
    if (ends) {
        *k = (struct token_key){eight_first(low, eight_before(ends)), 0};
        return eight_before(ends);
    }
    uint64_t high = eight_at(p + 8);
    ends = plain_word_ends(high, end);
    if (!ends)
        return 0;
    *k = (struct token_key){low, eight_first(high, eight_before(ends))};
    return 8 + eight_before(ends);
}

/* The same of one byte; most that end words are below the minus. */
static inline bool plain_word_goes_on(const char *p)
{
    return (unsigned char)*p >= '-' && token_is_word_char((unsigned char)*p);
}

struct plain_token {
    const char *at;
    struct token_key key; /* zeros: it is long */
    unsigned length;
};

/* Nothing but ASCII letters of words? */
bool plain_is_word(const char *p, size_t length);
/* The length of a long word; 0: it is none. */
unsigned plain_long(const char *p);

/* The word at *p, which moves behind it; false: there is none. */
static inline bool plain_token(const char **p, char end, struct plain_token *t)
{
    t->at = *p;
    t->length = plain_word(*p, end, &t->key);
    if (!t->length) {
        t->key = (struct token_key){0, 0};
        t->length = plain_long(*p);
    }
    *p += t->length;
    return t->length;
}

/* Where the meaning of a new word is; NULL: it has none. */
const uint32_t *plain_learn(struct plain_words *w, const struct plain_token *t);

static inline const uint32_t *plain_meaning(struct plain_words *w, const struct plain_token *t)
{
    struct seen_entry *pair = seen_pair(&w->known, t->key);
    if (seen_is(&pair[0], t->key) && t->key.low)
        return pair[0].id;
    if (seen_is(&pair[1], t->key) && t->key.low)
        return pair[1].id;
    return plain_learn(w, t);
}

/* ---- rules of histories ---- */

/* May the thread's next operation have these times? */
static inline bool plain_times_fit(const history *h, uint32_t thread, int64_t start, int64_t end)
{
    uint32_t previous = h->threads.at[thread].last;
    return start <= end && (previous == ID_NONE || start >= h->ret[previous]);
}

#endif
