/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_page.h"

#include "outfile.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10 }; /* of a check, so that the monitor goes on */

/* ---- the last lines ---- */

/* Drops whole lines until at most PAGE_KEPT bytes are left. */
static void shorten(struct monitor_page *p)
{
    char *at = p->text, *end = p->text + p->n, *feed;
    while (end - at > PAGE_KEPT && (feed = memchr(at, '\n', (size_t)(end - at)))) {
        at = feed + 1;
        p->first++;
    }
    p->cut |= at > p->text;
    p->n = (size_t)(end - at);
    memmove(p->text, at, p->n);
}

void monitor_page_feed(struct monitor_page *p, const char *bytes, size_t n)
{
    if (!p->file || p->done)
        return;
    if (p->room - p->n < n) {
        p->room = 2 * (p->n + n);
        p->text = grow(p->text, p->room);
    }
    memcpy(p->text + p->n, bytes, n);
    p->n += n;
    if (p->n > 2 * (size_t)PAGE_KEPT)
        shorten(p);
}

void monitor_page_free(struct monitor_page *p)
{
    free(p->text);
}

/* ---- the history of the page ---- */

/* The lines of the history up to this one. False: it began before the lines that are kept. */
static bool whole_history(const struct monitor_page *p, uint64_t line, const char **from, size_t *n)
{
    const char *at = p->text, *end = p->text + p->n;
    bool whole = !p->cut;
    *from = at;
    for (uint64_t number = p->first; number <= line && at < end; number++) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        if (strncmp(at, "---", 3) == 0 && feed) {
            *from = feed + 1;
            whole = true;
        }
        at = feed ? feed + 1 : end;
    }
    *n = (size_t)(at - *from);
    return whole && line >= p->first;
}

/* The operations of the report, in the form of operations. */
static void named_operations(const assay_monitor_violation *v, FILE *out)
{
    fprintf(out, "# @object %s\n", v->kind);
    for (size_t i = 0; i < v->operation_count; i++) {
        const assay_monitor_operation *o = &v->operations[i];
        if (o->id)
            fprintf(out, "%s: ", o->id);
        else
            fprintf(out, "operation-%zu: ", i + 1);
        fprintf(out, "%s @ %" PRIu64 "..", o->text, o->called);
        if (o->returned)
            fprintf(out, "%" PRIu64, o->returned);
        fputc('\n', out);
    }
}

/* ---- the page ---- */

static bool report(const struct monitor_page *p, const char *name, const assay_result *r, assay_error *e)
{
    const assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = name};
    char *page = NULL;
    size_t n;
    FILE *f = memory_stream(&page, &n);
    bool made = assay_result_report(r, "html", &options, f, e);
    memory_close(f, &page);
    bool fine = made && outfile_write(p->file, page, n);
    free(page);
    return fine;
}

/* False: the text is no history that violates the model; e says so if it could not be told. */
static bool page_of(const struct monitor_page *p, const char *name, const assay_monitor_violation *v, const char *text,
                    size_t n, bool *written, assay_error *e)
{
    assay_reader *reader = assay_reader_open_memory(name, text, n, NULL, e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    const assay_options options = {ASSAY_OPTIONS_INIT, .object = p->object, .evidence = true, .seconds = SECONDS};
    if (h && p->init && !assay_history_get(h, "init"))
        assay_history_set(h, "init", p->init, e);
    assay_result *r = h && !e->code ? assay_check(h, v->model, &options, e) : NULL;
    bool violated = r && assay_result_verdict(r) == ASSAY_VIOLATION;
    if (violated)
        *written = report(p, name, r, e);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
    return violated;
}

bool monitor_page_write(struct monitor_page *p, const char *name, const assay_monitor_violation *v)
{
    assay_error e = {0}, ignored = {0};
    const char *text;
    size_t n;
    bool written = false;
    if (!p->file || p->done)
        return true;
    p->done = true;
    if (whole_history(p, v->line, &text, &n) && page_of(p, name, v, text, n, &written, &ignored))
        return written;
    char *named = NULL;
    FILE *f = memory_stream(&named, &n);
    named_operations(v, f);
    memory_close(f, &named);
    bool shown = page_of(p, name, v, named, n, &written, &e);
    free(named);
    if (!shown)
        complain("%s: not written: the operations of the report alone do not show the violation, and the history is "
                 "longer than what is kept of it",
                 p->file);
    else if (written)
        complain("%s: about the operations of the report alone, since the history is longer than what is kept of it",
                 p->file);
    return written || !shown;
}
