/* SPDX-License-Identifier: Apache-2.0 */
#include "format/hist_line.h"

static struct value value(struct cursor *c, history *h)
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
static struct value argument(struct cursor *c, history *h, bool txn)
{
    skip_space(c);
    if (!txn || *c->p != '?')
        return value(c, h);
    c->p++;
    return (struct value){0};
}

/* Text that is neither argument nor separator, at the cursor; the last argument ended at `behind`. */
static _Noreturn void no_argument(struct cursor *c, const char *behind)
{
    if (c->p == behind && !at_end(c))
        FAULT_REMEDY(c, c->p, "a text with other characters is put in quotation marks",
                     "expected `,` or `)` after an argument");
    FAULT(c, c->p, "expected `,` or `)` after an argument");
}

/* Commas separate arguments; within `txn(r x 1, w y 2)` spaces do, too. */
static void arguments(struct cursor *c, history *h, struct entry *e)
{
    bool txn = token_is_txn(h, e->op.method);
    skip_space(c);
    if (*c->p != '(')
        return;
    e->notation = NOTATION_BRACKETS;
    c->p++;
    skip_space(c);
    if (*c->p == ')') {
        c->p++;
        return;
    }
    for (;;) {
        vec_push(&h->mem, &e->args, argument(c, h, txn));
        const char *behind = c->p;
        skip_space(c);
        if (*c->p == ')')
            break;
        if (*c->p == ',')
            c->p++;
        else if (!txn || c->p == behind)
            no_argument(c, behind);
    }
    c->p++;
}

/* The arguments of the dialect `[1] call push 5`, which has no brackets. */
static void bare_arguments(struct cursor *c, history *h, struct entry *e)
{
    skip_space(c);
    bool some = token_is_word_char((unsigned char)*c->p) || *c->p == '"' || *c->p == '[';
    if (e->notation == NOTATION_BRACKETS || !some)
        return;
    e->notation = NOTATION_BARE;
    for (; !at_end(c) && *c->p != '@'; skip_space(c))
        vec_push(&h->mem, &e->args, value(c, h));
}

static void call(struct cursor *c, history *h, struct entry *e)
{
    skip_space(c);
    size_t length;
    const char *name = word(c, &length);
    if (!length)
        FAULT(c, c->p, "expected a method, as in `write(x, 1)`");
    e->op.line = c->line.number;
    e->op.column = (uint32_t)(name - c->line.at) + 1;
    const char *dot = name + length;
    while (dot > name && dot[-1] != '.')
        dot--;
    if (dot > name) { /* object.method */
        if (dot - 1 == name || dot == name + length)
            FAULT(c, name, "expected `object.method`");
        e->op.object = history_name(h, name, (size_t)(dot - 1 - name));
        length -= (size_t)(dot - name);
        name = dot;
    }
    e->op.method = history_name(h, name, length);
    arguments(c, h, e);
}

static void end_arguments(struct entry *e)
{
    e->op.args = e->args.at;
    e->op.arity = e->args.n;
}

/* ---- times of operations ---- */

/* `120..180`, `120..` */
static void interval(struct cursor *c, struct entry *e)
{
    const char *from = c->p;
    e->times = TIMES_INTERVAL;
    e->called_at = e->returned_at = from;
    e->called = cursor_integer(c, "a time, as in `@ 120..180`, or `after`");
    e->returned = INT64_MAX;
    if (!take(c, ".."))
        FAULT(c, c->p, "expected `..` between the times of call and return");
    bool open = *c->p != '-' && !at_digit(c);
    if (!open)
        e->returned = cursor_integer(c, "the time of the return");
    if (open && e->op.result.kind != ASSAY_NONE)
        FAULT(c, c->p, "expected the time of the return, since there is a result");
    if (!open && e->op.pending)
        FAULT(c, from, "an operation with `=> ?` has no time of return");
    e->op.pending |= open;
}

/* `after t0:2 t2:5` */
static void knowledge(struct cursor *c, history *h, struct entry *e)
{
    e->times = TIMES_KNOWLEDGE;
    for (skip_space(c); !at_end(c); skip_space(c)) {
        size_t length;
        const char *name = word(c, &length);
        if (!length || !take(c, ":"))
            FAULT(c, c->p, "expected `thread:count`, as in `@ after t0:2 t2:5`");
        struct known_thread known = {.name = history_name(h, name, length)};
        const char *from = c->p;
        int64_t count = cursor_integer(c, "how many operations of the thread had returned");
        if (count < 0 || count > UINT32_MAX - 1)
            FAULT(c, from, "expected how many operations of the thread had returned");
        known.count = (uint32_t)count;
        vec_push(&h->mem, &e->known, known);
    }
}

/* ---- operations: thread: call => result @ times ---- */

static void operation(struct cursor *c, history *h, struct entry *e)
{
    e->kind = ENTRY_OPERATION;
    call(c, h, e);
    end_arguments(e);
    const char *behind = c->p;
    skip_space(c);
    if (behind[-1] != ')' && !at_end(c) && *c->p != '@' && strncmp(c->p, "=>", 2) != 0)
        FAULT_REMEDY(c, behind, "a method is a word: letters, digits, _ - .; its arguments are in brackets",
                     "expected `(`, `=> result`, `@ times` or the end of the line behind the method");
    if (take(c, "=>")) {
        skip_space(c);
        e->op.pending = take(c, "?");
        if (!e->op.pending)
            e->op.result = value(c, h);
        skip_space(c);
    }
    e->times_at = c->p;
    if (take(c, "@")) {
        skip_space(c);
        e->times_at = c->p;
        if (take(c, "after"))
            knowledge(c, h, e);
        else
            interval(c, e);
    }
    cursor_expect_end(c, "`=> result`, `@ times`");
    if (c->open_end)
        e->doubt = strpbrk(e->at, "(@=") ? DOUBT_OUTCOME : DOUBT_CALL;
}

