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
    }
}

int printed_order(assay_value a, assay_value b)
{
    if (a.kind != b.kind)
        return a.kind < b.kind ? -1 : 1;
    if (a.kind == ASSAY_NONE || a.kind == ASSAY_INT)
        return (a.integer > b.integer) - (a.integer < b.integer);
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

size_t printed_one(assay_value v, char *out, size_t size)
{
    struct printed p = {.out = out, .size = size};
    printed_value(&p, v);
    return p.length;
}
