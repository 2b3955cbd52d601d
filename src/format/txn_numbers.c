/* SPDX-License-Identifier: Apache-2.0 */
#include "format/txn_numbers.h"

#include "base/escape.h"
#include "history/token.h"

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

bool txn_aborted(const history *h, uint32_t op)
{
    return is_word(h, history_result(h, op), "abort");
}

static struct value initial(const history *h, struct value key)
{
    const struct binding *b = bindings_find(&h->init, key);
    b = b ? b : bindings_find(&h->init, (struct value){0});
    return b ? b->value : (struct value){0, ASSAY_INT};
}

/* ---- faults ---- */

static _Noreturn void refuse(const history *h, uint32_t op, const struct writing *w, const char *format,
                             const char *remedy, const char *fault)
{
    history_fault(h, op, w->e, ASSAY_ERROR_NOT_APPLICABLE, "%s cannot hold %s", format, fault);
    error_remedy(w->e, "%s", remedy);
    escape_raise(ESCAPE_ERROR);
}

static void check_access(const history *h, uint32_t op, uint32_t i, const struct writing *w, const char *format)
{
    struct value how = history_arg(h, op, 3 * i), value = history_arg(h, op, 3 * i + 2);
    if (is_word(h, how, "append") || value.kind == ASSAY_LIST)
        refuse(h, op, w, format, "hist and jsonl can", "lists");
    if (!is_word(h, how, "r") && !is_word(h, how, "w"))
        refuse(h, op, w, format, "it holds transactions of reads and writes", "this transaction");
    if (value.kind == ASSAY_NONE && !txn_aborted(h, op))
        refuse(h, op, w, format, "hist and jsonl can", "a read of unknown result");
}

static void check_operation(const history *h, uint32_t op, const struct writing *w, const char *format)
{
    if (!token_is_txn(h, h->method[op]) || history_arity(h, op) % 3 || history_object_of(h, op) != ID_NONE)
        refuse(h, op, w, format, "it holds transactions: `txn(r x 1, w y 2)`", "this operation");
    if (history_pending(h, op))
        refuse(h, op, w, format, "hist and jsonl can", "a transaction whose outcome is unknown");
    for (uint32_t i = 0; i < txn_count(h, op); i++)
        check_access(h, op, i, w, format);
}

/* ---- numbers ---- */

static bool is_number(const history *h, uint32_t op, uint32_t i)
{
    struct value key = history_arg(h, op, 3 * i + 1), value = history_arg(h, op, 3 * i + 2), first = initial(h, key);
    return key.kind == ASSAY_INT && (value.kind == ASSAY_INT || value.kind == ASSAY_NONE) && first.kind == ASSAY_INT &&
           first.bits == 0;
}

struct txn_numbers txn_numbers(const history *h, const struct writing *w, const char *format)
{
    struct txn_numbers s = {.h = h, .mem = w->mem, .as_they_are = true};
    for (uint32_t op = 0; op < h->n; op++) {
        check_operation(h, op, w, format);
        for (uint32_t i = 0; i < txn_count(h, op); i++)
            s.as_they_are &= is_number(h, op, i);
    }
    return s;
}

uint32_t txn_numbers_keys(struct txn_numbers *s)
{
    for (uint32_t op = 0; op < s->h->n; op++)
        for (uint32_t i = 0; i < txn_count(s->h, op); i++)
            value_id(s->mem, &s->keys, history_arg(s->h, op, 3 * i + 1));
    return s->keys.n;
}

bool txn_number(struct txn_numbers *s, uint32_t op, uint32_t i, struct txn_number *out)
{
    const history *h = s->h;
    struct value key = history_arg(h, op, 3 * i + 1), value = history_arg(h, op, 3 * i + 2);
    if (value.kind == ASSAY_NONE)
        return false;
    out->writes = is_word(h, history_arg(h, op, 3 * i), "w");
    out->key = s->as_they_are ? key.bits : value_id(s->mem, &s->keys, key);
    if (s->as_they_are)
        out->value = value.bits;
    else
        out->value = value_same(value, initial(h, key)) ? 0 : 1 + (int64_t)value_id(s->mem, &s->values, value);
    return true;
}