/* ---- events: [id] call ..., [id] return ... ---- */

/* `@ 120`, and then the end of the line. */
static void event_time(struct cursor *c, struct entry *e, const char *expected)
{
    e->times_at = c->p;
    skip_space(c);
    if (take(c, "@")) {
        skip_space(c);
        e->times = TIMES_EVENT;
        e->called = cursor_integer(c, "the time of the event, as in `@ 120`");
    }
    cursor_expect_end(c, expected);
}

static void call_event(struct cursor *c, history *h, struct entry *e)
{
    e->kind = ENTRY_CALL;
    call(c, h, e);
    bool closed = e->notation == NOTATION_BRACKETS;
    bare_arguments(c, h, e);
    end_arguments(e);
    event_time(c, e, "`(arguments)`, `@ time`");
    closed &= e->times == TIMES_ABSENT;
    e->doubt = closed ? DOUBT_OUTCOME : e->notation == NOTATION_BARE ? DOUBT_ARGUMENT : DOUBT_CALL;
}

/* `?` in the place of a result: the caller is gone, and the call never returns. */
static void return_event(struct cursor *c, history *h, struct entry *e)
{
    e->kind = ENTRY_RETURN;
    e->doubt = DOUBT_OUTCOME;
    skip_space(c);
    e->op.pending = take(c, "?");
    if (!e->op.pending && !at_end(c) && *c->p != '@')
        e->op.result = value(c, h);
    event_time(c, e, e->op.pending ? "`@ time`" : "a result, `@ time`");
}

/* The cursor is at the `[`. */
static void event(struct cursor *c, history *h, struct entry *e)
{
    size_t length;
    c->p++;
    skip_space(c);
    e->at = word(c, &length);
    skip_space(c);
    if (!length || !take(c, "]"))
        FAULT(c, c->p, "expected an id and `]`, as in `[1] call push(5)`");
    e->name = history_name(h, e->at, length);
    skip_space(c);
    const char *verb = word(c, &length);
    if (length == 4 && memcmp(verb, "call", 4) == 0)
        call_event(c, h, e);
    else if (length == 6 && memcmp(verb, "return", 6) == 0)
        return_event(c, h, e);
    else
        FAULT(c, verb, "expected `call` or `return`");
}

/* ---- headers ---- */

void hist_header_key(struct cursor *c, struct entry *e)
{
    e->kind = ENTRY_HEADER;
    e->key = word(c, &e->key_length);
    skip_space(c);
    e->text = e->text_at = c->p;
    e->text_length = 0;
}

void hist_header_text(struct cursor *c, struct entry *e)
{
    const char *end = c->line.end;
    if (!e->key_length)
        FAULT(c, e->key, "expected a key, as in `# @object memory`");
    while (end > e->text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    e->text_length = (size_t)(end - e->text);
    const char *nul = memchr(e->text, '\0', e->text_length), *cr = memchr(e->text, '\r', e->text_length);
    if (nul)
        FAULT(c, nul, "a NUL byte in a header: this is not text");
    if (cr)
        FAULT_REMEDY(c, cr, "end lines with LF or CRLF", "a carriage return within a line");
}

/* The cursor is behind the @. Behind the first operation a comment with an unknown key is only a comment. */
static void header(struct cursor *c, struct entry *e)
{
    e->at = c->p - 1;
    e->doubt = DOUBT_SETTING;
    hist_header_key(c, e);
    if (e->begun && e->comment && !history_header_known(e->key, e->key_length))
        e->kind = ENTRY_NOTHING;
    else
        hist_header_text(c, e);
}

/* ---- lines ---- */

/* --- between two histories. */
static bool is_border(const struct cursor *c)
{
    if (strncmp(c->p, "---", 3) != 0)
        return false;
    const char *p = c->p + 3;
    while (*p == ' ' || *p == '\t')
        p++;
    return p == c->line.end || *p == '#';
}

static void statement(struct cursor *c, history *h, struct entry *e)
{
    size_t length;
    if (*c->p == '[' && e->forms->events) {
        event(c, h, e);
        return;
    }
    e->at = word(c, &length);
    skip_space(c);
    if (!length || *c->p != ':' || !e->forms->operations)
        FAULT_REMEDY(c, length && e->forms->operations ? c->p : e->at, e->forms->remedy, "expected %s",
                     e->forms->expected);
    c->p++;
    e->name = history_name(h, e->at, length);
    operation(c, h, e);
}

void hist_line(struct cursor *c, history *h, struct entry *e)
{
    skip_space(c);
    entry_begin(e, c->p);
    e->comment = *c->p == '#';
    if (e->comment) {
        c->p++;
        skip_space(c);
    }
    if (*c->p == '@') {
        c->p++;
        header(c, e);
    } else if (e->comment || c->p == c->line.end) {
        return;
    } else if (is_border(c)) {
        e->kind = ENTRY_BORDER;
    } else {
        statement(c, h, e);
    }
}
