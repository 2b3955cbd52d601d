/* SPDX-License-Identifier: Apache-2.0 */
#include "junit.h"

#include "command.h"
#include "output.h"
#include "picked.h"

#include <stdlib.h>
#include <string.h>

/* ---- XML ---- */

/* A text in which nothing is markup. Of the characters that assay_show leaves, XML lacks U+FFFE and U+FFFF. */
static void put_text(FILE *out, const char *text, const char *keep)
{
    char *shown = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&shown, &size);
    assay_show(text, strlen(text), keep, f);
    memory_close(f, &shown);
    for (const char *s = shown; *s; s++)
        switch (*s) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        default:
            if (strncmp(s, "\xEF\xBF\xBE", 3) == 0 || strncmp(s, "\xEF\xBF\xBF", 3) == 0) {
                fputs(s[2] == '\xBE' ? "\\ufffe" : "\\uffff", out);
                s += 2;
            } else {
                fputc(*s, out);
            }
        }
    free(shown);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_text(out, value, "");
    fputc('"', out);
}

static void open_case(FILE *out, const char *file, long long index, const char *model, double seconds)
{
    fputs("<testcase", out);
    put_attribute(out, "classname", model ? model : "history");
    fputs(" name=\"", out);
    put_text(out, spoken(file), "");
    if (index > 0)
        fprintf(out, "#%lld", index);
    fprintf(out, "\" time=\"%.6f\"", seconds);
}

/* ---- in a worker ---- */

static char *report_of(const assay_result *r, assay_report_options options, bool *fine, assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    options.color = false;
    options.width = 0;
    *fine = assay_result_report(r, "text", &options, f, e);
    memory_close(f, &text);
    return text;
}

bool junit_result(struct record *rec, const assay_result *r, assay_report_options options, assay_error *e)
{
    FILE *out = record_stream(rec, TO_JUNIT);
    bool fine = true;
    rec->seconds = assay_result_seconds(r);
    open_case(out, options.file, options.index, assay_result_model(r), rec->seconds);
    if (assay_result_verdict(r) == ASSAY_CONSISTENT) {
        fputs("/>\n", out);
    } else if (assay_result_verdict(r) == ASSAY_UNDECIDED) {
        fputs("><skipped", out);
        put_attribute(out, "message", verdict_note(r) ? verdict_note(r) : "undecided");
        fputs("/></testcase>\n", out);
    } else {
        char *text = report_of(r, options, &fine, e);
        fputs("><failure", out);
        put_attribute(out, "type", verdict_note(r) ? verdict_note(r) : "violation");
        fputs(" message=\"VIOLATION of ", out);
        put_text(out, assay_result_model(r), "");
        if (verdict_note(r))
            fprintf(out, ": %s", verdict_note(r)); /* the name of a pattern */
        fputs("\">", out);
        put_text(out, text, "\n");
        fputs("</failure></testcase>\n", out);
        free(text);
    }
    return fine;
}

void junit_error(struct record *rec, const char *file, long long index, const char *model, const assay_error *e)
{
    FILE *out = record_stream(rec, TO_JUNIT);
    char *text = NULL;
    size_t size = 0;
    FILE *f = memory_stream(&text, &size);
    print_error(f, file, e);
    memory_close(f, &text);
    open_case(out, file, index, model, 0);
    fputs("><error", out);
    put_attribute(out, "message", e->message);
    fputc('>', out);
    put_text(out, text, "\n");
    fputs("</error></testcase>\n", out);
    free(text);
}

/* ---- in the main thread ---- */

void junit_add(struct junit *j, const struct record *rec)
{
    if (!rec->text[TO_JUNIT])
        return; /* a warning */
    if (!j->cases)
        j->cases = memory_stream(&j->text, &j->size);
    fwrite(rec->text[TO_JUNIT], 1, rec->size[TO_JUNIT], j->cases);
    j->of[rec->outcome]++;
    j->seconds += rec->seconds;
}

bool junit_write(struct junit *j, const char *file, bool cut)
{
    struct picked whole = {0};
    if (!file)
        return true;
    if (j->cases)
        memory_close(j->cases, &j->text);
    FILE *out = memory_stream(&whole.text, &whole.size);
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"assay check\" tests=\"%zu\" "
            "failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.6f\">\n",
            j->of[EXIT_FINE] + j->of[EXIT_VIOLATED] + j->of[EXIT_FAULT] + j->of[EXIT_OPEN], j->of[EXIT_VIOLATED],
            j->of[EXIT_FAULT], j->of[EXIT_OPEN], j->seconds);
    if (j->text)
        fwrite(j->text, 1, j->size, out);
    fputs("</testsuite>\n</testsuites>\n", out);
    memory_close(out, &whole.text);
    bool fine = picked_write(&whole, file, "junit", cut);
    picked_free(&whole);
    free(j->text);
    return fine;
}
