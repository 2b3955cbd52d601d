/* SPDX-License-Identifier: Apache-2.0 */
/* A Graphviz digraph: the refutation of a violation, or the witness of a small consistent history.
 *
 * Threads stand side by side: each is a group, which Graphviz keeps in a column, below a head with its name. The heads
 * are chained from left to right, and the operations of a thread downwards in program order. Only these chains decide
 * about the layout. A link of one is invisible, unless the refutation has that step itself. */
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

struct graph {
    struct text *out;
    const history *h;
    struct mentions ops;      /* those of a thread are in program order */
    struct mentions involved; /* the others are there for context, and grey */
    struct drawing edges;
};

static void node(const struct graph *g, uint32_t op)
{
    struct text *out = g->out;
    const history *h = g->h;
    struct text label = text_in(out->mem);
    describe_say(&label, h, "%P: %C", op, op);
    text_printf(out, "    op%u [label=", (unsigned)op);
    quote_text(out, &label);
    text_printf(out, ", group=%u%s];\n", (unsigned)h->thread[op],
                describe_mentioned(g->involved, op) ? "" : ", class=context, color=grey, fontcolor=\"#5f6b78\"");
}

/* The operation above this one in its column, or ASSAY_NO_OPERATION. */
static uint32_t above(const struct graph *g, uint32_t op)
{
    uint32_t last = ASSAY_NO_OPERATION;
    for (uint32_t i = 0; i < g->ops.n && g->ops.ops[i] != op; i++)
        if (g->h->thread[g->ops.ops[i]] == g->h->thread[op])
            last = g->ops.ops[i];
    return last;
}

static bool is_drawn(const struct graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t i = 0; i < g->edges.n; i++)
        if (g->edges.at[i].step->from == from && g->edges.at[i].step->to == to)
            return true;
    return false;
}

static void column(const struct graph *g, uint32_t thread)
{
    text_printf(g->out, "    thread%u [shape=plaintext, group=%u, label=", (unsigned)thread, (unsigned)thread);
    quoted(g->out, history_text(g->h, g->h->threads.at[thread].name));
    text_puts(g->out, "];\n");
    for (uint32_t i = 0; i < g->ops.n; i++) {
        uint32_t op = g->ops.ops[i], before = above(g, op);
        if (g->h->thread[op] != thread)
            continue;
        node(g, op);
        if (before == ASSAY_NO_OPERATION)
            text_printf(g->out, "    thread%u -> op%u [style=invis];\n", (unsigned)thread, (unsigned)op);
        else if (!is_drawn(g, before, op))
            text_printf(g->out, "    op%u -> op%u [style=invis, weight=9];\n", (unsigned)before, (unsigned)op);
    }
}

static void columns(const struct graph *g)
{
    struct text heads = text_in(g->out->mem);
    for (uint32_t t = 0; t < g->h->threads.n; t++) {
        bool present = false;
        for (uint32_t i = 0; i < g->ops.n; i++)
            present |= g->h->thread[g->ops.ops[i]] == t;
        if (!present)
            continue;
        column(g, t);
        text_printf(&heads, "%sthread%u", heads.n ? " -> " : "", (unsigned)t);
    }
    if (heads.n)
        text_printf(g->out, "    { rank=same; edge [style=invis]; %s; }\n", text_get(&heads));
    mem_free(g->out->mem, heads.at);
}

static void edge(const struct graph *g, const result *r, const struct drawn *d)
{
    struct text *out = g->out;
    const assay_step *s = d->step;
    struct text label = text_in(out->mem);
    text_puts(&label, assay_rule_name(s->rule));
    uint32_t read = s->reason == ASSAY_NO_REASON ? ASSAY_NO_OPERATION : r->evidence.reasons.at[s->reason].read;
    if (read != ASSAY_NO_OPERATION)
        describe_say(&label, r->h, ", because of %P", read);
    text_printf(out, "    op%u -> op%u [label=", (unsigned)s->from, (unsigned)s->to);
    quote_text(out, &label);
    text_puts(out, above(g, s->to) == s->from ? ", weight=9" : ", constraint=false");
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
    struct mentions m = describe_mentions(r, true, out->mem), shown = describe_surroundings(r, m, out->mem);
    struct graph g = {out, r->h, shown, m, describe_drawing(r, out->mem)};
    columns(&g);
    if (shown.n > m.n)
        text_puts(out, "    note [shape=plaintext, fontsize=10, fontname=\"sans-serif\", "
                       "label=\"grey: for context, no part of the reason\"];\n");
    for (uint32_t i = 0; i < g.edges.n; i++)
        edge(&g, r, &g.edges.at[i]);
}

static void witness(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    if (!ev->orders.n || r->h->n > SMALL)
        return;
    struct mentions all = {mem_new(out->mem, uint32_t, r->h->n + 1), r->h->n};
    for (uint32_t op = 0; op < r->h->n; op++)
        all.ops[op] = op;
    columns(&(struct graph){out, r->h, all, all, {0}});
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        const uint32_t *ops = ev->ops.at + o->at;
        const char *whose = o->thread == ASSAY_NO_THREAD ? "" : history_text(r->h, r->h->threads.at[o->thread].name);
        for (uint32_t j = 0; j + 1 < o->count; j++) {
            text_printf(out, "    op%u -> op%u [label=", (unsigned)ops[j], (unsigned)ops[j + 1]);
            quoted(out, whose);
            text_puts(out, ", constraint=false];\n");
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
    text_puts(out, ";\n    labelloc=t;\n    node [shape=box, fontname=\"monospace\"];\n"
                   "    nodesep=1;\n    ranksep=0.6;\n"
                   "    edge [fontname=\"sans-serif\", fontsize=10];\n");
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
