/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions that show a result (assay.h): it is explained once, and reports put that into words. */
#include "base/given.h"
#include "base/options.h"
#include "base/shown.h"
#include "explain/stage.h"
#include "report/report.h"
#include "report/wrap.h"

#include <stdio.h>

struct rendering {
    const assay_result *r;
    const struct report *report; /* NULL: the evidence line */
    const assay_report_options *options;
    const char *file; /* of the evidence line; NULL: not named */
    uint32_t index;
    struct text out;
};

struct explaining {
    result *r;
    const assay_options *checked;
    bool draws;
};

static void add_explanation(void *arg)
{
    struct explaining *x = arg;
    result *r = x->r;
    r->explanation.mem = &r->explained;
    if (!r->is_explained)
        explain(r, x->checked, &r->explanation);
    if (x->draws && !r->is_drawn)
        explain_prefix(r, x->checked, &r->explanation);
}

/* The first report explains the result, which does not change any more from then on. Several threads may have come to
 * show it. */
static void explain_once(const result *found, const assay_options *checked, bool draws)
{
    struct explaining x = {(result *)found, checked, draws};
    pthread_mutex_lock(&x.r->explaining);
    const struct explanation before = x.r->explanation;
    enum escape left = escape_run(add_explanation, &x);
    if (left) {
        x.r->explanation = before;
    } else {
        x.r->is_explained = true;
        x.r->is_drawn |= draws;
    }
    pthread_mutex_unlock(&x.r->explaining);
    if (left)
        escape_raise(left);
}

static void render(void *arg)
{
    struct rendering *x = arg;
    if (!x->report) {
        evidence_write_of(x->r, x->file, x->index, &x->out);
        return;
    }
    struct text raw = text_in(x->out.mem); /* with the names of others in it */
    const result *proof = result_proof(x->r), *written = x->report->says_inferred ? x->r : proof;
    if (x->options->checked) {
        explain_once(proof, x->options->checked, x->report->draws_prefix);
        if (written != proof)
            explain_once(written, x->options->checked, false);
    }
    x->report->write(written, x->options, &raw);
    text_shown(&x->out, text_get(&raw), raw.n, x->options->color ? "\n\033" : "\n");
}

static bool render_to(struct rendering *x, FILE *out, assay_error *e)
{
    struct mem mem = {0};
    x->out = text_in(&mem);
    enum escape left = escape_run(render, x);
    error_from_escape(e, left);
    bool fine = !left && fwrite(text_get(&x->out), 1, x->out.n, out) == x->out.n;
    if (!left && !fine)
        error_set(e, ASSAY_ERROR_RESOURCE, "cannot write the output");
    mem_release(&mem);
    return fine;
}

bool assay_result_write_evidence(const assay_result *r, uint32_t index, FILE *out)
{
    if (!r || !out)
        return false;
    return assay_result_write_evidence_of(r, NULL, index, out);
}

bool assay_result_write_evidence_of(const assay_result *r, const char *file, uint32_t index, FILE *out)
{
    if (!r || !out)
        return false;
    struct rendering x = {.r = r, .file = file, .index = index};
    return evidence_present(r) && render_to(&x, out, NULL);
}

void assay_show(const char *text, size_t length, const char *keep, FILE *out)
{
    if (!((text || !length) && out))
        return;
    shown_write(out, text, length, keep);
}

struct wrapping {
    const char *text;
    uint32_t columns, indent;
    struct text out;
};

static void wrap_text(void *arg)
{
    struct wrapping *x = arg;
    wrap_in(&x->out, x->text, x->columns, x->indent);
}

void assay_wrap(const char *text, size_t columns, size_t indent, FILE *out)
{
    if (!text || !out)
        return;
    struct mem mem = {0};
    struct wrapping x = {text, (uint32_t)columns, (uint32_t)indent, text_in(&mem)};
    bool wrapped = columns && columns < UINT32_MAX && indent < columns && !escape_run(wrap_text, &x);
    fputs(wrapped ? text_get(&x.out) : text, out);
    mem_release(&mem);
}

bool assay_result_report(const assay_result *r, const char *report, const assay_report_options *options, FILE *out,
                         assay_error *e)
{
    if (!GIVEN(r && report && out, e))
        return false;
    assay_report_options mine;
    if (!options_take(&mine, sizeof mine, options, e))
        return false;
    if (!GIVEN((mine.others || !mine.other_count), e))
        return false;
    if (!mine.file)
        mine.file = "history";
    assay_options checked;
    if (!options_take(&checked, sizeof checked, mine.checked, e))
        return false;
    if (mine.checked)
        mine.checked = &checked;
    struct rendering x = {.r = r, .report = report_find(report), .options = &mine};
    if (!x.report) {
        error_set(e, ASSAY_ERROR_USAGE, "unknown report '%s'", report);
        error_remedy(e, "`assay list reports` shows the reports");
        return false;
    }
    return render_to(&x, out, e);
}
