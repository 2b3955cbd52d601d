/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html_column.h"

#include <assert.h>

enum { BITS = 5, MORE = 1 << BITS };

static void digits(struct text *out, uint64_t n)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (; n >= MORE; n >>= BITS)
        text_char(out, letters[n % MORE + MORE]);
    text_char(out, letters[n]);
}

struct html_column html_numbers(struct text *out, const char *name)
{
    text_printf(out, ",\n\"%s\":\"", name);
    return (struct html_column){.out = out};
}

struct html_column html_column(struct text *out, const char *name, uint32_t known)
{
    struct html_column c = html_numbers(out, name);
    c.next = known;
    digits(out, known);
    return c;
}

void html_entry(struct html_column *c, int64_t number)
{
    assert(number >= -1 && number <= c->next);
    digits(c->out, number < 0 ? 0 : (uint64_t)(c->next - number) + 1);
    if (number == c->next)
        c->next++;
}

void html_number(struct html_column *c, int64_t number)
{
    uint64_t twice = (uint64_t)number << 1;
    digits(c->out, number < 0 ? ~twice : twice);
}

void html_column_end(struct html_column *c)
{
    text_char(c->out, '"');
}
