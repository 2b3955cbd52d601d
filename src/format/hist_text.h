/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of a line of .hist (docs/guides/formats.md), for the reader of histories and for monitors. Names and texts go
 * into the given history; faults are raised at the cursor's line. */
#ifndef ASSAY_FORMAT_HIST_TEXT_H
#define ASSAY_FORMAT_HIST_TEXT_H

#include "format/cursor.h"

static inline struct value hist_value(struct cursor *c, history *h)
{
    struct value v;
    const char *expected;
    skip_space(c);
    if (!token_value(h, &c->p, c->line.end, &v, &expected))
        FAULT(c, c->p, "expected %s", expected);
    return v;
}

/* ---- calls: [object.]method[(arguments)] ---- */

/* An argument; `?` is an unknown value that a transaction read. */
static inline struct value hist_argument(struct cursor *c, history *h, bool txn)
{
    skip_space(c);
    if (!txn || *c->p != '?')
        return hist_value(c, h);
    c->p++;
    return (struct value){0};
}

/* Text that is neither argument nor separator, at the cursor; the last argument ended at `behind`. */
static inline _Noreturn void hist_no_argument(struct cursor *c, const char *behind)
{
    if (c->p == behind && !at_end(c))
        FAULT_REMEDY(c, c->p, "a text with other characters is put in quotation marks",
                     "expected `,` or `)` after an argument");
    FAULT(c, c->p, "expected `,` or `)` after an argument");
}

/* Commas separate arguments; within `txn(r x 1, w y 2)` spaces do, too. */
static inline void hist_arguments(struct cursor *c, history *h, struct arguments *args, struct new_op *op)
{
    bool txn = token_is_txn(h, op->method);
    skip_space(c);
    if (*c->p != '(')
        return;
    c->p++;
    skip_space(c);
    if (*c->p == ')') {
        c->p++;
        return;
    }
    for (;;) {
        vec_push(&h->mem, args, hist_argument(c, h, txn));
        const char *behind = c->p;
        skip_space(c);
        if (*c->p == ')')
            break;
        if (*c->p == ',')
            c->p++;
        else if (!txn || c->p == behind)
            hist_no_argument(c, behind);
    }
    c->p++;
}

/* Fills in object, method, place and arguments, which lie in args. */
static inline void hist_call(struct cursor *c, history *h, struct arguments *args, struct new_op *op)
{
    skip_space(c);
    size_t length;
    const char *name = word(c, &length);
    if (!length)
        FAULT(c, c->p, "expected a method, as in `write(x, 1)`");
    op->line = c->line.number;
    op->column = (uint32_t)(name - c->line.at) + 1;
    op->object = ID_NONE;
    const char *dot = name + length;
    while (dot > name && dot[-1] != '.')
        dot--;
    if (dot > name) { /* object.method */
        if (dot - 1 == name || dot == name + length)
            FAULT(c, name, "expected `object.method`");
        op->object = history_name(h, name, (size_t)(dot - 1 - name));
        length -= (size_t)(dot - name);
        name = dot;
    }
    op->method = history_name(h, name, length);
    vec_clear(args);
    hist_arguments(c, h, args, op);
    op->args = args->at;
    op->arity = args->n;
}

/* ---- events: [id] call ..., [id] return ... ---- */

struct hist_event {
    const char *id;
    size_t length;
    bool is_call;
};

/* Up to and with the verb; the cursor is at the `[`. */
static inline struct hist_event hist_event(struct cursor *c)
{
    struct hist_event e;
    c->p++;
    skip_space(c);
    e.id = word(c, &e.length);
    skip_space(c);
    if (!e.length || !take(c, "]"))
        FAULT(c, c->p, "expected an id and `]`, as in `[1] call push(5)`");
    skip_space(c);
    size_t length;
    const char *verb = word(c, &length);
    e.is_call = length == 4 && memcmp(verb, "call", 4) == 0;
    if (!e.is_call && !(length == 6 && memcmp(verb, "return", 6) == 0))
        FAULT(c, verb, "expected `call` or `return`");
    return e;
}

/* The arguments of the dialect `[1] call push 5`, which has no brackets; the cursor is behind the method. False: there
 * are none. */
static inline bool hist_bare_arguments(struct cursor *c, history *h, struct arguments *args, struct new_op *op)
{
    skip_space(c);
    bool value = token_is_word_char((unsigned char)*c->p) || *c->p == '"' || *c->p == '[';
    if (op->arity || !value || c->p[-1] == ')')
        return false;
    while (!at_end(c) && *c->p != '@') {
        vec_push(&h->mem, args, hist_value(c, h));
        skip_space(c);
    }
    op->args = args->at;
    op->arity = args->n;
    return true;
}

/* `?` in the place of a result: the caller is gone, and the call never returns. */
static inline bool hist_is_unknown(struct cursor *c)
{
    skip_space(c);
    return take(c, "?");
}

/* The result of a return; the cursor is behind the verb. */
static inline struct value hist_result(struct cursor *c, history *h)
{
    struct value result = {0};
    skip_space(c);
    if (!at_end(c) && *c->p != '@')
        result = hist_value(c, h);
    return result;
}

/* `@ 120` behind an event, which is the last of the line; false: there is none. */
static inline bool hist_event_time(struct cursor *c, int64_t *time)
{
    skip_space(c);
    if (*c->p != '@')
        return false;
    c->p++;
    skip_space(c);
    *time = cursor_integer(c, "the time of the event, as in `@ 120`");
    return true;
}

/* ---- other lines ---- */

/* The text of a header line, without blanks around it; the cursor, behind the key, moves to its start. */
static inline size_t hist_header_text(struct cursor *c)
{
    skip_space(c);
    const char *end = c->line.end;
    while (end > c->p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    const char *nul = memchr(c->p, '\0', (size_t)(end - c->p));
    if (nul)
        FAULT(c, nul, "a NUL byte in a header: this is not text");
    const char *cr = memchr(c->p, '\r', (size_t)(end - c->p));
    if (cr)
        FAULT_REMEDY(c, cr, "end lines with LF or CRLF", "a carriage return within a line");
    return (size_t)(end - c->p);
}

/* --- between two histories. */
static inline bool hist_is_separator(const struct cursor *c)
{
    if (strncmp(c->p, "---", 3) != 0)
        return false;
    const char *p = c->p + 3;
    while (*p == ' ' || *p == '\t')
        p++;
    return p == c->line.end || *p == '#';
}

#endif
