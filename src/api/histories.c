/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions on histories and values (assay.h). Each is a protected call: an escape inside becomes an
 * assay_error here. */
#include "base/given.h"
#include "base/notation.h"
#include "base/shown.h"
#include "history/blocks.h"
#include "history/slice.h"
#include "history/token.h"
#include "spec/value_forms.h"

#include <stdio.h>
#include <string.h>

#define TEXT(x) #x
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)
#define VERSION_TEXT DOTTED(ASSAY_VERSION_MAJOR, ASSAY_VERSION_MINOR, ASSAY_VERSION_PATCH)

const char *assay_version(void)
{
    return VERSION_TEXT;
}

/* ---- values ---- */

assay_value assay_int(int64_t v)
{
    return (assay_value){.kind = ASSAY_INT, .integer = v};
}

assay_value assay_word(const char *text)
{
    if (!text)
        return (assay_value){0};
    return (assay_value){.kind = ASSAY_WORD, .text = text, .length = strlen(text)};
}

assay_value assay_string(const char *text, size_t length)
{
    if (!(text || !length))
        return (assay_value){0};
    return (assay_value){.kind = ASSAY_STRING, .text = text, .length = length};
}

/* The number of a text means nothing outside of its history. */
static assay_value to_public(const history *h, struct value v)
{
    assay_value out = value_public(h, v);
    if (kind_is_text(out.kind))
        out.integer = 0;
    return out;
}

/* ---- life ---- */

static void new_history(void *arg)
{
    history **h = arg;
    *h = history_new();
}

assay_history *assay_history_new(void)
{
    history *h = NULL;
    escape_run(new_history, &h);
    return h;
}

void assay_history_free(assay_history *h)
{
    history_free(h);
}

/* ---- building ---- */

struct adding {
    history *h;
    const assay_operation *op;
    assay_error *e;
    uint32_t row;
    struct arguments args;
};

static _Noreturn void wrong(struct adding *a, const char *what)
{
    error_set(a->e, ASSAY_ERROR_INPUT, "%s", what);
    escape_raise(ESCAPE_ERROR);
}

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!token_is_word_char((unsigned char)text[i]))
            return false;
    return length > 0;
}

static uint32_t word_name(struct adding *a, const char *text, const char *what)
{
    if (!text || !is_word(text, strlen(text)))
        wrong(a, what);
    return history_name(a->h, text, strlen(text));
}

static struct value to_private(struct adding *a, assay_value v);

static struct value list_to_private(struct adding *a, assay_value v)
{
    struct mem *m = &a->h->mem;
    struct value list = {lists_empty(m, &a->h->lists), ASSAY_LIST};
    assay_value *elements = mem_new(m, assay_value, v.length + 1);
    for (assay_value rest = v; rest.length; rest = assay_list_before(rest))
        elements[rest.length - 1] = assay_list_last(rest);
    for (size_t i = 0; i < v.length; i++) {
        if (elements[i].kind == ASSAY_LIST || elements[i].kind == ASSAY_NONE)
            wrong(a, "the elements of a list are integers, words and strings");
        list = history_longer(a->h, list, to_private(a, elements[i]));
    }
    mem_free(m, elements);
    return list;
}

static struct value to_private(struct adding *a, assay_value v)
{
    if (v.length && !v.text && v.kind != ASSAY_INT)
        wrong(a, "a value without its text: text is NULL");
    switch (v.kind) {
    case ASSAY_NONE: return (struct value){0};
    case ASSAY_INT: return (struct value){v.integer, ASSAY_INT, notation_checked(v.length)};
    case ASSAY_STRING: return (struct value){history_name(a->h, v.text, v.length), ASSAY_STRING};
    case ASSAY_LIST: return list_to_private(a, v);
    case ASSAY_WORD: break;
    }
    struct value word;
    const char *at = v.text, *expected;
    if (!is_word(v.text, v.length) || !token_value(a->h, &at, v.text + v.length, &word, &expected) ||
        word.kind != ASSAY_WORD)
        wrong(a, "a word value must be letters, digits, _ - . and no integer; use assay_string");
    return word;
}

