/* SPDX-License-Identifier: Apache-2.0 */
#include "format/hist_plain.h"

#include "base/notation.h"

/* ---- words and values ---- */

/* `push`, `q.push`; not names with more dots. */
static bool learn_call(void *h, const char *p, size_t length, uint32_t id[2])
{
    const char *end = p + length, *dot = memchr(p, '.', length), *method = dot ? dot + 1 : p;
    if (dot && (dot == p || method == end || memchr(method, '.', (size_t)(end - method))))
        return false;
    id[0] = dot ? history_name(h, p, (size_t)(dot - p)) : ID_NONE;
    id[1] = history_name(h, method, (size_t)(end - method));
    return true;
}

/* Of `.5` is warned. */
static bool learn_word(void *h, const char *p, size_t length, uint32_t id[2])
{
    return !token_begins_like_number(p, p + length) && plain_learn_name(h, p, length, id);
}

const char *hist_plain_hexadecimal(const char *p, struct value *out)
{
    const char *from = p;
    while (token_is_word_char((unsigned char)*p))
        p++;
    return notation_is_hex(from, p) && notation_read(from, p, &out->bits, &out->notation) ? p : NULL;
}

/* `[1 2 3]`, behind the bracket. */
static bool list(struct plain_lines *s, struct plain *l, struct value *out)
{
    struct value element;
    *out = (struct value){lists_empty(&s->h->mem, &s->h->lists), ASSAY_LIST};
    while (*l->p != ']') {
        if (!hist_plain_value(&s->words, l, &element))
            return false;
        *out = history_longer(s->h, *out, element);
        if (*l->p == ' ')
            l->p++;
        else if (*l->p != ']')
            return false;
    }
    l->p++;
    return true;
}

/* The third value of an access, which may be a list, or `?`. */
static inline bool accessed(struct plain_lines *s, struct plain *l, struct value *out)
{
    if (*l->p != '?' && *l->p != '[')
        return hist_plain_value(&s->words, l, out);
    *out = (struct value){0};
    return *l->p++ == '?' || list(s, l, out);
}

/* `(r x 1, w y 2)` */
static bool accesses(struct plain_lines *s, struct plain *l)
{
    struct arguments *all = &s->accesses;
    vec_clear(all);
    if (*l->p++ != '(' || *l->p == ')')
        return false;
    for (;; l->p += 2) {
        vec_reserve(&s->h->mem, all, 3);
        struct value *at = all->at + all->n;
        if (!hist_plain_value(&s->words, l, &at[0]) || *l->p++ != ' ' || !hist_plain_value(&s->words, l, &at[1]) ||
            *l->p++ != ' ' || !accessed(s, l, &at[2]))
            return false;
        all->n += 3;
        if (*l->p == ')')
            break;
        if (l->p[0] != ',' || l->p[1] != ' ')
            return false;
    }
    l->p++;
    l->op.args = all->at;
    l->op.arity = all->n;
    return true;
}

/* `q.push(5)`, whose name has been read; `start` is the line's. */
static inline bool call(struct plain_lines *s, struct plain *l, const struct plain_token *name, const char *start)
{
    const uint32_t *id = plain_meaning(&s->calls, name);
    if (!id)
        return false;
    l->op.object = id[0];
    l->op.method = id[1];
    l->op.column = (uint32_t)(name->at - start) + 1;
    bool txn = name->length == 3 && memcmp(name->at, "txn", 3) == 0;
    return txn ? accesses(s, l) : hist_plain_arguments(&s->words, l);
}

/* ---- operations ---- */

/* `20..30`, in a history of intervals. */
static inline bool interval(const history *h, struct plain *l, int64_t *start, int64_t *end)
{
    if (!h->call || !(l->p = plain_number(l->p, start)) || !PLAIN(l, "..") || !(l->p = plain_number(l->p, end)))
        return false;
    return plain_times_fit(h, l->op.thread, *start, *end);
}

/* Behind the line, or NULL: it is not plain. */
static const char *operation(struct plain_lines *s, const char *start, uint64_t line)
{
    history *h = s->h;
    struct plain l;
    plain_begin(&l, start, line);
    int64_t called = 0, returned = 0;
    struct plain_token name;
    const uint32_t *t = plain_token(&l.p, ':', &name) && PLAIN(&l, ": ") ? plain_meaning(&s->threads, &name) : NULL;
    if (!t || history_open_call(h, *t) != ID_NONE)
        return NULL;
    l.op.thread = *t;
    if (!plain_token(&l.p, '\0', &name) || !call(s, &l, &name, start) ||
        (PLAIN(&l, " => ") && !hist_plain_value(&s->words, &l, &l.op.result)))
        return NULL;
    bool timed = PLAIN(&l, " @ ");
    if (timed ? !interval(h, &l, &called, &returned) : h->call != NULL)
        return NULL;
    if (!plain_line_end(&l))
        return NULL;
    uint32_t row = history_append(h, &l.op);
    if (timed)
        history_set_times(h, row, called, returned);
    return l.p;
}

/* ---- events ---- */

static bool call_event(struct plain_lines *s, struct plain *l, const struct plain_token *name, const char *start,
                       int64_t time)
{
    history *h = s->h;
    uint32_t t = l->op.thread;
    if (history_open_call(h, t) != ID_NONE || (h->ids == IDS_OPERATION && h->threads.at[t].count))
        return false;
    if (!call(s, l, name, start) || !plain_line_end(l))
        return false;
    l->op.pending = true;
    history_set_times(h, history_append(h, &l->op), time, INT64_MAX);
    return true;
}

static bool return_event(struct plain_lines *s, struct plain *l, int64_t time)
{
    uint32_t open = history_open_call(s->h, l->op.thread);
    struct value result;
    if (open == ID_NONE || !hist_plain_result(&s->words, l, &result))
        return false;
    history_return(s->h, open, result, time);
    return true;
}

/* The same of an event, with its time. */
static const char *event(struct plain_lines *s, const char *start, uint64_t line, int64_t time)
{
    struct plain l;
    struct hist_plain_event e;
    plain_begin(&l, start, line);
    const uint32_t *t = hist_plain_event(&l, &e) ? plain_meaning(&s->threads, &e.id) : NULL;
    if (!t)
        return NULL;
    l.op.thread = *t;
    return (e.is_call ? call_event(s, &l, &e.method, start, time) : return_event(s, &l, time)) ? l.p : NULL;
}

/* ---- lines ---- */

uint64_t hist_plain_lines(struct plain_lines *s, enum hist_plain_form form, uint64_t *events)
{
    if (!plain_try(s, learn_call, learn_word))
        return 0;
    uint64_t line = input_lines(s->in), first = line;
    const char *from = input_window(s->in), *p = from, *next;
    if (form == PLAIN_OPERATIONS)
        for (; (next = operation(s, p, line + 1)); p = next)
            line++;
    else
        for (; (next = event(s, p, line + 1, (int64_t)*events + 1)); p = next, ++*events)
            line++;
    plain_skip(s, (size_t)(p - from), line - first);
    return line - first;
}
