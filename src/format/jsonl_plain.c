/* SPDX-License-Identifier: Apache-2.0 */
#include "format/jsonl_plain.h"

/* A dot in a method is a fault. */
static bool learn_method(void *h, const char *p, size_t length, uint32_t id[2])
{
    return !memchr(p, '.', length) && plain_learn_name(h, p, length, id);
}

/* A word before a quotation mark. The line's p moves behind the mark. */
static inline bool quoted(struct plain *l, struct plain_token *t)
{
    return plain_token(&l->p, '"', t) && *l->p++ == '"';
}

/* A string that begins like a number may be one that stays a string. */
static inline bool value(struct plain_lines *s, struct plain *l, struct value *out)
{
    if (*l->p != '"') {
        *out = (struct value){.kind = ASSAY_INT};
        return plain_starts_number(*l->p) && (l->p = plain_unpadded_number(l->p, &out->bits));
    }
    struct plain_token q;
    l->p++;
    if (plain_starts_number(*l->p) || !quoted(l, &q))
        return false;
    const uint32_t *id = plain_meaning(&s->words, &q);
    if (!id)
        return false;
    *out = (struct value){*id, ASSAY_WORD};
    return true;
}

/* `[5,"x"]`, behind the bracket. */
static inline bool arguments(struct plain_lines *s, struct plain *l)
{
    for (;;) {
        if (l->op.arity == PLAIN_ARGUMENTS || !value(s, l, &l->args[l->op.arity++]))
            return false;
        char c = *l->p++;
        if (c == ']')
            return true;
        if (c != ',')
            return false;
    }
}

/* `[1,2]`, behind the bracket. */
static bool list(struct plain_lines *s, struct plain *l, struct value *out)
{
    struct value element;
    *out = (struct value){lists_empty(&s->h->mem, &s->h->lists), ASSAY_LIST};
    if (*l->p == ']') {
        l->p++;
        return true;
    }
    for (;;) {
        if (!value(s, l, &element))
            return false;
        *out = history_longer(s->h, *out, element);
        char c = *l->p++;
        if (c == ']')
            return true;
        if (c != ',')
            return false;
    }
}

/* An argument of a transaction, which may be a list, or `{}`: not known. */
static inline bool accessed(struct plain_lines *s, struct plain *l, struct value *out)
{
    if (*l->p == '[') {
        l->p++;
        return list(s, l, out);
    }
    *out = (struct value){0};
    return PLAIN(l, "{}") || value(s, l, out);
}

/* `["r","x",1,"w","y",2]`, behind the bracket. */
static bool accesses(struct plain_lines *s, struct plain *l)
{
    struct arguments *all = &s->accesses;
    vec_clear(all);
    for (;;) {
        vec_reserve(&s->h->mem, all, 1);
        if (!accessed(s, l, &all->at[all->n++]))
            return false;
        char c = *l->p++;
        if (c == ',')
            continue;
        l->op.args = all->at;
        l->op.arity = all->n;
        return c == ']';
    }
}

/* Thread, object and method. The reader names the method before the object. */
static inline bool call(struct plain_lines *s, struct plain *l)
{
    struct plain_token q, object = {.length = 0};
    if (!PLAIN(l, "{\"thread\":\"") || !quoted(l, &q))
        return false;
    const uint32_t *thread = plain_meaning(&s->threads, &q), *id;
    if (!thread || history_open_call(s->h, *thread) != ID_NONE)
        return false;
    l->op.thread = *thread;
    bool named = PLAIN(l, ",\"object\":\"");
    if ((named && !quoted(l, &object)) || !PLAIN(l, ",\"method\":\"") || !quoted(l, &q))
        return false;
    if (!(id = plain_meaning(&s->calls, &q)))
        return false;
    l->op.method = *id;
    if (named && !(id = plain_meaning(&s->words, &object)))
        return false;
    l->op.object = named ? *id : ID_NONE;
    return true;
}

static inline bool times(const history *h, struct plain *l, int64_t *start, int64_t *end)
{
    return (l->p = plain_unpadded_number(l->p, start)) && PLAIN(l, ",\"return\":") &&
           (l->p = plain_unpadded_number(l->p, end)) && plain_times_fit(h, l->op.thread, *start, *end);
}

/* Behind the line, or NULL: it is not plain. */
static const char *operation(struct plain_lines *s, const char *start, uint64_t line)
{
    history *h = s->h;
    struct plain l;
    int64_t called = 0, returned = 0;
    plain_begin(&l, start, line);
    l.op.column = 1;
    if (!call(s, &l))
        return NULL;
    bool txn = token_is_txn(h, l.op.method);
    if ((PLAIN(&l, ",\"args\":[") && !(txn ? accesses(s, &l) : arguments(s, &l))) ||
        (PLAIN(&l, ",\"result\":") && !value(s, &l, &l.op.result)))
        return NULL;
    bool timed = h->call != NULL;
    if ((timed && !(PLAIN(&l, ",\"call\":") && times(h, &l, &called, &returned))) || !PLAIN(&l, "}\n"))
        return NULL;
    uint32_t row = history_append(h, &l.op);
    if (timed)
        history_set_times(h, row, called, returned);
    return l.p;
}

uint64_t jsonl_plain_lines(struct plain_lines *s)
{
    if (!plain_try(s, learn_method, plain_learn_name))
        return 0;
    uint64_t line = input_lines(s->in), first = line;
    const char *from = input_window(s->in), *p = from, *next;
    for (; (next = operation(s, p, line + 1)); p = next)
        line++;
    plain_skip(s, (size_t)(p - from), line - first);
    return line - first;
}
