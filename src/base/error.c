/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* vsnprintf that cuts a long text at a character's border, so that messages stay valid UTF-8. */
static void format_into(char *out, size_t size, const char *format, va_list args)
{
    int n = vsnprintf(out, size, format, args);
    if (n < 0 || (size_t)n < size)
        return;
    size_t end = size - 1;
    while (end && ((unsigned char)out[end - 1] & 0xC0) == 0x80)
        end--;
    if (end && (unsigned char)out[end - 1] >= 0xC0)
        end--;
    else
        end = size - 1;
    out[end] = '\0';
}

void error_set(assay_error *e, assay_error_code code, const char *format, ...)
{
    if (!e || e->code != ASSAY_OK)
        return;
    memset(e, 0, sizeof *e);
    e->code = code;
    va_list args;
    va_start(args, format);
    format_into(e->message, sizeof e->message, format, args);
    va_end(args);
}

void error_copy(assay_error *e, const assay_error *from)
{
    if (e && e->code == ASSAY_OK && from->code != ASSAY_OK)
        *e = *from;
}

void error_place(assay_error *e, const char *file, uint64_t line, uint64_t column)
{
    if (!e || e->line)
        return;
    if (file && !e->file[0])
        snprintf(e->file, sizeof e->file, "%s", file);
    e->line = line;
    e->column = column;
}

void error_remedy(assay_error *e, const char *format, ...)
{
    if (!e || e->remedy[0])
        return;
    va_list args;
    va_start(args, format);
    format_into(e->remedy, sizeof e->remedy, format, args);
    va_end(args);
}

void error_list(char *list, size_t size, const char *name)
{
    if (strlen(list) + strlen(name) + sizeof ", " < size)
        strcat(strcat(list, list[0] ? ", " : ""), name);
}

void error_from_escape(assay_error *e, enum escape reason)
{
    if (reason == ESCAPE_ERROR || reason == ESCAPE_NONE)
        return;
    error_set(e, reason == ESCAPE_INTERRUPTED ? ASSAY_ERROR_INTERRUPTED : ASSAY_ERROR_RESOURCE, "%s",
              escape_text(reason));
}
