/* SPDX-License-Identifier: Apache-2.0 */
/* One page that needs nothing else: the verdict, the argument as a nested list, and a picture. The picture has one
 * column per thread and one row per operation, and the arrows of the cycle stand out. */
#include "history/token.h"
#include "report/describe.h"
#include "report/report.h"

#include <string.h>

enum {
    MOST_DRAWN = 80, /* a picture of more operations explains nothing */
    MOST_CASES = 50,
    FEW_PLACED = 200,
    COLUMN = 240,
    ROW = 56,
    BOX_WIDTH = 190,
    BOX_HEIGHT = 30,
    LEFT = 110,
    TOP = 40,
    LABEL_BYTES = 26, /* that fit into a box */
};

static const char style[] =
    ":root{--ink:#1c2430;--paper:#fff;--soft:#5d6b7c;--line:#c9d2dc;--box:#f3f6f9;--bad:#b3261e;"
    "--good:#1b7a43;--open:#8a6100}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e9ef;--paper:#14181d;--soft:#9aa7b5;"
    "--line:#3a4550;--box:#1f262d;--bad:#ff8a80;--good:#6fd69a;--open:#f2c14e}}\n"
    "body{margin:2rem auto;max-width:64rem;padding:0 1rem;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin-bottom:.2rem}\n"
    "h2{font-size:1.1rem;margin-top:2rem}\n"
    ".violation{color:var(--bad)}.consistent{color:var(--good)}.undecided{color:var(--open)}\n"
    ".soft{color:var(--soft)}\n"
    "code,li{font-family:ui-monospace,monospace;font-size:.9rem}\n"
    "li{margin:.3rem 0;white-space:pre-wrap}\n"
    ".scroll{overflow-x:auto}\n"
    "svg text{font:13px ui-monospace,monospace;fill:var(--ink)}\n"
    "svg .name{font-weight:bold;text-anchor:middle}svg .call{text-anchor:middle}\n"
    "svg .place{fill:var(--soft)}\n"
    "svg rect{fill:var(--box);stroke:var(--line)}\n"
    "svg path.edge{fill:none;stroke:var(--soft);stroke-width:1.2}\n"
    "svg path.derived{stroke-dasharray:6 4}svg path.case{stroke-dasharray:2 4}\n"
    "svg path.cycle{stroke:var(--bad);stroke-width:2.4}\n"
    "svg text.rule{font-size:11px;fill:var(--soft)}svg text.rule.cycle{fill:var(--bad)}\n"
    "svg marker path{fill:var(--soft)}svg marker.cycle path{fill:var(--bad)}\n";

/* ---- escaped text ---- */

static void escaped(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (s[i]) {
        case '&': text_puts(out, "&amp;"); break;
        case '<': text_puts(out, "&lt;"); break;
        case '>': text_puts(out, "&gt;"); break;
        case '"': text_puts(out, "&quot;"); break;
        default: text_char(out, s[i]);
        }
    }
}

static void words(struct text *out, const char *s)
{
    escaped(out, s, strlen(s));
}

/* Escapes a sentence that was put together in a text of its own, and frees that. */
static void sentence(struct text *out, struct text *s)
{
    escaped(out, text_get(s), s->n);
    mem_free(out->mem, s->at);
}

/* ---- headline and argument ---- */

static void headline(const result *r, const assay_report_options *options, struct text *out)
{
    const char *verdict = assay_verdict_name(r->verdict);
    struct text file = text_in(out->mem);
    describe_file(&file, options);
    text_printf(out, "<h1><span class=\"%s\">%s</span>: ", verdict, verdict);
    words(out, r->model->name);
    text_puts(out, " (");
    words(out, r->model->title);
    text_puts(out, ")</h1>\n<p class=\"soft\">");
    sentence(out, &file);
    text_puts(out, ": ");
    describe_size(out, r->h);
    text_puts(out, ", engine ");
    words(out, r->engine ? r->engine : "none");
    text_puts(out, "</p>\n");
    if (r->vacuous) {
        text_puts(out, "<p>Vacuous: ");
        words(out, r->vacuous);
        text_puts(out, "</p>\n");
    }
    if (r->verdict == ASSAY_UNDECIDED && r->undecided) {
        text_puts(out, "<p>Reason: ");
        words(out, r->undecided);
        text_puts(out, "</p>\n");
    }
}

