/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/printed.h"

#include "base/notation.h"

#include <string.h>

static void add(struct printed *p, const char *bytes, size_t n)
{
    if (p->length + 1 < p->size) {
        size_t room = p->size - 1 - p->length, take = n < room ? n : room;
        memcpy(p->out + p->length, bytes, take);
        p->out[p->length + take] = '\0';
    }
    p->length += n;
}

void printed_text(struct printed *p, const char *text)
{
    add(p, text, strlen(text));
}

/* The elements come from the end, so long lists are shown by that. */
static void printed_list(struct printed *p, assay_value v)
{
    enum { SHOWN = 16 };
    assay_value last[SHOWN], rest = v;
    size_t n = 0;
    for (; n < SHOWN && rest.length; rest = assay_list_before(rest))
        last[n++] = assay_list_last(rest);
    add(p, "[", 1);
    printed_text(p, rest.length ? "... " : "");
    for (; n; add(p, " ", --n > 0))
        printed_value(p, last[n - 1]);
    add(p, "]", 1);
}

void printed_value(struct printed *p, assay_value v)
{
    char number[NOTATION_TEXT];
    switch (v.kind) {
    case ASSAY_NONE: break;
    case ASSAY_INT: add(p, number, notation_print(number, v.integer, notation_checked(v.length))); break;
    case ASSAY_WORD: add(p, v.text, v.length); break;
    case ASSAY_STRING:
        add(p, "\"", 1);
        add(p, v.text, v.length);
        add(p, "\"", 1);
        break;
    case ASSAY_LIST: printed_list(p, v); break;
    }
}

static int list_order(assay_value a, assay_value b)
{
    int order = (a.length > b.length) - (a.length < b.length);
    for (; !order && a.length; a = assay_list_before(a), b = assay_list_before(b))
        order = printed_order(assay_list_last(a), assay_list_last(b));
    return order;
}

int printed_order(assay_value a, assay_value b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.kind == ASSAY_NONE || a.kind == ASSAY_INT)
        return (a.integer > b.integer) - (a.integer < b.integer);
    if (a.kind == ASSAY_LIST)
        return list_order(a, b);
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

size_t printed_one(assay_value v, char *out, size_t size)
{
    struct printed p = {.out = out, .size = size};
    printed_value(&p, v);
    return p.length;
}
