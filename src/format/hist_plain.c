/* SPDX-License-Identifier: Apache-2.0 */
#include "format/hist_plain.h"

#include "history/token.h"

enum { MOST_ARGUMENTS = 4, LONGEST_NUMBER = 18 };

/* A line that is being read. p becomes NULL where the line is not plain. */
struct plain {
    const char *p;
    struct value args[MOST_ARGUMENTS];
    struct new_op op;
};

/* The arguments are not cleared: that would take longer than reading them. */
static inline void begin(struct plain *l, const char *p, uint64_t line)
{
    l->p = p;
    l->op = (struct new_op){.line = line};
}

/* ---- tokens ---- */

/* All bytes below the minus end a word, and so does `end`. Some others are no part of a word either. They are found
 * when the word is new. */
static inline uint64_t word_ends(uint64_t x, char end)
{
    return eight_below(x, '-') | eight_equal(x, (unsigned char)end);
}

/* The bytes of the word at p, and how many there are; 0: there is none, or it is too long. */
static inline unsigned word_at(const char *p, char end, struct token_key *k)
{
    uint64_t low = eight_at(p), ends = word_ends(low, end);
    if (ends) {
        *k = (struct token_key){eight_first(low, eight_before(ends)), 0};
        return eight_before(ends);
    }
    uint64_t high = eight_at(p + 8);
    ends = word_ends(high, end);
    if (!ends)
        return 0;
    *k = (struct token_key){low, eight_first(high, eight_before(ends))};
    return 8 + eight_before(ends);
}

static bool is_ascii_word(const char *p, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)p[i] >= 0x80 || !token_is_word_char((unsigned char)p[i]))
            return false;
    return length > 0;
}

static inline bool starts_number(char c)
{
    return (c >= '0' && c <= '9') || c == '-';
}

