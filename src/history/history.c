/* SPDX-License-Identifier: Apache-2.0 */
#include "history/history.h"

#include "history/token.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- life ---- */

history *history_new(void)
{
    history *h = calloc(1, sizeof *h);
    if (!h)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    h->names = names_in(&h->mem);
    h->header_texts = arena_in(&h->mem);
    h->source = ID_NONE;
    return h;
}

void history_free(history *h)
{
    if (!h)
        return;
    mem_release(&h->mem);
    free(h);
}

/* ---- building ---- */

uint32_t history_name(history *h, const char *text, size_t length)
{
    return names_put(&h->names, text, length);
}

uint32_t history_thread(history *h, uint32_t name)
{
    while (h->thread_of_name.n <= name)
        vec_push(&h->mem, &h->thread_of_name, ID_NONE);
    if (h->thread_of_name.at[name] == ID_NONE) {
        struct thread t = {.name = name, .last = ID_NONE};
        vec_push(&h->mem, &h->threads, t);
        h->thread_of_name.at[name] = h->threads.n - 1;
    }
    return h->thread_of_name.at[name];
}

uint32_t history_own_thread(history *to, const char *name)
{
    struct text t = text_in(&to->mem);
    text_printf(&t, "%s-open", name);
    for (uint32_t n = to->n; names_find(&to->names, text_get(&t), t.n) != ID_NONE; n++) {
        t.n = 0;
        text_printf(&t, "%s-open-%u", name, (unsigned)n);
    }
    uint32_t thread = history_thread(to, history_name(to, text_get(&t), t.n));
    mem_free(&to->mem, t.at);
    return thread;
}

void history_part(history *h, uint32_t op)
{
    uint32_t from = h->thread[op];
    uint32_t own = history_own_thread(h, history_text(h, h->threads.at[from].name));
    struct thread *t = &h->threads.at[from], *to = &h->threads.at[own];
    to->count = 1;
    to->last = op;
    to->column = t->column;
    h->thread[op] = own;
    t->last = ID_NONE;
    if (--t->count)
        for (uint32_t i = op; t->last == ID_NONE && i--;)
            t->last = h->thread[i] == from ? i : ID_NONE;
}

struct value history_longer(history *h, struct value list, struct value element)
{
    const struct name *text = kind_is_text(element.kind) ? &h->names.all.at[element.bits] : NULL;
    return (struct value){lists_longer(&h->mem, &h->lists, (uint32_t)list.bits, element, text), ASSAY_LIST};
}

#define RESIZE(column, cap) ((column) = mem_resize(&h->mem, (column), mem_product((cap), sizeof *(column))))

/* The next capacity of columns, of which `expected` rows are expected. A guess takes nothing from memory that is
 * limited, and does not go far beyond the rows at hand. */
static uint32_t grown(const history *h, uint32_t cap, uint64_t expected)
{
    enum { FAR = 8 };
    if (cap > UINT32_MAX / 2)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    uint64_t far = (uint64_t)FAR * cap, guess = expected < far ? expected : far;
    uint32_t usual = cap + cap / 2 + 64;
    return h->mem.limit || guess < usual || guess > UINT32_MAX / 2 ? usual : (uint32_t)guess;
}

static void grow_rows(history *h)
{
    uint32_t cap = grown(h, h->cap, h->expected);
    RESIZE(h->thread, cap);
    RESIZE(h->method, cap);
    RESIZE(h->values_at, cap + 1);
    RESIZE(h->flags, cap);
    if (h->object_column)
        RESIZE(h->object_column, cap);
    if (h->line_column)
        RESIZE(h->line_column, cap);
    if (h->column_column)
        RESIZE(h->column_column, cap);
    if (h->call) {
        RESIZE(h->call, cap);
        RESIZE(h->ret, cap);
    }
    if (h->after_at)
        RESIZE(h->after_at, cap + 1);
    h->cap = cap;
}

