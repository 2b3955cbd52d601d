/* SPDX-License-Identifier: Apache-2.0 */
/* One line of JSON for a result, for `assay check --json`. */
#include "history/token.h"
#include "report/describe.h"
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
        return pattern_reported(r);
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

static void write_json(const result *r, const assay_report_options *options, struct text *out)
{
    text_puts(out, "{\"file\":");
    string(out, options->file);
    text_printf(out, ",\"index\":%u", (unsigned)options->index);
    field(out, "model", r->called ? r->called : r->model->name);
    if (r->called)
        field(out, "means", r->model->name);
    if (r->visibility[0])
        field(out, "visibility", r->visibility);
    field(out, "object", r->object);
    field(out, "verdict", assay_verdict_name(r->verdict));
    field(out, "engine", r->engine);
    text_printf(out, ",\"operations\":%u,\"threads\":%u,\"seconds\":%.6f", (unsigned)r->h->n, (unsigned)r->h->threads.n,
                r->seconds);
    field(out, "reason", reason_of(r));
    if (r->vacuous)
        field(out, "vacuous", r->vacuous);
    statistics(r, out);
    evidence(r, options->index, out);
    if (r->verdict == ASSAY_VIOLATION)
        operations_named(r, out);
    text_puts(out, "}\n");
}

const struct report report_json = {
    .name = "json",
    .title = "one object per line, for programs",
    .write = write_json,
};
