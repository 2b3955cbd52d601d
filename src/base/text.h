/* SPDX-License-Identifier: Apache-2.0 */
/* Text: a growing string, for reports, evidence and messages. Always ends in a NUL once used. */
#ifndef ASSAY_BASE_TEXT_H
#define ASSAY_BASE_TEXT_H

#include "base/mem.h"

#include <stdarg.h>
#include <stdint.h>

struct text {
    struct mem *mem;
    char *at;
    size_t n, cap;
};

static inline struct text text_in(struct mem *m)
{
    return (struct text){.mem = m};
}

void text_add(struct text *t, const char *bytes, size_t n);
void text_puts(struct text *t, const char *s);
void text_char(struct text *t, char c);
void text_int(struct text *t, int64_t v);
void text_integer(struct text *t, int64_t v, uint32_t notation); /* as it was written: base/notation.h */
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_json(struct text *t, const char *bytes, size_t n);   /* quoted and escaped */
void text_markup(struct text *t, const char *bytes, size_t n); /* as text of HTML or XML, also within double quotes */
const char *text_get(struct text *t);                          /* never NULL */

#endif
