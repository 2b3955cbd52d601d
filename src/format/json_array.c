/* SPDX-License-Identifier: Apache-2.0 */
#include "format/json_array.h"

#include <inttypes.h>

/* The next character that is no white space; false at the end of the file. */
static bool space(struct json_array *a)
{
    for (;;) {
        while (*a->raw.p == ' ' || *a->raw.p == '\t' || *a->raw.p == '\r')
            a->raw.p++;
        if (a->raw.p != a->raw.line.end)
            return true;
        if (!cursor_line(&a->raw))
            return false;
    }
}

bool json_array_begin(struct json_array *a, struct cursor *c, struct mem *mem)
{
    *a = (struct json_array){.raw = {.in = c->in, .e = c->e, .warnings = c->warnings}, .object = text_in(mem)};
    a->raw.p = a->raw.line.at = a->raw.line.end = "";
    a->pieces.mem = mem;
    if (!space(a))
        return false;
    if (*a->raw.p != '[')
        FAULT(&a->raw, a->raw.p, "expected `[`, which begins an array of operations");
    a->start = place_of(&a->raw, a->raw.p++);
    return true;
}

static _Noreturn void cut_off(struct json_array *a)
{
    FAULT(&a->raw, a->raw.p, "expected `]`, which closes the array of line %" PRIu64 ": it is cut off", a->start.line);
}

/* The part of the object that is in this line. Returns the depth of brackets behind it. */
static uint32_t gather_line(struct json_array *a, uint32_t depth)
{
    const char *from = a->raw.p;
    bool string = false;
    while (a->raw.p != a->raw.line.end) {
        char ch = *a->raw.p++;
        if (string && ch == '\\' && a->raw.p != a->raw.line.end)
            a->raw.p++;
        else if (ch == '"')
            string = !string;
        else if (!string && (ch == '{' || ch == '['))
            depth++;
        else if (!string && (ch == '}' || ch == ']') && !--depth)
            break;
    }
    if (string)
        FAULT(&a->raw, a->raw.line.end, "expected a closing quotation mark: a string ends within its line");
    pieces_add(&a->pieces, (uint32_t)a->object.n, place_of(&a->raw, from));
    text_add(&a->object, from, (size_t)(a->raw.p - from));
    text_char(&a->object, ' '); /* for the line end */
    return depth;
}

static void gather(struct json_array *a)
{
    uint32_t depth = 0;
    a->object.n = 0;
    pieces_clear(&a->pieces);
    while ((depth = gather_line(a, depth)))
        if (!space(a))
            cut_off(a);
        else if (a->object.n > INPUT_LONGEST_LINE)
            FAULT(&a->raw, a->raw.p, "an object of more than %d MiB", INPUT_LONGEST_LINE >> 20);
}

bool json_array_next(struct json_array *a, struct cursor *c)
{
    if (!space(a))
        cut_off(a);
    if (*a->raw.p == ']') {
        a->raw.p++;
        skip_space(&a->raw);
        a->raw.p += *a->raw.p == '\r';
        if (a->raw.p != a->raw.line.end)
            FAULT(&a->raw, a->raw.p, "expected the end of the line behind an array");
        return false;
    }
    if (a->any && *a->raw.p != ',')
        FAULT(&a->raw, a->raw.p, "expected `,` or `]` behind an operation");
    a->raw.p += a->any;
    if (!space(a))
        cut_off(a);
    if (*a->raw.p != '{')
        FAULT(&a->raw, a->raw.p, "expected an operation in { }");
    a->any = true;
    gather(a);
    const char *text = text_get(&a->object);
    c->line = (struct line){text, text + a->object.n, a->pieces.at[0].place.line, false, false};
    c->p = text;
    c->pieces = &a->pieces;
    return true;
}

void json_array_free(struct json_array *a)
{
    mem_free(a->object.mem, a->object.at);
    pieces_free(&a->pieces);
}
