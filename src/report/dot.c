/* SPDX-License-Identifier: Apache-2.0 */
/* A Graphviz digraph: the refutation of a violation, or the witness of a small consistent
 * history. */
#include "base/shown.h"
#include "report/describe.h"
#include "report/report.h"

#include <string.h>

enum { SMALL = 100 }; /* operations of a witness that are drawn */

/* A double-quoted DOT string: quotation marks and backslashes would end or alter it. */
static void quoted(struct text *out, const char *s)
{
    struct text shown = text_in(out->mem);
    text_shown(&shown, s, strlen(s), "\n\r");
    text_char(out, '"');
    for (s = text_get(&shown); *s; s++) {
        if (*s == '"' || *s == '\\')
            text_char(out, '\\');
        if (*s == '\n' || *s == '\r')
            text_char(out, ' ');
        else
            text_char(out, *s);
    }
    text_char(out, '"');
    mem_free(out->mem, shown.at);
}

static void quote_text(struct text *out, struct text *words)
{
    quoted(out, text_get(words));
    mem_free(out->mem, words->at);
}

static void node(struct text *out, const history *h, uint32_t op)
{
    struct text label = text_in(out->mem);
    describe_place(&label, h, op);
    text_puts(&label, ": ");
    describe_call(&label, h, op);
    text_printf(out, "        op%u [label=", (unsigned)op);
    quote_text(out, &label);
    text_puts(out, "];\n");
}

/* One box per thread that has operations among those shown. */
static void clusters(struct text *out, const history *h, const uint32_t *ops, uint32_t n)
{
    for (uint32_t t = 0; t < h->threads.n; t++) {
        bool open = false;
        for (uint32_t i = 0; i < n; i++) {
            if (h->thread[ops[i]] != t)
                continue;
            if (!open) {
                text_printf(out, "    subgraph cluster_%u {\n        label=", (unsigned)t);
                quoted(out, history_text(h, h->threads.at[t].name));
                text_puts(out, ";\n");
            }
            open = true;
            node(out, h, ops[i]);
        }
        if (open)
            text_puts(out, "    }\n");
    }
}

static void edge(struct text *out, const result *r, const struct drawn *d)
{
    const assay_step *s = d->step;
    struct text label = text_in(out->mem);
    text_puts(&label, assay_rule_name(s->rule));
    uint32_t read = s->reason == ASSAY_NO_REASON ? ASSAY_NO_OPERATION : r->evidence.reasons.at[s->reason].read;
    if (read != ASSAY_NO_OPERATION) {
        text_puts(&label, ", because of ");
        describe_place(&label, r->h, read);
    }
    text_printf(out, "    op%u -> op%u [label=", (unsigned)s->from, (unsigned)s->to);
    quote_text(out, &label);
    if (describe_derived(s->rule))
        text_puts(out, ", style=dashed");
    else if (s->rule == ASSAY_CASE)
        text_puts(out, ", style=dotted");
    if (d->in_cycle)
        text_puts(out, ", color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2");
    text_puts(out, "];\n");
}

static void refutation(const result *r, struct text *out)
{
    struct mentions m = describe_mentions(r, true, out->mem);
    struct drawing edges = describe_drawing(r, out->mem);
    clusters(out, r->h, m.ops, m.n);
    for (uint32_t i = 0; i < edges.n; i++)
        edge(out, r, &edges.at[i]);
}

static void witness(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    if (!ev->orders.n || r->h->n > SMALL)
        return;
    uint32_t *all = mem_new(out->mem, uint32_t, r->h->n + 1);
    for (uint32_t op = 0; op < r->h->n; op++)
        all[op] = op;
    clusters(out, r->h, all, r->h->n);
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        const uint32_t *ops = ev->ops.at + o->at;
        const char *whose = o->thread == ASSAY_NO_THREAD ? "" : history_text(r->h, r->h->threads.at[o->thread].name);
        for (uint32_t j = 0; j + 1 < o->count; j++) {
            text_printf(out, "    op%u -> op%u [label=", (unsigned)ops[j], (unsigned)ops[j + 1]);
            quoted(out, whose);
            text_puts(out, "];\n");
        }
    }
}

static void title(const result *r, const assay_report_options *options, struct text *out)
{
    struct text label = text_in(out->mem);
    describe_file(&label, options);
    text_printf(&label, ": %s (%s)", assay_verdict_name(r->verdict), r->model->name);
    if (r->evidence.pattern != PATTERN_NONE)
        text_printf(&label, ": %s", pattern_reported(r));
    quote_text(out, &label);
}

static void write_dot(const result *r, const assay_report_options *options, struct text *out)
{
    text_puts(out, "digraph assay {\n    label=");
    title(r, options, out);
    text_puts(out, ";\n    labelloc=t;\n    node [shape=box, fontname=\"monospace\"];\n");
    text_puts(out, "    edge [fontname=\"sans-serif\", fontsize=10];\n");
    if (r->verdict == ASSAY_VIOLATION)
        refutation(r, out);
    else if (r->verdict == ASSAY_CONSISTENT)
        witness(r, out);
    text_puts(out, "}\n");
}

const struct report report_dot = {
    .name = "dot",
    .title = "a Graphviz graph of the refutation or the witness",
    .write = write_dot,
};