static void check_times(struct adding *a, uint32_t previous)
{
    const history *h = a->h;
    const assay_operation *op = a->op;
    if (h->n && op->timed != (h->call != NULL))
        wrong(a, "either all operations of a history have times or none has");
    if (!op->timed)
        return;
    if (!op->pending && op->return_time < op->call_time)
        wrong(a, "the return is before the call");
    if (previous != ID_NONE && op->call_time < history_known_until(h, previous))
        wrong(a, "the call is earlier than the thread's previous return");
}

static void add_operation(void *arg)
{
    struct adding *a = arg;
    history *h = a->h;
    const assay_operation *op = a->op;
    if (op->arg_count >= UINT32_MAX)
        wrong(a, "more than 2^32 arguments");
    if (op->arg_count && !op->args)
        wrong(a, "there are no arguments: args is NULL");
    struct new_op row = {.object = ID_NONE};
    uint32_t thread = word_name(a, op->thread, "the thread's name must be a word: letters, digits, _ - .");
    uint32_t known = thread < h->thread_of_name.n ? h->thread_of_name.at[thread] : ID_NONE;
    uint32_t previous = known != ID_NONE ? h->threads.at[known].last : ID_NONE;
    row.method = word_name(a, op->method, "the method's name must be a word: letters, digits, _ -");
    uint32_t open = known != ID_NONE ? history_open_call(h, known) : ID_NONE;
    if (open != ID_NONE && !blocks_go_on(h, open, row.method))
        wrong(a, "the thread goes on after an operation that never returned");
    check_times(a, previous);
    if (strchr(op->method, '.'))
        wrong(a, "a method's name has no dot; the object has a field of its own");
    if (op->object)
        row.object = word_name(a, op->object, "the object's name must be a word: letters, digits, _ - .");
    for (size_t i = 0; i < op->arg_count; i++) {
        vec_push(&h->mem, &a->args, to_private(a, op->args[i]));
        bool unknown = i % 3 == 2 && token_is_txn(h, row.method); /* a transaction read a value that is not known */
        if (vec_last(&a->args).kind == ASSAY_NONE && !unknown)
            wrong(a, "an argument without a value");
    }
    row.args = a->args.at;
    row.arity = a->args.n;
    row.result = to_private(a, op->result);
    row.pending = op->pending;
    if (row.pending && row.result.kind != ASSAY_NONE)
        wrong(a, "a pending operation has no result");
    row.line = op->line;
    row.column = op->column > UINT32_MAX ? UINT32_MAX : (uint32_t)op->column;
    row.thread = history_thread(h, thread); /* now that nothing is wrong: else there would be one without operations */
    a->row = history_append(h, &row);
    if (op->timed)
        history_set_times(h, a->row, op->call_time, op->pending ? INT64_MAX : op->return_time);
}

uint32_t assay_history_add(assay_history *h, const assay_operation *op, assay_error *e)
{
    if (!GIVEN(h && op, e))
        return ASSAY_NO_OPERATION;
    struct adding a = {.h = h, .op = op, .e = e, .row = ASSAY_NO_OPERATION};
    enum escape left = escape_run(add_operation, &a);
    vec_free(&h->mem, &a.args);
    error_from_escape(e, left);
    return left ? ASSAY_NO_OPERATION : a.row;
}

struct setting {
    history *h;
    const char *key, *text;
    assay_error *e;
    bool fine;
};

/* The text need not outlive the call, so that the warning is made here. */
static void note_number_like(history *h)
{
    const char *end = h->number_like;
    while (token_is_word_char((unsigned char)*end))
        end++;
    token_number_like(h->number_like, (size_t)(end - h->number_like), h->warning);
    h->number_like = NULL;
}

static void set_header(void *arg)
{
    struct setting *s = arg;
    s->h->number_like = NULL;
    s->h->warning[0] = '\0';
    s->fine = history_header(s->h, s->key, strlen(s->key), s->text, strlen(s->text), 0, 0, s->e);
    if (s->h->number_like)
        note_number_like(s->h);
}

