/* SPDX-License-Identifier: Apache-2.0 */
/* A picture of the violation as SVG, for slides and pages: it needs nothing else, neither fonts nor styles. Kinds of
 * arrows differ by dashes and width, and strong boxes by their border, so it can be printed in grey. */
#include "report/describe.h"
#include "report/layout.h"
#include "report/report.h"

#include <string.h>

static const char style[] = "text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1c2430}"
                            ".thread{font-weight:bold}.place,.label,.note{font-size:10.5px}.place,.note{fill:#4a5563}"
                            ".label{font-weight:bold;text-anchor:middle}.halo{fill:#fff}"
                            ".lane{stroke:#c9d2dc;stroke-width:1}"
                            ".box{fill:#fff;stroke:#1c2430;stroke-width:1.2}.dim .box{stroke:#9aa7b5;fill:#fafbfc}"
                            ".dim text{fill:#68727f}.strong .box{fill:#fde9e7;stroke:#b3261e;stroke-width:2.6}"
                            ".edge{fill:none;stroke:#4a5563;stroke-width:1.2}.cycle{stroke:#b3261e;stroke-width:2.2}"
                            ".derived{stroke-dasharray:7 4}.assumed{stroke-dasharray:2 4}";

static void escaped(struct text *out, const char *s)
{
    text_markup(out, s, strlen(s));
}

static void element(struct text *out, const char *name, struct text *content)
{
    text_printf(out, "<%s>", name);
    escaped(out, text_get(content));
    text_printf(out, "</%s>\n", name);
}

static void write_text(struct text *out, const char *class, int x, int y, const char *words)
{
    text_printf(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    escaped(out, words);
    text_puts(out, "</text>");
}

static const char *dashes(assay_rule rule)
{
    return describe_derived(rule) ? " derived" : rule == ASSAY_CASE ? " assumed" : "";
}

static void write_threads(const struct layout *l, struct text *out)
{
    for (uint32_t i = 0; i < l->threads.n; i++) {
        const struct layout_thread *t = &l->threads.at[i];
        text_printf(out, "<path class=\"lane\" d=\"M%d %dL%d %d\"/>", t->from.x, t->from.y, t->to.x, t->to.y);
        int x = l->is_time_line ? t->x : t->x - layout_text_width(t->name) / 2;
        write_text(out, "thread", x, t->y + 4, t->name);
        text_char(out, '\n');
    }
}

/* A pending operation has no right side. */
static void write_outline(const struct layout_box *b, struct text *out)
{
    if (!b->open) {
        text_printf(out, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"/>", b->x, b->y,
                    b->width, b->height);
        return;
    }
    text_printf(out, "<path class=\"box\" d=\"M%d %dH%dV%dH%d\"/>", b->x + b->width, b->y, b->x, b->y + b->height,
                b->x + b->width);
}

static void write_box(const struct layout_box *b, struct text *out)
{
    static const char *const weights[] = {"dim", "plain", "strong"};
    text_printf(out, "<g class=\"%s\"><title>", weights[b->weight]);
    escaped(out, b->whole);
    text_puts(out, "</title>");
    write_outline(b, out);
    write_text(out, "place", b->x + LAYOUT_PAD, b->y + LAYOUT_PLACE, b->place);
    for (uint32_t i = 0; i < b->n; i++)
        write_text(out, "call", b->x + LAYOUT_PAD, b->y + LAYOUT_PLACE + (int)(i + 1) * LAYOUT_LINE - 2, b->lines[i]);
    text_puts(out, "</g>\n");
}

static void write_arrow(const struct layout_edge *e, struct text *out)
{
    text_printf(out, "<path class=\"edge%s%s\" marker-end=\"url(#%s)\" d=\"", dashes(e->rule),
                e->in_cycle ? " cycle" : "", e->in_cycle ? "red" : "grey");
    for (uint32_t i = 0; i < e->n; i++)
        text_printf(out, "%c%d %d", i ? 'L' : 'M', e->at[i].x, e->at[i].y);
    text_puts(out, "\"/>\n");
}

/* Labels come last, so that no arrow is drawn over one. */
static void write_label(const struct layout_edge *e, struct text *out)
{
    int width = layout_label_width(e->rule);
    text_printf(out, "<rect class=\"halo\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", e->label.x - width / 2,
                e->label.y - LAYOUT_LABEL_HEIGHT / 2, width, LAYOUT_LABEL_HEIGHT);
    write_text(out, "label", e->label.x, e->label.y + 4, assay_rule_name(e->rule));
    text_char(out, '\n');
}

static void write_legend(const struct layout *l, struct text *out)
{
    int y = l->bottom + LAYOUT_MARGIN;
    for (uint32_t i = 0; i < l->rules.n; i++, y += LAYOUT_NOTE) {
        assay_rule rule = l->rules.at[i];
        text_printf(out, "<path class=\"edge%s\" d=\"M%d %dh40\"/>", dashes(rule), LAYOUT_MARGIN, y - 4);
        write_text(out, "note", LAYOUT_MARGIN + 48, y, assay_rule_name(rule));
        write_text(out, "note", LAYOUT_MARGIN + 82, y, layout_rule_title(rule));
        text_char(out, '\n');
    }
    for (uint32_t i = 0; i < l->notes.n; i++, y += LAYOUT_NOTE) {
        write_text(out, "note", LAYOUT_MARGIN, y, l->notes.at[i]);
        text_char(out, '\n');
    }
}

static void write_markers(struct text *out)
{
    static const char *const kinds[][2] = {{"grey", "#4a5563"}, {"red", "#b3261e"}};
    text_puts(out, "<defs>");
    for (int i = 0; i < 2; i++)
        text_printf(out,
                    "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"9\" "
                    "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                    "<path fill=\"%s\" d=\"M0 0L8 4L0 8z\"/></marker>",
                    kinds[i][0], kinds[i][1]);
    text_puts(out, "</defs>\n");
}

static void write_svg(const result *r, const assay_report_options *options, struct text *out)
{
    struct layout l = layout_of(r, out->mem);
    struct text title = text_in(out->mem), description = text_in(out->mem);
    layout_title(&title, r, options);
    layout_description(&description, r);
    text_printf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" xml:space=\"preserve\" width=\"%d\" height=\"%d\" "
        "viewBox=\"0 0 %d %d\">\n",
        l.width, l.height, l.width, l.height);
    element(out, "title", &title);
    element(out, "desc", &description);
    text_printf(out, "<style>%s</style>\n", style);
    write_markers(out);
    text_puts(out, "<rect class=\"halo\" width=\"100%\" height=\"100%\"/>\n");
    write_threads(&l, out);
    for (uint32_t i = 0; i < l.boxes.n; i++)
        write_box(&l.boxes.at[i], out);
    for (uint32_t i = 0; i < l.edges.n; i++)
        write_arrow(&l.edges.at[i], out);
    for (uint32_t i = 0; i < l.edges.n; i++)
        write_label(&l.edges.at[i], out);
    write_legend(&l, out);
    text_puts(out, "</svg>\n");
}

const struct report report_svg = {
    .name = "svg",
    .title = "a picture of the violation, for slides and pages",
    .write = write_svg,
};
