/* SPDX-License-Identifier: Apache-2.0 */
/* The same picture for papers: a tikzpicture that \input takes, or that compiles alone with the lines of its head
 * uncommented. It needs the package tikz only, and no fonts beyond those of LaTeX. Colours have names that a paper can
 * define before; dashes and widths tell arrows apart in grey. */
#include "base/utf8.h"
#include "report/describe.h"
#include "report/layout.h"
#include "report/report.h"

#include <string.h>

/* Characters with a meaning in TeX are written as commands. A pair {} stands behind
 * characters of ligatures. Characters beyond ASCII are written by their numbers: fonts need not have them. */
static void escaped(struct text *out, const char *s)
{
    const char *end = s + strlen(s);
    uint32_t character;
    for (size_t n; s < end && (n = utf8_next(s, end, &character)); s += n) {
        if (n > 1) {
            text_printf(out, "U+%04X", (unsigned)character);
            continue;
        }
        switch (*s) {
        case '\\': text_puts(out, "\\textbackslash{}"); break;
        case '~': text_puts(out, "\\textasciitilde{}"); break;
        case '^': text_puts(out, "\\textasciicircum{}"); break;
        case '{':
        case '}':
        case '#':
        case '$':
        case '%':
        case '&':
        case '_': text_printf(out, "\\%c", *s); break;
        case '-':
        case '<':
        case '>':
        case ',':
        case '`':
        case '\'':
        case '?':
        case '!':
        case '"': text_printf(out, "%c{}", *s); break;
        default: text_char(out, *s);
        }
    }
}

/* A line of a comment. The words have no line ends: they are fit to be shown. */
static void comment(struct text *out, struct text *words)
{
    text_puts(out, "% ");
    text_printf(out, "%s\n", text_get(words));
}

static void write_text(struct text *out, const char *options, int x, int y, const char *words)
{
    text_printf(out, "\\node[%s] at (%d,%d) {", options, x, y);
    escaped(out, words);
    text_puts(out, "};\n");
}

static const char *dashes(assay_rule rule)
{
    return describe_derived(rule) ? ", assay derived" : rule == ASSAY_CASE ? ", assay assumed" : "";
}

static void write_threads(const struct layout *l, struct text *out)
{
    for (uint32_t i = 0; i < l->threads.n; i++) {
        const struct layout_thread *t = &l->threads.at[i];
        text_printf(out, "\\draw[assay lane] (%d,%d) -- (%d,%d);\n", t->from.x, t->from.y, t->to.x, t->to.y);
        write_text(out, l->is_time_line ? "assay thread, anchor=west" : "assay thread", t->x, t->y, t->name);
    }
}

static void write_box(const struct layout_box *b, struct text *out)
{
    static const char *const weights[] = {"assay dim", "assay plain", "assay strong"};
    int right = b->x + b->width, bottom = b->y + b->height;
    if (b->open)
        text_printf(out, "\\path[%s] (%d,%d) -- (%d,%d) -- (%d,%d) -- (%d,%d);\n", weights[b->weight], right, b->y,
                    b->x, b->y, b->x, bottom, right, bottom);
    else
        text_printf(out, "\\path[%s] (%d,%d) rectangle (%d,%d);\n", weights[b->weight], b->x, b->y, right, bottom);
    write_text(out, "assay place", b->x + LAYOUT_PAD, b->y + LAYOUT_PLACE - 4, b->place);
    for (uint32_t i = 0; i < b->n; i++)
        write_text(out, "assay call", b->x + LAYOUT_PAD, b->y + LAYOUT_PLACE + (int)(i + 1) * LAYOUT_LINE - 7,
                   b->lines[i]);
}

static void write_arrow(const struct layout_edge *e, struct text *out)
{
    text_printf(out, "\\draw[%s%s]", e->in_cycle ? "assay cycle" : "assay edge", dashes(e->rule));
    for (uint32_t i = 0; i < e->n; i++)
        text_printf(out, "%s (%d,%d)", i ? " --" : "", e->at[i].x, e->at[i].y);
    text_puts(out, ";\n");
}

static void write_legend(const struct layout *l, struct text *out)
{
    int y = l->bottom + LAYOUT_MARGIN - 4;
    for (uint32_t i = 0; i < l->rules.n; i++, y += LAYOUT_NOTE) {
        assay_rule rule = l->rules.at[i];
        text_printf(out, "\\draw[assay edge, -%s] (%d,%d) -- +(40,0);\n", dashes(rule), LAYOUT_MARGIN, y);
        write_text(out, "assay place", LAYOUT_MARGIN + 48, y, assay_rule_name(rule));
        write_text(out, "assay place", LAYOUT_MARGIN + 82, y, layout_rule_title(rule));
    }
    for (uint32_t i = 0; i < l->notes.n; i++, y += LAYOUT_NOTE)
        write_text(out, "assay place", LAYOUT_MARGIN, y, l->notes.at[i]);
}

static void write_head(const result *r, const assay_report_options *options, struct text *out)
{
    struct text title = text_in(out->mem), description = text_in(out->mem);
    layout_title(&title, r, options);
    layout_description(&description, r);
    comment(out, &title);
    comment(out, &description);
    text_puts(out, "% To compile it alone, uncomment these lines and the last one:\n"
                   "%\\documentclass[border=4pt]{standalone}\n"
                   "%\\usepackage{tikz}\n"
                   "%\\begin{document}\n"
                   "\\providecolor{assaymark}{RGB}{179,38,30}%\n"
                   "\\begin{tikzpicture}[x=0.75pt, y=-0.75pt,\n"
                   "  assay call/.style={anchor=west, inner sep=0pt, font=\\ttfamily\\small},\n"
                   "  assay place/.style={anchor=west, inner sep=0pt, font=\\ttfamily\\scriptsize, text=black!65},\n"
                   "  assay thread/.style={inner sep=0pt, font=\\ttfamily\\bfseries\\small},\n"
                   "  assay label/.style={inner sep=1pt, fill=white, font=\\ttfamily\\bfseries\\scriptsize},\n"
                   "  assay lane/.style={draw=black!25},\n"
                   "  assay dim/.style={draw=black!40, fill=black!2},\n"
                   "  assay plain/.style={draw=black, fill=white, line width=0.6pt},\n"
                   "  assay strong/.style={draw=assaymark, fill=assaymark!10, line width=1.3pt},\n"
                   "  assay edge/.style={draw=black!70, line width=0.6pt, -latex},\n"
                   "  assay cycle/.style={draw=assaymark, line width=1.2pt, -latex},\n"
                   "  assay derived/.style={dash pattern=on 5pt off 3pt},\n"
                   "  assay assumed/.style={dash pattern=on 1pt off 3pt}]\n");
}

static void write_tikz(const result *r, const assay_report_options *options, struct text *out)
{
    struct layout l = layout_of(r, out->mem);
    write_head(r, options, out);
    write_threads(&l, out);
    for (uint32_t i = 0; i < l.boxes.n; i++)
        write_box(&l.boxes.at[i], out);
    for (uint32_t i = 0; i < l.edges.n; i++)
        write_arrow(&l.edges.at[i], out);
    for (uint32_t i = 0; i < l.edges.n; i++)
        write_text(out, "assay label", l.edges.at[i].label.x, l.edges.at[i].label.y,
                   assay_rule_name(l.edges.at[i].rule));
    write_legend(&l, out);
    text_puts(out, "\\end{tikzpicture}\n%\\end{document}\n");
}

const struct report report_tikz = {
    .name = "tikz",
    .title = "the same picture for papers, as TikZ",
    .write = write_tikz,
};
