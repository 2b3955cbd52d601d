/* SPDX-License-Identifier: Apache-2.0 */
#include "report/brief.h"

#include "history/lists.h"
#include "history/token.h"

#include <string.h>

enum {
    MANY = 64,      /* operations of an argument, of which none is left out */
    SHORT_LIST = 8, /* elements that are all shown */
};

static const char ellipsis[] = "\xe2\x80\xa6";

struct brief {
    const result *r;
    const history *h;
    struct mentions about;
    uint32_t op;
    struct text *out;
};

static uint32_t accesses(const history *h, uint32_t op)
{
    return token_is_txn(h, h->method[op]) ? history_arity(h, op) / 3 : 0;
}

static struct value key_of(const history *h, uint32_t op, uint32_t i)
{
    return history_arg(h, op, 3 * i + 1);
}

/* ---- which accesses stay? ---- */

static bool is_at_fault(const struct brief *b, struct value key)
{
    const struct evidence *ev = &b->r->evidence;
    if (ev->culprit != ASSAY_NO_OPERATION && ev->access < accesses(b->h, ev->culprit))
        return value_same(key, key_of(b->h, ev->culprit, ev->access));
    if (b->op != ev->culprit)
        return false;
    uint32_t reads = 0; /* two reads of one variable contradict each other */
    for (uint32_t i = 0; i < accesses(b->h, b->op); i++)
        reads += token_reads(b->h, b->op, i) && value_same(key, key_of(b->h, b->op, i));
    return reads > 1;
}

static bool is_shared(const struct brief *b, uint32_t access)
{
    struct value key = key_of(b->h, b->op, access);
    bool write = !token_reads(b->h, b->op, access);
    for (uint32_t k = 0; k < b->about.n; k++) {
        uint32_t other = b->about.ops[k];
        for (uint32_t i = 0; other != b->op && i < accesses(b->h, other); i++)
            if (value_same(key, key_of(b->h, other, i)) && (write || !token_reads(b->h, other, i)))
                return true;
    }
    return false;
}

static bool stays(const struct brief *b, uint32_t access)
{
    return is_at_fault(b, key_of(b->h, b->op, access)) || is_shared(b, access);
}

/* ---- which elements of a list stay? ---- */

/* The operation of the argument that wrote the element, or none of them. */
static uint32_t writer_of(const struct brief *b, struct value key, struct value element)
{
    for (uint32_t k = 0; k < b->about.n; k++)
        for (uint32_t i = 0; i < accesses(b->h, b->about.ops[k]); i++)
            if (!token_reads(b->h, b->about.ops[k], i) && value_same(key, key_of(b->h, b->about.ops[k], i)) &&
                value_same(element, history_arg(b->h, b->about.ops[k], 3 * i + 2)))
                return b->about.ops[k];
    return ASSAY_NO_OPERATION;
}

/* The first place in which two lists differ; the length of the shorter one if it begins the other. */
static uint32_t differ_at(const struct list_value *a, const struct list_value *b)
{
    while (a->length > b->length)
        a = a->before;
    while (b->length > a->length)
        b = b->before;
    uint32_t at = a->length;
    for (; a->before; a = a->before, b = b->before)
        at = value_same(a->last, b->last) ? at : a->length - 1;
    return at;
}

/* With a neighbour on each side. */
static void show_around(bool *shown, uint32_t n, uint32_t at)
{
    for (uint32_t i = at ? at - 1 : 0; i < n && i <= at + 1; i++)
        shown[i] = true;
}

static void mark_differences(const struct brief *b, struct value key, const struct list_value *list, bool *shown)
{
    for (uint32_t k = 0; k < b->about.n; k++)
        for (uint32_t i = 0; i < accesses(b->h, b->about.ops[k]); i++) {
            struct value v = history_arg(b->h, b->about.ops[k], 3 * i + 2);
            if (v.kind == ASSAY_LIST && value_same(key, key_of(b->h, b->about.ops[k], i)) &&
                b->h->lists.all.at[v.bits] != list)
                show_around(shown, list->length, differ_at(list, b->h->lists.all.at[v.bits]));
        }
}

static void put_list(const struct brief *b, struct value key, const struct list_value *list)
{
    struct mem *m = b->out->mem;
    const struct list_value **elements = list_elements(list, m);
    bool *shown = mem_new_zero(m, bool, (size_t)list->length + 1), dots = false;
    mark_differences(b, key, list, shown);
    uint32_t before = ASSAY_NO_OPERATION;
    for (uint32_t i = 0; i < list->length; i++) { /* of elements in a row by one writer, the first and the last */
        uint32_t writer = writer_of(b, key, elements[i]->last);
        if (writer != before && i && before != ASSAY_NO_OPERATION)
            shown[i - 1] = true;
        if ((writer != before && writer != ASSAY_NO_OPERATION) || i + 1 == list->length)
            shown[i] = true;
        before = writer;
    }
    text_char(b->out, '[');
    for (uint32_t i = 0; i < list->length; i++) {
        if (shown[i] || !dots)
            text_puts(b->out, i ? " " : "");
        if (shown[i])
            token_print(b->out, b->h, elements[i]->last);
        else if (!dots)
            text_puts(b->out, ellipsis);
        dots = !shown[i];
    }
    text_char(b->out, ']');
    mem_free(m, shown);
    mem_free(m, elements);
}

/* ---- the call ---- */

static void put_access(const struct brief *b, uint32_t access)
{
    struct value value = history_written(b->h, b->op, 3 * access + 2);
    describe_say(b->out, b->h, "%V %V ", history_written(b->h, b->op, 3 * access),
                 history_written(b->h, b->op, 3 * access + 1));
    const struct list_value *list = value.kind == ASSAY_LIST ? b->h->lists.all.at[value.bits] : NULL;
    if (list && list->length > SHORT_LIST)
        put_list(b, key_of(b->h, b->op, access), list);
    else
        token_print(b->out, b->h, value);
}

static void put_accesses(const struct brief *b)
{
    bool dots = false;
    for (uint32_t i = 0; i < accesses(b->h, b->op); i++) {
        bool stay = stays(b, i);
        if (stay || !dots)
            text_puts(b->out, i ? ", " : "");
        if (stay)
            put_access(b, i);
        else if (!dots)
            text_puts(b->out, ellipsis);
        dots = !stay;
    }
}

bool brief_call(struct text *t, const result *r, struct mentions about, uint32_t op)
{
    struct brief b = {r, r->h, about, op, t};
    uint32_t staying = 0;
    for (uint32_t i = 0; about.n <= MANY && i < accesses(r->h, op); i++)
        staying += stays(&b, i);
    if (!staying)
        return false;
    text_printf(t, "%s(", history_text(r->h, r->h->method[op]));
    put_accesses(&b);
    text_char(t, ')');
    struct value outcome = history_written_result(r->h, op);
    if (history_pending(r->h, op))
        text_puts(t, " => ?");
    else if (outcome.kind != ASSAY_NONE)
        describe_say(t, r->h, " => %V", outcome);
    return true;
}