static void grow_values(history *h, uint32_t more)
{
    uint32_t cap = grown(h, h->value_cap, h->n ? h->expected * h->value_n / h->n : 0) + 64 + more;
    RESIZE(h->value_kind, cap);
    RESIZE(h->value_bits, cap);
    if (h->value_notation)
        RESIZE(h->value_notation, cap);
    if (h->value_line) {
        RESIZE(h->value_line, cap);
        memset(h->value_line + h->value_cap, 0, (cap - h->value_cap) * sizeof *h->value_line);
    }
    h->value_cap = cap;
}

static void put_notation(history *h, uint32_t slot, uint32_t notation)
{
    if (!h->value_notation)
        h->value_notation = mem_new_zero(&h->mem, uint32_t, h->value_cap);
    h->value_notation[slot] = notation;
}

static void put_value(history *h, uint32_t slot, struct value v)
{
    bool wide = v.bits != (int32_t)v.bits;
    if (wide) {
        vec_push(&h->mem, &h->wide, v.bits);
        v.bits = h->wide.n - 1;
    }
    h->value_kind[slot] = wide ? v.kind | VALUE_WIDE : v.kind;
    h->value_bits[slot] = (int32_t)v.bits;
    if (v.notation || h->value_notation)
        put_notation(h, slot, v.notation);
}

/* A column that was not needed so far. The row that is being added is the first that it is needed for. */
#define SPELL_OUT(column, of)                                                                                          \
    do {                                                                                                               \
        (column) = mem_alloc(&h->mem, mem_product(h->cap, sizeof *(column)));                                          \
        for (uint32_t o = 0; o < h->n; o++)                                                                            \
            (column)[o] = (of);                                                                                        \
    } while (0)

static void put_object(history *h, uint32_t row, uint32_t object)
{
    if (!h->object_column && object != ID_NONE)
        SPELL_OUT(h->object_column, ID_NONE);
    if (h->object_column)
        h->object_column[row] = object;
}

static void put_place(history *h, uint32_t row, const struct new_op *op)
{
    struct thread *t = &h->threads.at[op->thread];
    uint32_t line = op->line > UINT32_MAX ? UINT32_MAX : (uint32_t)op->line;
    uint32_t column = op->column > UINT16_MAX ? UINT16_MAX : op->column;
    if (row == 0)
        h->first_line = line;
    if (t->count == 0)
        t->column = column;
    if (!h->line_column && line != h->first_line + row)
        SPELL_OUT(h->line_column, h->first_line + o);
    if (h->line_column)
        h->line_column[row] = line;
    if (!h->column_column && column != t->column)
        SPELL_OUT(h->column_column, (uint16_t)h->threads.at[h->thread[o]].column);
    if (h->column_column)
        h->column_column[row] = (uint16_t)column;
}

uint32_t history_append(history *h, const struct new_op *op)
{
    if (h->n == h->cap)
        grow_rows(h);
    if (h->value_cap - h->value_n < op->arity + 1)
        grow_values(h, op->arity + 1);
    uint32_t row = h->n;
    h->thread[row] = op->thread;
    h->method[row] = op->method;
    h->values_at[row] = h->value_n;
    h->flags[row] = op->pending ? OP_PENDING : 0;
    put_object(h, row, op->object);
    put_place(h, row, op);
    for (uint32_t i = 0; i < op->arity; i++)
        put_value(h, h->value_n++, op->args[i]);
    put_value(h, h->value_n++, op->result);
    h->values_at[row + 1] = h->value_n;
    if (h->call)
        h->call[row] = h->ret[row] = 0;
    if (h->after_at)
        h->after_at[row + 1] = h->after.n;
    h->threads.at[op->thread].count++;
    h->threads.at[op->thread].last = row;
    h->n = row + 1;
    return row;
}

void history_set_access_line(history *h, uint32_t op, uint32_t i, uint32_t line)
{
    if (!h->value_line)
        h->value_line = mem_new_zero(&h->mem, uint32_t, h->value_cap);
    h->value_line[h->values_at[op] + 3 * i] = line;
}