static void item(struct text *out, struct text *s)
{
    text_puts(out, "<li>");
    sentence(out, s);
}

static void fact(const result *r, const assay_step *step, struct text *out)
{
    struct text s = text_in(out->mem);
    describe_fact(&s, r, step);
    item(out, &s);
    text_puts(out, "</li>\n");
}

static void claim(const result *r, uint32_t reason, struct text *out)
{
    struct text said = text_in(out->mem), why = text_in(out->mem);
    struct path path = describe_path_of(r, reason);
    describe_claim(&said, r, reason);
    describe_because(&why, r, reason, false);
    item(out, &said);
    text_puts(out, "<ul>");
    item(out, &why);
    if (path.n > 1) {
        text_puts(out, "<ul>");
        for (uint32_t i = 0; i < path.n; i++)
            fact(r, &path.at[i], out);
        text_puts(out, "</ul>");
    }
    text_puts(out, "</li></ul></li>\n");
}

/* One cycle: its assumptions, its facts, and its conclusion. */
static void cycle_argument(const result *r, uint32_t number, struct text *out)
{
    struct path cycle = describe_cycle(r, number);
    bool *used = describe_used(r, number, out->mem);
    struct text s = text_in(out->mem);
    text_puts(out, "<ul>\n");
    for (uint32_t i = 0; i < r->evidence.reasons.n; i++)
        if (used[i])
            claim(r, i, out);
    for (uint32_t i = 0; i < cycle.n; i++)
        if (!describe_derived(cycle.at[i].rule))
            fact(r, &cycle.at[i], out);
    text_puts(out, "</ul>\n<p>");
    describe_conclusion(&s, r, cycle, true);
    sentence(out, &s);
    text_puts(out, "</p>\n");
    mem_free(out->mem, used);
}

static void cases(const result *r, struct text *out)
{
    uint32_t n = describe_cycles(r);
    for (uint32_t i = 0; i < n && i < MOST_CASES; i++) {
        struct text s = text_in(out->mem);
        describe_case(&s, r, i);
        text_printf(out, "<h3>Case %u: ", (unsigned)i + 1);
        sentence(out, &s);
        text_puts(out, "</h3>\n");
        cycle_argument(r, i, out);
    }
    if (n > MOST_CASES)
        text_printf(out, "<p>... and %u more cases</p>\n", (unsigned)(n - MOST_CASES));
    text_puts(out, "<p>");
    describe_no_case_left(out);
    text_puts(out, "</p>\n");
}

static void why(const result *r, struct text *out);

/* Of each choice of sources. */
static void choices(const result *r, struct text *out)
{
    uint32_t n = r->evidence.cases.n;
    for (uint32_t i = 0; i < n && i < MOST_CASES; i++) {
        struct text s = text_in(out->mem);
        result choice = describe_choice(r, i);
        describe_assumed(&s, &choice);
        text_printf(out, "<h3>Case %u: ", (unsigned)i + 1);
        sentence(out, &s);
        text_puts(out, "</h3>\n");
        why(&choice, out);
    }
    if (n > MOST_CASES)
        text_printf(out, "<p>... and %u more cases</p>\n", (unsigned)(n - MOST_CASES));
    text_puts(out, "<p>");
    describe_no_choice_left(out);
    text_puts(out, "</p>\n");
}

static void why(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    text_puts(out, "<p>");
    if (ev->pattern != PATTERN_NONE) {
        text_printf(out, "<strong>%s</strong>: ", pattern_reported(r));
        words(out, pattern_text(ev->pattern));
    } else {
        text_puts(out, "The engine gave no argument.");
    }
    text_puts(out, "</p>\n");
    if (ev->culprit != ASSAY_NO_OPERATION) {
        struct text s = text_in(out->mem);
        describe_culprit(&s, r);
        text_puts(out, "<ul>\n");
        item(out, &s);
        text_puts(out, "</li>\n</ul>\n");
    }
    if (ev->cases.n)
        choices(r, out);
    else if (describe_by_cases(r) && ev->learned.n)
        cases(r, out);
    else if (describe_cycles(r))
        cycle_argument(r, 0, out);
}

static void argument(const result *r, struct text *out)
{
    text_puts(out, "<h2>Why</h2>\n");
    why(r, out);
}

