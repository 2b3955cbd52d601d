/* SPDX-License-Identifier: Apache-2.0 */
#include "support/finding.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int findings;

void finding(const char *text, const char *format, ...)
{
    static char last[4096];
    va_list args;
    if (text && !strncmp(last, text, sizeof last - 1))
        return;
    snprintf(last, sizeof last, "%s", text ? text : "");
    printf("DISAGREEMENT %d: ", ++findings);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n%s\n", text ? text : "");
    fflush(stdout);
}

assay_history *parse(const char *text, const char *format)
{
    assay_error e = {0};
    assay_reader *r = assay_reader_open_memory("text", text, strlen(text), format, &e);
    assay_history *h = r ? assay_reader_next(r, &e) : NULL;
    if (!h)
        finding(text, "not read as %s: %d:%d: %s", format, (int)e.line, (int)e.column, e.message);
    assay_reader_close(r);
    return h;
}

bool recheck(const assay_history *h, const char *line, assay_error *e)
{
    uint32_t index;
    bool searched;
    *e = (assay_error){0};
    return assay_recheck_with(h, line, NULL, &index, &searched, e);
}
