/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/finding.h"

#include "support/chance.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int findings;
static struct {
    const char *part;
    int number;
} current = {"none", 0};

void all_parts(const struct request *r, const struct part *parts)
{
    for (const struct part *p = parts; p->name; p++) {
        uint32_t count = request_wants(r, p->name) ? request_count(r, p->count[0], p->count[1], p->count[2]) : 0;
        current.part = p->name;
        for (uint32_t i = 0; i < count && findings < MAX_FINDINGS; i++) {
            current.number = (int)(r->first + i);
            chance_state = r->seed * 1000003 + (uint64_t)current.number;
            p->round(current.number, p->arg);
        }
    }
}

void finding(const char *text, const char *format, ...)
{
    static char last[4096];
    va_list args;
    if (text && !strncmp(last, text, sizeof last - 1))
        return;
    snprintf(last, sizeof last, "%s", text ? text : "");
    printf("DISAGREEMENT %d (--only %s --first %d): ", ++findings, current.part, current.number);
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

char *written_as(const assay_history *h, const char *format, assay_error *e)
{
    char *bytes = NULL;
    size_t size;
    FILE *f = need(open_memstream(&bytes, &size));
    bool written = assay_history_write(h, format, 0, f, e);
    fclose(f);
    if (written)
        return bytes;
    free(bytes);
    return NULL;
}

bool recheck(const assay_history *h, const char *line, assay_error *e)
{
    uint32_t index;
    bool searched;
    *e = (assay_error){0};
    return assay_recheck_with(h, line, NULL, &index, &searched, e);
}

void *need(void *p)
{
    if (!p)
        abort();
    return p;
}