/* ---- the picture ---- */

struct picture {
    const result *r;
    struct mentions m;
    struct idmap row;    /* operation -> row */
    uint32_t *column_of; /* thread -> column */
    uint32_t columns;
};

static struct picture lay_out(const result *r, struct mentions m, struct mem *mem)
{
    const history *h = r->h;
    struct picture p = {r, m, {0}, mem_new(mem, uint32_t, h->threads.n + 1), 0};
    bool *present = mem_new_zero(mem, bool, h->threads.n + 1);
    for (uint32_t i = 0; i < m.n; i++) {
        *idmap_at(mem, &p.row, m.ops[i]) = i;
        present[h->thread[m.ops[i]]] = true;
    }
    for (uint32_t t = 0; t < h->threads.n; t++)
        p.column_of[t] = present[t] ? p.columns++ : ID_NONE;
    return p;
}

static int middle_x(const struct picture *p, uint32_t op)
{
    return LEFT + (int)p->column_of[p->r->h->thread[op]] * COLUMN + BOX_WIDTH / 2;
}

static int middle_y(const struct picture *p, uint32_t op)
{
    return TOP + (int)idmap_get(&p->row, op) * ROW + BOX_HEIGHT / 2;
}

static void box(const struct picture *p, uint32_t op, struct text *out)
{
    int x = middle_x(p, op), y = middle_y(p, op);
    struct text place = text_in(out->mem), call = text_in(out->mem), whole = text_in(out->mem);
    describe_place(&place, p->r->h, op);
    describe_call(&call, p->r->h, op);
    describe_operation(&whole, p->r->h, op);
    text_printf(out, "<text class=\"place\" x=\"4\" y=\"%d\">", y + 4);
    sentence(out, &place);
    text_printf(out, "</text><g><title>");
    sentence(out, &whole);
    text_printf(out, "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"5\"/>", x - BOX_WIDTH / 2,
                y - BOX_HEIGHT / 2, BOX_WIDTH, BOX_HEIGHT);
    text_printf(out, "<text class=\"call\" x=\"%d\" y=\"%d\">", x, y + 4);
    size_t n = call.n;
    if (n > LABEL_BYTES) { /* cut before a character, not within one */
        for (n = LABEL_BYTES - 3; n && ((unsigned char)call.at[n] & 0xC0) == 0x80;)
            n--;
    }
    escaped(out, text_get(&call), n);
    text_puts(out, n < call.n ? "...</text></g>\n" : "</text></g>\n");
    mem_free(out->mem, call.at);
}

/* Within a column the arrow swings out to the right; between columns it leaves and enters
 * sideways. */
static void arrow(const struct picture *p, const struct drawn *d, struct text *out)
{
    const assay_step *s = d->step;
    int x1 = middle_x(p, s->from), y1 = middle_y(p, s->from);
    int x2 = middle_x(p, s->to), y2 = middle_y(p, s->to);
    int half = BOX_WIDTH / 2, bend, side1, side2;
    if (x1 == x2) {
        side1 = side2 = half;
        bend = 36 + (y2 < y1 ? 24 : 0);
    } else {
        side1 = x1 < x2 ? half : -half;
        side2 = -side1;
        bend = x1 < x2 ? 40 : -40;
    }
    /* The two directions of one pair would cover each other. */
    int shift = y1 < y2 || (y1 == y2 && x1 < x2) ? -5 : 5;
    int from_x = x1 + side1, to_x = x2 + side2, from_y = y1 + shift, to_y = y2 + shift;
    int c1 = from_x + bend, c2 = x1 == x2 ? to_x + bend : to_x - bend;
    const char *kind = d->in_cycle ? " cycle" : "";
    text_printf(out, "<path class=\"edge%s%s\" marker-end=\"url(#%s)\" d=\"M%d %d C%d %d %d %d %d %d\"/>",
                describe_derived(s->rule) ? " derived"
                : s->rule == ASSAY_CASE   ? " case"
                                          : "",
                kind, d->in_cycle ? "ac" : "a", from_x, from_y, c1, from_y, c2, to_y, to_x, to_y);
    text_printf(out, "<text class=\"rule%s\" x=\"%d\" y=\"%d\">%s</text>\n", kind,
                (from_x + 3 * c1 + 3 * c2 + to_x) / 8 + 3, (from_y + to_y) / 2 - 4 + shift, assay_rule_name(s->rule));
}

