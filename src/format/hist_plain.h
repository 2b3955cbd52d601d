/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of .hist are written as write_hist writes them, or are events with one space between their words:
 *
 *     t0: write(x, 1)
 *     t1: read(x) => 1 @ 20..30
 *     t2: txn(r x 1, append z 3, r z [1 2 3])
 *     [t0] call push(5)
 *     [t0] return 5
 *
 * The words of such lines are read here, for histories and for monitors; what they mean is learnt by each. */
#ifndef ASSAY_FORMAT_HIST_PLAIN_H
#define ASSAY_FORMAT_HIST_PLAIN_H

#include "format/plain.h"

enum hist_plain_form { PLAIN_OPERATIONS, PLAIN_EVENTS };

/* Takes the plain lines that come next into a history. `events` is how many there were before, and counts them. Returns
 * how many lines there were. May escape. */
uint64_t hist_plain_lines(struct plain_lines *s, enum hist_plain_form form, uint64_t *events);

/* 0x1f, at p. Behind it, or NULL. */
const char *hist_plain_hexadecimal(const char *p, struct value *out);

static inline bool hist_plain_value(struct plain_words *w, struct plain *l, struct value *out)
{
    if (plain_starts_number(*l->p)) {
        *out = (struct value){.kind = ASSAY_INT};
        const char *from = l->p;
        l->p = plain_number(from, &out->bits);
        if (!l->p || plain_word_goes_on(l->p)) /* 12ab, 0x1f */
            l->p = hist_plain_hexadecimal(from, out);
        return l->p;
    }
    struct plain_token t;
    const uint32_t *id = plain_token(&l->p, '\0', &t) ? plain_meaning(w, &t) : NULL;
    if (!id)
        return false;
    *out = (struct value){*id, ASSAY_WORD};
    return true;
}

/* `(1, x)`, `()`, or nothing */
static inline bool hist_plain_arguments(struct plain_words *w, struct plain *l)
{
    if (*l->p != '(')
        return true;
    if (*++l->p == ')') {
        l->p++;
        return true;
    }
    for (;; l->p += *l->p == ' ') {
        if (l->op.arity == PLAIN_ARGUMENTS || !hist_plain_value(w, l, &l->args[l->op.arity++]))
            return false;
        char c = *l->p++;
        if (c == ')')
            return true;
        if (c != ',')
            return false;
    }
}

struct hist_plain_event {
    struct plain_token id, method; /* a return has no method */
    bool is_call;
};

/* `[t0] call push` or `[t0] return`, with which the line begins. */
static inline bool hist_plain_event(struct plain *l, struct hist_plain_event *e)
{
    if (*l->p++ != '[' || !plain_token(&l->p, ']', &e->id) || !PLAIN(l, "] "))
        return false;
    e->is_call = PLAIN(l, "call ");
    return e->is_call ? plain_token(&l->p, '\0', &e->method) : PLAIN(l, "return");
}

/* ` 5` behind the return, or nothing; then the end of the line. */
static inline bool hist_plain_result(struct plain_words *w, struct plain *l, struct value *out)
{
    *out = (struct value){0};
    return (!PLAIN(l, " ") || hist_plain_value(w, l, out)) && plain_line_end(l);
}

#endif
