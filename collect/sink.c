/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/sink.h"

#include "base/escape.h"

#include <string.h>

enum { PIECE = 1 << 16 };

/* ---- text ---- */

static void flush(struct text_sink *s)
{
    fwrite(s->text.at, 1, s->text.n, s->out);
    s->text.n = 0;
}

static void text_begin(struct collect_sink *sink, const char *origin, const char *object)
{
    struct text_sink *s = (struct text_sink *)sink;
    text_printf(&s->text, "%s# %s\n# @object %s\n", s->index ? "---\n" : "", origin, object);
}

static void add_value(struct text *t, const assay_value *v);

/* A list is taken apart from its end. */
static void add_list(struct text *t, assay_value list)
{
    size_t n = list.length;
    assay_value *elements = mem_new(t->mem, assay_value, n + 1);
    for (; list.length; list = assay_list_before(list))
        elements[list.length - 1] = assay_list_last(list);
    text_char(t, '[');
    for (size_t i = 0; i < n; i++) {
        if (i)
            text_char(t, ' ');
        add_value(t, &elements[i]);
    }
    text_char(t, ']');
    mem_free(t->mem, elements);
}

static void add_value(struct text *t, const assay_value *v)
{
    switch (v->kind) {
    case ASSAY_NONE: text_char(t, '?'); break;
    case ASSAY_INT: text_int(t, v->integer); break;
    case ASSAY_WORD: text_add(t, v->text, v->length); break;
    case ASSAY_STRING: text_json(t, v->text, v->length); break;
    case ASSAY_LIST: add_list(t, *v); break;
    }
}

static void add_call(struct text *t, const assay_operation *op)
{
    bool txn = strcmp(op->method, "txn") == 0; /* its arguments come in threes */
    text_puts(t, op->method);
    text_char(t, '(');
    for (size_t i = 0; i < op->arg_count; i++) {
        if (i && txn && i % 3)
            text_char(t, ' ');
        else if (i)
            text_add(t, ", ", 2);
        add_value(t, &op->args[i]);
    }
    text_char(t, ')');
}

static void end_line(struct text_sink *s)
{
    text_char(&s->text, '\n');
    if (s->text.n > PIECE)
        flush(s);
}

static void text_operation(struct collect_sink *sink, const assay_operation *op)
{
    struct text_sink *s = (struct text_sink *)sink;
    struct text *t = &s->text;
    text_puts(t, op->thread);
    text_add(t, ": ", 2);
    add_call(t, op);
    if (op->pending || op->result.kind != ASSAY_NONE) {
        text_add(t, " => ", 4);
        add_value(t, &op->result);
    }
    if (op->timed) {
        text_add(t, " @ ", 3);
        text_int(t, op->call_time);
        text_add(t, "..", 2);
        if (!op->pending)
            text_int(t, op->return_time);
    }
    end_line(s);
}

static void begin_event(struct text *t, const assay_operation *op, const char *what, size_t length)
{
    text_char(t, '[');
    text_puts(t, op->thread);
    text_add(t, what, length);
}

static void text_call(struct collect_sink *sink, const assay_operation *op)
{
    struct text_sink *s = (struct text_sink *)sink;
    begin_event(&s->text, op, "] call ", 7);
    add_call(&s->text, op);
    end_line(s);
}

static void text_returns(struct collect_sink *sink, const assay_operation *op)
{
    struct text_sink *s = (struct text_sink *)sink;
    begin_event(&s->text, op, "] return", 8);
    if (op->result.kind != ASSAY_NONE) {
        text_char(&s->text, ' ');
        add_value(&s->text, &op->result);
    }
    end_line(s);
}

static void text_end(struct collect_sink *sink)
{
    flush((struct text_sink *)sink);
}

struct text_sink text_sink(struct mem *mem, FILE *out, uint32_t index)
{
    return (struct text_sink){
        {text_begin, text_operation, text_call, text_returns, text_end}, text_in(mem), out, index};
}

/* ---- a history in memory ---- */

static void history_begin(struct collect_sink *sink, const char *origin, const char *object)
{
    struct history_sink *s = (struct history_sink *)sink;
    (void)origin;
    if (!assay_history_set(s->history, "object", object, s->error))
        escape_raise(ESCAPE_ERROR);
}

static void history_operation(struct collect_sink *sink, const assay_operation *op)
{
    struct history_sink *s = (struct history_sink *)sink;
    if (assay_history_add(s->history, op, s->error) == ASSAY_NO_OPERATION)
        escape_raise(ESCAPE_ERROR);
}

/* The call already knew everything. */
static void history_returns(struct collect_sink *sink, const assay_operation *op)
{
    (void)sink;
    (void)op;
}

static void history_end(struct collect_sink *sink)
{
    (void)sink;
}

struct history_sink history_sink(assay_history *h, assay_error *e)
{
    return (struct history_sink){
        {history_begin, history_operation, history_operation, history_returns, history_end}, h, e};
}