/* -12; at most LONGEST_NUMBER digits. Behind it, or NULL. */
static inline const char *number(const char *p, int64_t *out)
{
    bool negative = *p == '-';
    uint64_t sum = 0, x = eight_at(p += negative), ends = eight_not_digits(x);
    const char *from = p;
    while (!ends && p - from < LONGEST_NUMBER - 8) {
        sum = sum * 100000000u + eight_number(x, 8);
        x = eight_at(p += 8);
        ends = eight_not_digits(x);
    }
    unsigned n = ends ? eight_before(ends) : 8;
    if (p + n == from || p + n - from > LONGEST_NUMBER)
        return NULL;
    static const uint32_t power[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    if (n)
        sum = sum * power[n] + eight_number(x, n);
    *out = negative ? -(int64_t)sum : (int64_t)sum;
    return p + n;
}

/* ---- names ---- */

/* Finds the meaning of a new word; false: it is of a kind that is left to hist.c. */
typedef bool learner(history *h, const char *p, size_t length, uint32_t id[2]);

static bool learn_thread(history *h, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_thread(h, history_name(h, p, length));
    return true;
}

static bool learn_word(history *h, const char *p, size_t length, uint32_t id[2])
{
    id[0] = history_name(h, p, length);
    return true;
}

/* `push`, `q.push`; not names with more dots. */
static bool learn_call(history *h, const char *p, size_t length, uint32_t id[2])
{
    const char *end = p + length, *dot = memchr(p, '.', length), *method = dot ? dot + 1 : p;
    if (dot && (dot == p || method == end || memchr(method, '.', (size_t)(end - method))))
        return false;
    id[0] = dot ? history_name(h, p, (size_t)(dot - p)) : ID_NONE;
    id[1] = history_name(h, method, (size_t)(end - method));
    return true;
}

/* Where the meaning of a new word is; NULL: it has none. */
static const uint32_t *learn_new(history *h, struct seen_entry *pair, struct token_key k, const char *p, size_t length,
                                 learner *learn)
{
    uint32_t id[2] = {0, 0};
    return is_ascii_word(p, length) && learn(h, p, length, id) ? seen_put(pair, k, id) : NULL;
}

static inline const uint32_t *meaning(history *h, const struct seen *known, struct token_key k, const char *p,
                                      size_t length, learner *learn)
{
    struct seen_entry *pair = seen_pair(known, k);
    if (seen_is(&pair[0], k))
        return pair[0].id;
    if (seen_is(&pair[1], k))
        return pair[1].id;
    return learn_new(h, pair, k, p, length, learn);
}

/* The thread's name, up to `end`. NULL: it has another end. */
static inline const uint32_t *thread(struct hist_plain *s, struct plain *l, char end)
{
    struct token_key k;
    unsigned length = word_at(l->p, end, &k);
    const char *from = l->p;
    l->p += length;
    if (!length || l->p[0] != end || l->p[1] != ' ')
        return NULL;
    l->p += 2;
    return meaning(s->h, &s->threads, k, from, length, learn_thread);
}

static inline bool value(struct hist_plain *s, struct plain *l, struct value *out)
{
    if (starts_number(*l->p)) {
        *out = (struct value){.kind = ASSAY_INT};
        l->p = number(l->p, &out->bits);
        /* 12ab and 0x1f go on */
        return l->p && !token_is_word_char((unsigned char)*l->p);
    }
    struct token_key k;
    unsigned length = word_at(l->p, '\0', &k);
    const uint32_t *id = length ? meaning(s->h, &s->words, k, l->p, length, learn_word) : NULL;
    if (!id)
        return false;
    *out = (struct value){*id, ASSAY_WORD};
    l->p += length;
    return true;
}

/* ---- calls ---- */

static inline bool literal(struct plain *l, const char *text, size_t n)
{
    if (memcmp(l->p, text, n) != 0)
        return false;
    l->p += n;
    return true;
}
#define LITERAL(l, text) literal((l), (text), sizeof(text) - 1)

/* `(1, x)`, `()` */
static inline bool arguments(struct hist_plain *s, struct plain *l)
{
    if (*l->p++ != '(')
        return false;
    if (*l->p == ')') {
        l->p++;
        return true;
    }
    for (;; l->p += *l->p == ' ') {
        if (l->op.arity == MOST_ARGUMENTS || !value(s, l, &l->args[l->op.arity++]))
            return false;
        char c = *l->p++;
        if (c == ')')
            return true;
        if (c != ',')
            return false;
    }
}

/* `q.push(5)`; `start` is the line's. */
static inline bool call(struct hist_plain *s, struct plain *l, const char *start)
{
    struct token_key k;
    unsigned length = word_at(l->p, '\0', &k);
    const uint32_t *id = length ? meaning(s->h, &s->calls, k, l->p, length, learn_call) : NULL;
    if (!id)
        return false;
    l->op.object = id[0];
    l->op.method = id[1];
    l->op.column = (uint32_t)(l->p - start) + 1;
    l->op.args = l->args;
    l->op.arity = 0;
    l->p += length;
    return arguments(s, l);
}

static inline bool line_end(struct plain *l)
{
    l->p += *l->p == '\r';
    return *l->p++ == '\n';
}

/* ---- operations ---- */

/* `20..30`, in a history of intervals. */
static inline bool interval(const history *h, struct plain *l, int64_t *start, int64_t *end)
{
    if (!h->call || !(l->p = number(l->p, start)) || !LITERAL(l, "..") || !(l->p = number(l->p, end)))
        return false;
    uint32_t previous = h->threads.at[l->op.thread].last;
    return *start <= *end && (previous == ID_NONE || *start >= h->ret[previous]);
}

/* Behind the line, or NULL: it is not plain. */
static const char *operation(struct hist_plain *s, const char *start, uint64_t line)
{
    history *h = s->h;
    struct plain l;
    begin(&l, start, line);
    int64_t called = 0, returned = 0;
    const uint32_t *t = thread(s, &l, ':');
    if (!t || history_open_call(h, *t) != ID_NONE)
        return NULL;
    l.op.thread = *t;
    if (!call(s, &l, start) || (LITERAL(&l, " => ") && !value(s, &l, &l.op.result)))
        return NULL;
    bool timed = LITERAL(&l, " @ ");
    if (timed ? !interval(h, &l, &called, &returned) : h->call != NULL)
        return NULL;
    if (!line_end(&l))
        return NULL;
    uint32_t row = history_append(h, &l.op);
    if (timed)
        history_set_times(h, row, called, returned);
    return l.p;
}

/* ---- events ---- */

static bool call_event(struct hist_plain *s, struct plain *l, const char *start, int64_t time)
{
    history *h = s->h;
    uint32_t t = l->op.thread;
    if (history_open_call(h, t) != ID_NONE || (h->ids == IDS_OPERATION && h->threads.at[t].count))
        return false;
    if (!call(s, l, start) || !line_end(l))
        return false;
    l->op.pending = true;
    history_set_times(h, history_append(h, &l->op), time, INT64_MAX);
    return true;
}

static bool return_event(struct hist_plain *s, struct plain *l, int64_t time)
{
    uint32_t open = history_open_call(s->h, l->op.thread);
    struct value result = {0};
    if (open == ID_NONE || (LITERAL(l, " ") && !value(s, l, &result)) || !line_end(l))
        return false;
    history_return(s->h, open, result, time);
    return true;
}

/* The same of an event, with its time. */
static const char *event(struct hist_plain *s, const char *start, uint64_t line, int64_t time)
{
    struct plain l;
    begin(&l, start + 1, line);
    const uint32_t *t = *start == '[' ? thread(s, &l, ']') : NULL;
    if (!t)
        return NULL;
    l.op.thread = *t;
    bool taken = LITERAL(&l, "call ")    ? call_event(s, &l, start, time)
                 : LITERAL(&l, "return") ? return_event(s, &l, time)
                                         : false;
    return taken ? l.p : NULL;
}

/* ---- lines ---- */

enum { LONGEST_WAIT = 64, THREAD_BITS = 8, CALL_BITS = 5, WORD_BITS = 12, MANY_LINES = 32 };

/* Is it worth while to try the next line? A short history is not worth the tables. */
static bool try_next(struct hist_plain *s)
{
    if (s->waited++ < s->wait || s->h->n < MANY_LINES)
        return false;
    s->waited = 0;
    if (!s->words.at) {
        s->threads = seen_new(&s->h->mem, THREAD_BITS);
        s->calls = seen_new(&s->h->mem, CALL_BITS);
        s->words = seen_new(&s->h->mem, WORD_BITS);
    }
    return true;
}

uint64_t hist_plain_lines(struct hist_plain *s, enum hist_plain_form form, int64_t *clock)
{
    if (!try_next(s))
        return 0;
    uint64_t line = input_lines(s->in), first = line;
    const char *from = input_window(s->in), *p = from, *next;
    if (form == PLAIN_OPERATIONS)
        for (; (next = operation(s, p, line + 1)); p = next)
            line++;
    else
        for (; (next = event(s, p, line + 1, *clock + 1)); p = next, ++*clock)
            line++;
    input_skip(s->in, (size_t)(p - from), line - first);
    s->wait = line > first ? 0 : 2 * s->wait + 1;
    s->wait = s->wait < LONGEST_WAIT ? s->wait : LONGEST_WAIT;
    return line - first;
}

void hist_plain_end(struct hist_plain *s)
{
    mem_free(&s->h->mem, s->threads.at);
    mem_free(&s->h->mem, s->calls.at);
    mem_free(&s->h->mem, s->words.at);
}
