/* SPDX-License-Identifier: Apache-2.0 */
/* One line of JSON for a result, for `assay check --json`. */
#include "history/last_line.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/elements.h"
#include "report/report.h"
#include "report/story.h"

#include <string.h>

static void string(struct text *out, const char *s)
{
    if (s)
        text_json(out, s, strlen(s));
    else
        text_puts(out, "null");
}

static void field(struct text *out, const char *name, const char *value)
{
    text_printf(out, ",\"%s\":", name);
    string(out, value);
}

static const char *reason_of(const result *r)
{
    if (r->verdict == ASSAY_VIOLATION)
        return pattern_reported(result_proof(r));
    return r->verdict == ASSAY_UNDECIDED && *r->undecided_text ? r->undecided_text : NULL;
}

static void statistics(const result *r, struct text *out)
{
    text_printf(out, ",\"statistics\":{\"bytes\":%zu", r->bytes);
#define X(ident, text) text_printf(out, ",\"%s\":%llu", #ident, (unsigned long long)r->stats.ident);
#include "base/stats.def"
#undef X
    text_char(out, '}');
}

static void evidence(const result *r, uint32_t index, struct text *out)
{
    text_puts(out, ",\"evidence\":");
    if (!evidence_present(r)) {
        text_puts(out, "null");
        return;
    }
    evidence_write(r, index, out);
    while (out->n && out->at[out->n - 1] == '\n')
        out->at[--out->n] = '\0';
}

static void operations_named(const result *r, struct mentions all, struct text *out)
{
    text_puts(out, ",\"operations_named\":[");
    for (uint32_t i = 0; i < all.n; i++) {
        uint32_t op = all.ops[i];
        struct text name = text_in(out->mem);
        token_print_op(&name, r->h, op);
        text_printf(out, "%s{\"op\":%u,\"line\":", i ? "," : "", (unsigned)op);
        if (history_line(r->h, op))
            text_int(out, history_line(r->h, op));
        else
            text_puts(out, "null");
        text_puts(out, ",\"text\":");
        text_json(out, text_get(&name), name.n);
        text_char(out, '}');
        mem_free(out->mem, name.at);
    }
    text_char(out, ']');
}

static void argument(const result *r, struct text *out)
{
    struct text about = text_in(out->mem);
    if (!describe_argues(&about, r))
        return;
    text_puts(out, ",\"argument\":[");
    for (uint32_t i = 0; i < r->explanation.argument.lines.n; i++) {
        struct text line = text_in(out->mem);
        describe_argument(&line, r, i);
        text_printf(out, "%s{\"depth\":%u,\"text\":", i ? "," : "",
                    (unsigned)r->explanation.argument.lines.at[i].depth);
        text_json(out, text_get(&line), line.n);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void add(struct text *out, const char *name, struct text *sentence)
{
    if (sentence->n)
        field(out, name, text_get(sentence));
}

/* The lines, without their ends. */
static void list(struct text *out, const char *name, struct text *lines)
{
    const char *line = text_get(lines);
    if (!lines->n)
        return;
    text_printf(out, ",\"%s\":", name);
    for (char before = '['; *line; before = ',') {
        size_t n = strcspn(line, "\n");
        text_char(out, before);
        text_json(out, line, n);
        line += n + (line[n] != '\0');
    }
    text_char(out, ']');
}

/* Weak consistency: whom the suspects see. */
static void views(const result *r, struct text *out)
{
    const struct explanation *x = &r->explanation;
    struct text lines = text_in(out->mem);
    for (uint32_t i = 0; i < x->views.n; i++) {
        describe_view(&lines, r, i);
        text_char(&lines, '\n');
    }
    list(out, "views", &lines);
}

static void faults(const result *r, struct mentions all, struct text *out)
{
    struct text lines = text_in(out->mem);
    for (uint32_t header = 0; describe_fault(&lines, r->h, &header, all);)
        text_char(&lines, '\n');
    list(out, "faults", &lines);
}

static void violation(const result *r, struct text *out)
{
    struct mem *m = out->mem;
    struct mentions all = describe_mentions(r, true, m);
    struct text culprit = text_in(m), loss = text_in(m), at_fault = text_in(m), story = text_in(m);
    if (r->evidence.pattern != PATTERN_NONE)
        field(out, "meaning", describe_pattern(r, m));
    if (r->evidence.culprit != ASSAY_NO_OPERATION)
        describe_culprit(&culprit, r);
    add(out, "sentence", &culprit);
    operations_named(r, all, out);
    argument(r, out);
    describe_loss(&loss, r);
    add(out, "loss", &loss);
    describe_at_fault(&at_fault, r);
    add(out, "at_fault", &at_fault);
    if (!r->evidence.cases.n && !(describe_by_cases(r) && r->evidence.learned.n))
        story_write(&story, r, "");
    list(out, "story", &story);
    views(r, out);
    faults(r, all, out);
}

/* What standard error says about the file, as far as a verdict may rest on it. */
static void warning(const result *r, struct text *out)
{
    static const char adds_alone[] =
        "a log of adds alone fits a set and a counter: without -o it is read as one of a set";
    bool cut = r->h->last_line.line, doubtful = r->h->adds_alone && r->facts->spec == &spec_set;
    struct text words = text_in(out->mem);
    if (!cut && !doubtful)
        return;
    text_printf(&words, "%s%s%s", cut ? last_line_warning : "", cut && doubtful ? "; " : "",
                doubtful ? adds_alone : "");
    field(out, "warning", text_get(&words));
}

static void write_json(const result *r, const assay_report_options *options, struct text *out)
{
    text_puts(out, "{\"file\":");
    string(out, options->file);
    text_printf(out, ",\"index\":%u", (unsigned)options->index);
    field(out, "model", *r->called ? r->called : r->model->name);
    if (*r->called)
        field(out, "means", r->model->name);
    if (r->visibility[0])
        field(out, "visibility", r->visibility);
    field(out, "object", r->object);
    field(out, "verdict", assay_verdict_name(r->verdict));
    if (r->from)
        field(out, "inferred_from", r->from->model->name);
    field(out, "engine", r->engine);
    text_printf(out, ",\"operations\":%u,\"threads\":%u,\"seconds\":%.6f", (unsigned)r->h->n, (unsigned)r->h->threads.n,
                r->seconds);
    field(out, "reason", reason_of(r));
    if (r->vacuous)
        field(out, "vacuous", r->vacuous);
    warning(r, out);
    if (r->explanation.assumed.init) {
        text_puts(out, ",\"assumed_init\":{\"init\":");
        string(out, r->explanation.assumed.init);
        text_printf(out, ",\"reads\":%u", (unsigned)r->explanation.assumed.reads);
        field(out, "verdict", assay_verdict_name(r->explanation.assumed.verdict));
        text_char(out, '}');
    }
    statistics(r, out);
    evidence(r, options->index, out);
    if (r->verdict == ASSAY_VIOLATION)
        violation(result_proof(r), out);
    elements_json(r, out);
    text_puts(out, "}\n");
}

const struct report report_json = {
    .name = "json",
    .title = "one object per line, for programs",
    .says_inferred = true,
    .write = write_json,
};
