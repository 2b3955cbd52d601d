/* SPDX-License-Identifier: Apache-2.0 */
/* Header lines `@key text`: object, init, final and ids are understood, others kept as they are. */
#include "history/history.h"
#include "history/token.h"

#include <string.h>

struct cursor { /* where we are in the header's text */
    const char *start, *at, *end;
};

static void skip_space(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t'))
        c->at++;
}

/* A run up to white space. */
static const char *word(struct cursor *c, size_t *length)
{
    skip_space(c);
    const char *from = c->at;
    while (c->at < c->end && *c->at != ' ' && *c->at != '\t')
        c->at++;
    *length = (size_t)(c->at - from);
    return from;
}

static bool fault(const struct cursor *c, assay_error *e, const char *expected)
{
    /* The column within the header's text for now; the caller adds where the text starts. */
    error_set(e, ASSAY_ERROR_INPUT, "expected %s", expected);
    e->column = (uint64_t)(c->at - c->start);
    return false;
}

/* `queue`, or `q1 queue` for the object called q1. */
static bool read_object(history *h, struct cursor *c, uint64_t line, assay_error *e)
{
    size_t first_length, second_length;
    const char *first = word(c, &first_length);
    const char *second = word(c, &second_length);
    skip_space(c);
    if (!first_length)
        return fault(c, e, "an object, as in `# @object memory`");
    if (c->at < c->end)
        return fault(c, e, "the end of the line: `# @object KIND` or `# @object NAME KIND`");
    struct object o = {.name = ID_NONE, .line = (uint32_t)line};
    if (second_length) {
        o.name = history_name(h, first, first_length);
        first = second;
        first_length = second_length;
    }
    o.kind = history_name(h, first, first_length);
    for (uint32_t i = 0; i < h->objects.n; i++)
        if (h->objects.at[i].name == o.name) {
            h->objects.at[i] = o; /* the last word counts, as for -o on the command line */
            return true;
        }
    vec_push(&h->mem, &h->objects, o);
    return true;
}

/* `x=0 y=7`, `5`, or `[1, 2]`. */
static bool read_bindings(history *h, struct cursor *c, bool final, assay_error *e)
{
    bool list = false;
    for (skip_space(c); c->at < c->end; skip_space(c)) {
        if (*c->at == '[' || *c->at == ']' || *c->at == ',') {
            list = true;
            c->at++;
            continue;
        }
        struct binding b = {.header = h->headers.n - 1};
        const char *expected = NULL;
        if (!token_value(h, &c->at, c->end, &b.value, &expected))
            return fault(c, e, expected);
        if (c->at < c->end && *c->at == '=') {
            c->at++;
            b.key = b.value;
            if (!token_value(h, &c->at, c->end, &b.value, &expected))
                return fault(c, e, expected);
        }
        if (list && b.key.kind != ASSAY_NONE)
            return fault(c, e, "plain values inside [ ]");
        if (final)
            vec_push(&h->mem, &h->final, b);
        else
            vec_push(&h->mem, &h->init, b);
    }
    return true;
}

static bool read_ids(history *h, struct cursor *c, assay_error *e)
{
    size_t length;
    const char *text = word(c, &length);
    if (length == 6 && !memcmp(text, "thread", 6))
        h->ids = IDS_THREAD;
    else if (length == 9 && !memcmp(text, "operation", 9))
        h->ids = IDS_OPERATION;
    else {
        c->at = text;
        return fault(c, e, "`thread` or `operation`");
    }
    return true;
}

static bool is(const char *key, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(key, name, length) == 0;
}

bool history_header_known(const char *key, size_t length)
{
    return is(key, length, "object") || is(key, length, "init") || is(key, length, "final") ||
           is(key, length, "ids");
}

bool history_header(history *h, const char *key, size_t key_length, const char *text, size_t length,
                    uint64_t line, uint64_t column, assay_error *e)
{
    struct header header = {.key = history_name(h, key, key_length),
                            .text = history_name(h, text, length),
                            .line = (uint32_t)line};
    vec_push(&h->mem, &h->headers, header);
    struct cursor c = {text, text, text + length};
    bool fine = true;
    assay_error mine = {0};
    if (is(key, key_length, "object"))
        fine = read_object(h, &c, line, &mine);
    else if (is(key, key_length, "init"))
        fine = read_bindings(h, &c, false, &mine);
    else if (is(key, key_length, "final"))
        fine = read_bindings(h, &c, true, &mine);
    else if (is(key, key_length, "ids"))
        fine = read_ids(h, &c, &mine);
    if (!fine) {
        error_set(e, ASSAY_ERROR_INPUT, "in @%.*s: %s", (int)(key_length < 40 ? key_length : 40), key,
                  mine.message);
        error_place(e, history_source(h), line, line ? column + mine.column : 0);
    }
    return fine;
}
