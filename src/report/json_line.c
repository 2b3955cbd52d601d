/* SPDX-License-Identifier: Apache-2.0 */
/* One line of JSON for a result, for `assay check --json`. */
#include "history/last_line.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/elements.h"
#include "report/report.h"

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
    return r->verdict == ASSAY_UNDECIDED ? r->undecided : NULL;
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

static void operations_named(const result *r, struct text *out)
{
    struct mentions all = describe_mentions(r, true, out->mem);
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
    for (uint32_t i = 0; i < r->evidence.argument.lines.n; i++) {
        struct text line = text_in(out->mem);
        describe_argument(&line, r, i);
        text_printf(out, "%s{\"depth\":%u,\"text\":", i ? "," : "", (unsigned)r->evidence.argument.lines.at[i].depth);
        text_json(out, text_get(&line), line.n);
        text_char(out, '}');
    }
    text_char(out, ']');
}

static void loss(const result *r, struct text *out)
{
    struct text sentence = text_in(out->mem);
    if (describe_loss(&sentence, r))
        field(out, "loss", text_get(&sentence));
}

static void violation(const result *proof, struct text *out)
{
    operations_named(proof, out);
    argument(proof, out);
    loss(proof, out);
}

/* What standard error says about the file, as far as a verdict may rest on it. */
static void warning(const result *r, struct text *out)
{
    static const char adds_alone[] =
        "a log of adds alone fits a set and a counter: without -o it is read as one of a set";
    bool cut = r->h->last_line.line, doubtful = r->h->adds_alone && strcmp(r->object, "set") == 0;
    struct text words = text_in(out->mem);
    if (!cut && !doubtful)
        return;
    text_puts(&words, cut ? last_line_warning : "");
    text_puts(&words, cut && doubtful ? "; " : "");
    text_puts(&words, doubtful ? adds_alone : "");
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
    if (r->assumed.init) {
        text_puts(out, ",\"assumed_init\":{\"init\":");
        string(out, r->assumed.init);
        text_printf(out, ",\"reads\":%u", (unsigned)r->assumed.reads);
        field(out, "verdict", assay_verdict_name(r->assumed.verdict));
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
    .wants_assumed = true,
    .wants_core = true,
    .write = write_json,
};