bool assay_history_set(assay_history *h, const char *key, const char *text, assay_error *e)
{
    if (!GIVEN(h && key && text, e))
        return false;
    struct setting s = {h, key, text, e, false};
    if (!is_word(key, strlen(key)) || strpbrk(text, "\r\n")) {
        error_set(e, ASSAY_ERROR_INPUT, "a header is a word and one line of text");
        return false;
    }
    error_from_escape(e, escape_run(set_header, &s));
    return s.fine;
}

const char *assay_history_get(const assay_history *h, const char *key)
{
    if (!h || !key)
        return NULL;
    for (uint32_t i = h->headers.n; i-- > 0;)
        if (strcmp(history_text(h, h->headers.at[i].key), key) == 0)
            return h->headers.at[i].text;
    return NULL;
}

const char *assay_history_warning(const assay_history *h)
{
    if (!h)
        return NULL;
    return h->warning[0] ? h->warning : NULL;
}

/* ---- reading ---- */

uint32_t assay_history_size(const assay_history *h)
{
    if (!h)
        return 0;
    return h->n;
}

uint32_t assay_history_threads(const assay_history *h)
{
    if (!h)
        return 0;
    return h->threads.n;
}

const char *assay_history_thread_name(const assay_history *h, uint32_t thread)
{
    if (!h)
        return NULL;
    return thread < h->threads.n ? history_text(h, h->threads.at[thread].name) : NULL;
}

assay_operation assay_history_operation(const assay_history *h, uint32_t op)
{
    if (!h)
        return (assay_operation){0};
    if (op >= h->n)
        return (assay_operation){0};
    return (assay_operation){
        .thread = history_text(h, h->threads.at[h->thread[op]].name),
        .object = history_object_of(h, op) == ID_NONE ? NULL : history_text(h, history_object_of(h, op)),
        .method = history_text(h, h->method[op]),
        .arg_count = history_arity(h, op),
        .result = to_public(h, history_written_result(h, op)),
        .pending = history_pending(h, op),
        .timed = h->call != NULL,
        .call_time = h->call ? h->call[op] : 0,
        .return_time = h->ret ? h->ret[op] : 0,
        .line = history_line(h, op),
        .column = history_column(h, op),
    };
}

assay_value assay_history_arg(const assay_history *h, uint32_t op, size_t i)
{
    if (!h)
        return (assay_value){0};
    if (op >= h->n || i >= history_arity(h, op))
        return (assay_value){0};
    return to_public(h, history_written(h, op, (uint32_t)i));
}

struct printing {
    const history *h;
    uint32_t op;
    struct text text;
};

static void print_operation(void *arg)
{
    struct printing *p = arg;
    struct text raw = text_in(p->text.mem);
    token_print_op(&raw, p->h, p->op);
    text_shown(&p->text, text_get(&raw), raw.n, "");
}

size_t assay_history_print(const assay_history *h, uint32_t op, char *out, size_t size)
{
    if (!(h && (out || !size)))
        return 0;
    struct mem mem = {0};
    struct printing p = {h, op, text_in(&mem)};
    size_t wanted = 0;
    if (size)
        out[0] = '\0';
    if (op < h->n && !escape_run(print_operation, &p))
        wanted = (size_t)snprintf(out, size, "%s", text_get(&p.text));
    mem_release(&mem);
    return wanted;
}

void assay_history_digest(const assay_history *h, char out[17])
{
    if (!h || !out)
        return;
    snprintf(out, 17, "%016llx", (unsigned long long)history_digest(h));
}

struct slicing {
    const history *h;
    const bool *keep;
    history *out;
};

static void slice(void *arg)
{
    struct slicing *s = arg;
    s->out = history_slice(s->h, s->keep);
}

assay_history *assay_history_slice(const assay_history *h, const bool *keep)
{
    if (!h || !keep)
        return NULL;
    struct slicing s = {h, keep, NULL};
    return escape_run(slice, &s) ? NULL : s.out;
}