static void markers(struct text *out)
{
    static const char *const kinds[][2] = {{"a", ""}, {"ac", " class=\"cycle\""}};
    text_puts(out, "<defs>");
    for (int i = 0; i < 2; i++)
        text_printf(out,
                    "<marker id=\"%s\"%s viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"9\" "
                    "markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                    "<path d=\"M0 0L8 4L0 8z\"/></marker>",
                    kinds[i][0], kinds[i][1]);
    text_puts(out, "</defs>\n");
}

static void faults(const result *r, struct text *out)
{
    struct mentions m = describe_mentions(r, true, out->mem);
    uint32_t header = 0, n = 0;
    for (;; n++) {
        struct text one = text_in(out->mem);
        if (!describe_fault(&one, r->h, &header, m))
            break;
        text_puts(out, n ? "" : "<h2>Faults while it was recorded</h2>\n<ul>\n");
        text_puts(out, "<li>");
        words(out, text_get(&one));
        text_puts(out, "</li>\n");
    }
    text_puts(out, n ? "</ul>\n" : "");
}

static void picture(const result *r, struct text *out)
{
    struct mentions m = describe_mentions(r, true, out->mem);
    if (!m.n)
        return;
    text_puts(out, "<h2>The operations involved</h2>\n");
    if (m.n > MOST_DRAWN) {
        text_printf(out, "<p>%u operations: too many to draw.</p>\n", (unsigned)m.n);
        return;
    }
    struct picture p = lay_out(r, m, out->mem);
    struct drawing edges = describe_drawing(r, out->mem);
    int width = LEFT + (int)p.columns * COLUMN + 40, height = TOP + (int)m.n * ROW + 10;
    text_printf(out,
                "<div class=\"scroll\"><svg role=\"img\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" xmlns=\"http://www.w3.org/2000/svg\">\n",
                width, height, width, height);
    markers(out);
    for (uint32_t t = 0; t < r->h->threads.n; t++) {
        if (p.column_of[t] == ID_NONE)
            continue;
        text_printf(out, "<text class=\"name\" x=\"%d\" y=\"20\">",
                    LEFT + (int)p.column_of[t] * COLUMN + BOX_WIDTH / 2);
        words(out, history_text(r->h, r->h->threads.at[t].name));
        text_puts(out, "</text>\n");
    }
    for (uint32_t i = 0; i < m.n; i++)
        box(&p, m.ops[i], out);
    for (uint32_t i = 0; i < edges.n; i++)
        arrow(&p, &edges.at[i], out);
    text_puts(out, "</svg></div>\n");
}

/* ---- the witness ---- */

static void witness(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        struct text title = text_in(out->mem);
        describe_order(&title, r, i);
        title.at[0] = 'A'; /* "an order ..." becomes a heading */
        text_puts(out, "<h2>");
        sentence(out, &title);
        text_puts(out, "</h2>\n<ol>\n");
        for (uint32_t j = 0; j < o->count && j < FEW_PLACED; j++) {
            struct text s = text_in(out->mem);
            describe_placed(&s, r, ev->ops.at[o->at + j]);
            item(out, &s);
            text_puts(out, "</li>\n");
        }
        text_puts(out, "</ol>\n");
        if (o->count > FEW_PLACED)
            text_printf(out, "<p>... and %u more</p>\n", (unsigned)(o->count - FEW_PLACED));
    }
}

static void write_html(const result *r, const assay_report_options *options, struct text *out)
{
    struct text file = text_in(out->mem);
    describe_file(&file, options);
    text_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    sentence(out, &file);
    text_printf(out, ": %s</title>\n<style>\n", assay_verdict_name(r->verdict));
    text_puts(out, style);
    text_puts(out, "</style>\n</head>\n<body>\n");
    headline(r, options, out);
    if (r->verdict == ASSAY_VIOLATION) {
        argument(r, out);
        picture(r, out);
        faults(r, out);
    } else if (r->verdict == ASSAY_CONSISTENT) {
        witness(r, out);
    }
    text_puts(out, "</body>\n</html>\n");
}

const struct report report_html = {
    .name = "html",
    .title = "a self-contained page with a picture",
    .write = write_html,
};
