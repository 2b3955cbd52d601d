/* SPDX-License-Identifier: Apache-2.0 */
/* One page that needs nothing else. It is the template of web/, which cmake/bundle.cmake makes one text. Its slots,
 * comments `<!--slot:NAME-->`, take the verdict, the argument as lists, and the history as data for the scripts. */
#include "report/html.h"

#include "base/shown.h"
#include "report/describe.h"
#include "report/report.h"

#include <string.h>

extern const char web_page[]; /* ends in a NUL */

/* ---- texts of others ---- */

void html_words(struct text *out, const char *s)
{
    text_markup(out, s, strlen(s));
}

void html_sentence(struct text *out, struct text *s)
{
    text_markup(out, text_get(s), s->n);
    mem_free(out->mem, s->at);
}

void html_json_shown(struct text *out, struct text *shown)
{
    struct text quoted = text_in(out->mem);
    text_json(&quoted, text_get(shown), shown->n);
    const char *at = text_get(&quoted), *end = at + quoted.n;
    for (const char *next; (next = memchr(at, '<', (size_t)(end - at))); at = next + 1) {
        text_add(out, at, (size_t)(next - at));
        text_puts(out, "\\u003c");
    }
    text_add(out, at, (size_t)(end - at));
    mem_free(out->mem, quoted.at);
    mem_free(out->mem, shown->at);
}

void html_json(struct text *out, const char *s, size_t n)
{
    struct text shown = text_in(out->mem);
    text_shown(&shown, s, n, "");
    html_json_shown(out, &shown);
}

void html_json_text(struct text *out, struct text *s)
{
    html_json(out, text_get(s), s->n);
    mem_free(out->mem, s->at);
}

void html_json_field(struct text *out, const char *name, const char *s)
{
    text_printf(out, ",\n\"%s\":", name);
    if (s)
        html_json(out, s, strlen(s));
    else
        text_puts(out, "null");
}

void html_json_ops(struct text *out, const uint32_t *ops, uint32_t count)
{
    text_char(out, '[');
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            text_char(out, ',');
        text_int(out, ops[i]);
    }
    text_char(out, ']');
}

/* ---- the slots ---- */

static void title(const result *r, const assay_report_options *options, struct text *out)
{
    struct text file = text_in(out->mem);
    describe_file(&file, options);
    html_sentence(out, &file);
    text_printf(out, ": %s", assay_verdict_name(r->verdict));
}

static void headline(const result *r, const assay_report_options *options, struct text *out)
{
    const char *verdict = assay_verdict_name(r->verdict);
    struct text file = text_in(out->mem);
    describe_file(&file, options);
    text_printf(out, "<h1><span class=\"verdict %s\">%s</span> <span class=\"model\">", verdict, verdict);
    html_words(out, r->model->name);
    text_puts(out, "</span> <span class=\"soft\">");
    html_words(out, r->model->title);
    text_puts(out, "</span></h1>\n<p class=\"soft\">");
    html_sentence(out, &file);
    text_puts(out, ": ");
    describe_size(out, r->h);
    text_puts(out, ", engine ");
    html_words(out, r->engine ? r->engine : "none");
    text_puts(out, "</p>\n");
    if (r->vacuous) {
        text_puts(out, "<p>Vacuous: ");
        html_words(out, r->vacuous);
        text_puts(out, "</p>\n");
    }
    if (r->verdict == ASSAY_UNDECIDED && *r->undecided_text) {
        text_puts(out, "<p>Reason: ");
        html_words(out, r->undecided_text);
        text_puts(out, "</p>\n");
    }
}

static void argument(const result *r, const assay_report_options *options, struct text *out)
{
    (void)options;
    if (r->verdict == ASSAY_VIOLATION)
        html_argument(r, out);
    else if (r->verdict == ASSAY_CONSISTENT)
        html_witness(r, out);
    html_faults(r, out);
}

static const struct slot {
    const char *name;
    void (*fill)(const result *r, const assay_report_options *options, struct text *out);
} slots[] = {{"title", title}, {"headline", headline}, {"argument", argument}, {"data", html_data}};

static void fill(const char *name, const result *r, const assay_report_options *options, struct text *out)
{
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (strncmp(slots[i].name, name, strlen(slots[i].name)) == 0)
            slots[i].fill(r, options, out);
}

static void write_html(const result *r, const assay_report_options *options, struct text *out)
{
    static const char begin[] = "<!--slot:", end[] = "-->";
    const char *at = web_page;
    for (const char *slot; (slot = strstr(at, begin)); at = strstr(slot, end) + strlen(end)) {
        text_add(out, at, (size_t)(slot - at));
        fill(slot + strlen(begin), r, options, out);
    }
    text_puts(out, at);
}

const struct report report_html = {
    .name = "html",
    .title = "a self-contained page to look at and to step through",
    .draws_prefix = true,
    .write = write_html,
};
