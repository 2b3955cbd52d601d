/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/examine.h"

#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct work {
    const struct examination *x;
    const struct budget *budget;
    double deadline;
    assay_options options;
    uint32_t histories; /* that the file has, as far as it was read */
    assay_error e;
};

static bool over(void *arg)
{
    const struct work *w = arg;
    return atomic_load(w->budget->stop) || progress_now() > w->deadline;
}

/* ---- texts ---- */

void put_html(FILE *to, const char *text)
{
    static const char special[] = "&<>\"'";
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    for (; *text; text++) {
        const char *at = strchr(special, *text);
        if (at)
            fputs(entities[at - special], to);
        else
            fputc((unsigned char)*text < ' ' && *text != '\n' ? ' ' : *text, to);
    }
}

/* ---- faults ---- */

static unsigned status_of(const assay_error *e)
{
    switch (e->code) {
    case ASSAY_ERROR_USAGE: return 400;
    case ASSAY_ERROR_RESOURCE:
    case ASSAY_ERROR_INTERRUPTED:
    case ASSAY_ERROR_BUDGET: return 503;
    default: return 422;
    }
}

static void put_fault(const struct work *w, FILE *to)
{
    const assay_error *e = &w->e;
    if (w->x->grade) {
        print_json_text(to, '{', "path", w->x->path);
        print_json_number(to, "index", w->x->index, true);
        print_json_text(to, ',', "error", e->message);
        print_json_number(to, "line", e->line, e->line);
        print_json_text(to, ',', "remedy", e->remedy[0] ? e->remedy : NULL);
        fputc('}', to);
        return;
    }
    fputs("<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>", to);
    put_html(to, w->x->path);
    fputs("</title><style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:50rem;"
          "margin:2rem auto;padding:0 1rem}</style><h1>",
          to);
    put_html(to, w->x->path);
    fputs("</h1><p>", to);
    if (e->line)
        fprintf(to, "line %llu: ", (unsigned long long)e->line);
    put_html(to, e->message);
    if (e->remedy[0]) {
        fputs(" (", to);
        put_html(to, e->remedy);
        fputc(')', to);
    }
    fputs("</p><p><a href=\"/\">all results</a></p>\n", to);
}

static void fail(struct work *w, assay_error_code code, const char *message)
{
    w->e = (assay_error){.code = code};
    snprintf(w->e.message, sizeof w->e.message, "%s", message);
}

/* ---- reading ---- */

/* The one format that has the extension; NULL: the content decides. The name under which the file is opened below does
 * not say it. */
static const char *format_of(const char *path)
{
    const char *first = assay_format_by_name(path), *dot = strrchr(path, '.');
    unsigned bearers = 0;
    for (size_t i = 0; first && dot && i < assay_family_size(ASSAY_FORMATS); i++) {
        const char *const *extension = assay_family_member(ASSAY_FORMATS, i).extensions;
        for (; extension && *extension; extension++)
            bearers += strcmp(*extension, dot) == 0;
    }
    return bearers == 1 ? first : NULL;
}

/* By its descriptor: the name might lead elsewhere by now. A grade says how many histories the file has. */
static assay_history *read_history(struct work *w, int file, bool is_folder)
{
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    const char *format = is_folder ? NULL : format_of(w->x->path);
    assay_reader *r = assay_reader_open_within(name, format, w->budget->memory, &w->e);
    assay_history *wanted = NULL, *h;
    while (r && !over(w) && (!wanted || w->x->grade) && (h = assay_reader_next(r, wanted ? NULL : &w->e))) {
        if (w->histories++ == w->x->index)
            wanted = h;
        else
            assay_history_free(h);
    }
    assay_reader_close(r);
    if (!wanted && !w->e.code && over(w))
        fail(w, ASSAY_ERROR_BUDGET, "reading it takes longer than it may");
    else if (!wanted && !w->e.code)
        fail(w, ASSAY_ERROR_INPUT, "the file has no such history");
    return wanted;
}

/* ---- answers ---- */

static void put_page(struct work *w, const assay_history *h, FILE *to)
{
    assay_result *r = assay_check(h, w->x->model, &w->options, &w->e);
    assay_report_options how = {ASSAY_REPORT_OPTIONS_INIT, .index = w->x->index, .file = w->x->path};
    if (r)
        assay_result_report(r, "html", &how, to, &w->e);
    assay_result_free(r);
}

static void put_grade(struct work *w, const assay_history *h, FILE *to)
{
    assay_grading *g = assay_grade(h, &w->options, &w->e);
    bool first = true;
    if (!g)
        return;
    print_json_text(to, '{', "path", w->x->path);
    print_json_number(to, "index", w->x->index, true);
    print_json_number(to, "histories", w->histories, true);
    print_json_number(to, "operations", assay_history_size(h), true);
    print_json_number(to, "threads", assay_history_threads(h), true);
    fputs(",\"verdicts\":[", to);
    for (size_t i = 0; i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        if (!r) /* it does not apply */
            continue;
        fputs(first ? "" : ",", to);
        print_json_text(to, '{', "model", assay_grading_model(g, i));
        print_json_text(to, ',', "verdict", assay_verdict_name(assay_result_verdict(r)));
        if (verdict_note(r))
            print_json_text(to, ',', "pattern", verdict_note(r));
        fputc('}', to);
        first = false;
    }
    fputs("]}", to);
    assay_grading_free(g);
}

static void answer(struct work *w, const struct tree *t, struct finding *out)
{
    FILE *to = memory_stream(&out->text, &out->n);
    int file = tree_file(t, w->x->path, &out->about);
    if (file < 0)
        fail(w, ASSAY_ERROR_INPUT, "there is no such file");
    assay_history *h = file < 0 ? NULL : read_history(w, file, S_ISDIR(out->about.st_mode));
    if (h)
        (w->x->grade ? put_grade : put_page)(w, h, to);
    assay_history_free(h);
    if (file >= 0)
        close(file);
    memory_close(to, &out->text);
}

void examine(const struct tree *t, const struct examination *x, const struct budget *b, struct finding *out)
{
    struct work w = {.x = x, .budget = b, .deadline = progress_now() + b->seconds};
    w.options = (assay_options){ASSAY_OPTIONS_INIT,    .wall_seconds = b->seconds, .memory = b->memory,
                                .evidence = !x->grade, .interrupt = over,          .interrupt_arg = &w};
    *out = (struct finding){.status = 200};
    answer(&w, t, out);
    if (!w.e.code)
        return;
    free(out->text);
    FILE *to = memory_stream(&out->text, &out->n);
    put_fault(&w, to);
    memory_close(to, &out->text);
    out->status = status_of(&w.e);
}