void history_set_times(history *h, uint32_t op, int64_t call, int64_t ret)
{
    if (!h->call) {
        h->call = mem_new_zero(&h->mem, int64_t, h->cap);
        h->ret = mem_new_zero(&h->mem, int64_t, h->cap);
    }
    h->call[op] = call;
    h->ret[op] = ret;
}

void history_return(history *h, uint32_t op, struct value result, int64_t time)
{
    put_value(h, h->values_at[op + 1] - 1, result);
    h->flags[op] &= (uint8_t)~OP_PENDING;
    h->ret[op] = time;
}

void history_begin_after(history *h)
{
    if (!h->after_at)
        h->after_at = mem_new_zero(&h->mem, uint32_t, (size_t)h->cap + 1);
}

void history_add_after(history *h, uint32_t op, struct after known)
{
    history_begin_after(h);
    vec_push(&h->mem, &h->after, known);
    h->after_at[op + 1] = h->after.n;
}

void history_check_knowledge(const history *h, assay_error *e)
{
    for (uint32_t op = 0; h->after_at && op < h->n; op++)
        for (uint32_t i = h->after_at[op]; i < h->after_at[op + 1]; i++) {
            struct after known = h->after.at[i];
            const struct thread *t = &h->threads.at[known.thread];
            if (known.count > t->count)
                history_fault(h, op, e, ASSAY_ERROR_INPUT, "it knows of %u operations of %s, which has only %u",
                              known.count, history_text(h, t->name), t->count);
            else if (known.count == t->count && t->count && history_pending(h, t->last))
                history_fault(h, op, e, ASSAY_ERROR_INPUT,
                              "it knows of %u operations of %s that had returned, but the last of these never did",
                              known.count, history_text(h, t->name));
            else
                continue;
            escape_raise(ESCAPE_ERROR);
        }
}

/* ---- reading ---- */

bool history_aborted(const history *h, uint32_t op)
{
    struct value end = history_result(h, op);
    return end.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)end.bits), "abort") == 0;
}

bool history_any_initial(const history *h)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].value.kind == ASSAY_NONE)
            return true;
    return false;
}

struct value history_initial(const history *h, struct value variable)
{
    const struct binding *said = h->init.n ? bindings_find(&h->init, variable) : NULL;
    if (!said && h->init.n)
        said = bindings_find(&h->init, (struct value){.kind = ASSAY_NONE});
    return said ? said->value : (struct value){0, ASSAY_INT};
}

enum times history_times(const history *h)
{
    return h->call ? TIMES_INTERVALS : h->after_at ? TIMES_AFTER : TIMES_NONE;
}

uint32_t history_left_open(const history *h)
{
    for (uint32_t op = 0; op < h->n; op++)
        if (history_pending(h, op) && h->threads.at[h->thread[op]].last != op)
            return op;
    return ID_NONE;
}

const char *history_source(const history *h)
{
    return h->source == ID_NONE ? NULL : history_text(h, h->source);
}

const char *history_object(const history *h, uint32_t object)
{
    uint32_t place = idmap_get(&h->object_place, object);
    if (place != ID_NONE)
        return history_text(h, h->objects.at[place].kind);
    return object == ID_NONE ? NULL : history_object(h, ID_NONE);
}

void history_declare(history *h, struct object o)
{
    uint32_t place = idmap_get(&h->object_place, o.name);
    if (place != ID_NONE) {
        h->objects.at[place] = o;
    } else { /* indexed last: the index names nothing that an escape left out */
        vec_push(&h->mem, &h->objects, o);
        *idmap_at(&h->mem, &h->object_place, o.name) = h->objects.n - 1;
    }
}

void history_fault(const history *h, uint32_t op, assay_error *e, assay_error_code code, const char *format, ...)
{
    char message[sizeof e->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    error_set(e, code, "%s", message);
    if (history_line(h, op))
        error_place(e, history_source(h), history_line(h, op), history_column(h, op));
}
