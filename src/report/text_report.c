/* SPDX-License-Identifier: Apache-2.0 */
/* The report for people: the verdict in one line, then the argument, then the lines it speaks of.
 *
 * A cycle is told in its own order. A derived step has its reason beneath it. Claims that only other claims rest on
 * come before the cycle, as premises. */
#include "base/utf8.h"
#include "report/abbreviate.h"
#include "report/brief.h"
#include "report/columns.h"
#include "report/describe.h"
#include "report/elements.h"
#include "report/report.h"
#include "report/story.h"
#include "report/wrap.h"

enum {
    FEW_CLAIMS = 20, /* more are shown only with explain */
    FEW_CASES = 8,   /* likewise */
    FEW_PLACED = 20, /* operations of a witness */
    FEW_LINES = 40,  /* of the excerpt */
    PAGE = 80,       /* columns of the excerpt, unless the terminal has others */
};

struct page {
    const result *r;
    const assay_report_options *options;
    struct text *out;
};

static void paint(const struct page *p, const char *code, const char *words)
{
    if (p->options->color)
        text_printf(p->out, "\033[%sm%s\033[0m", code, words);
    else
        text_puts(p->out, words);
}

/* Which budget a larger value may help. */
static void undecided_remedy(const struct page *p)
{
    const char *options = p->r->undecided == UNDECIDED_TIME     ? "--time or --wall"
                          : p->r->undecided == UNDECIDED_MEMORY ? "--memory"
                                                                : NULL;
    if (options)
        text_printf(p->out, "  a larger %s may decide it\n", options);
}

static void model(const struct page *p)
{
    text_printf(p->out, "%s (%s)", p->r->model->name, p->r->model->title);
    if (p->r->visibility[0])
        text_printf(p->out, ", but %s", p->r->visibility);
}

static void headline(const struct page *p)
{
    const result *r = p->r, *proof = result_proof(r);
    describe_file(p->out, p->options);
    text_puts(p->out, ": ");
    switch (r->verdict) {
    case ASSAY_CONSISTENT:
        paint(p, "32", "consistent");
        text_puts(p->out, " with ");
        model(p);
        break;
    case ASSAY_VIOLATION:
        paint(p, "1;31", "VIOLATION");
        text_puts(p->out, " of ");
        model(p);
        if (proof->evidence.pattern != PATTERN_NONE)
            text_printf(p->out, ": %s", pattern_reported(proof));
        break;
    case ASSAY_UNDECIDED:
        paint(p, "33", "undecided");
        text_puts(p->out, " for ");
        model(p);
        text_printf(p->out, ": %s", *r->undecided_text ? r->undecided_text : "no reason was given");
    }
    if (r->from)
        text_printf(p->out, ", inferred from %s", proof->model->name);
    text_printf(p->out, " (%s, ", r->engine ? r->engine : "no engine");
    if (proof->model->needs & NEED_CALLS)
        text_printf(p->out, "%s, ", r->object);
    describe_size(p->out, r->h);
    text_puts(p->out, ")\n");
    undecided_remedy(p);
    if (r->vacuous)
        text_printf(p->out, "  vacuous: %s\n", r->vacuous);
}

/* ---- the argument ---- */

static void steps_one_by_one(const struct page *p, struct path path)
{
    for (uint32_t i = 0; i < path.n; i++) {
        text_puts(p->out, "        ");
        describe_fact(p->out, p->r, &path.at[i]);
        text_char(p->out, '\n');
    }
}

static void claim(const struct page *p, uint32_t reason)
{
    text_puts(p->out, "    ");
    describe_claim(p->out, p->r, reason);
    text_puts(p->out, "\n      ");
    describe_because(p->out, p->r, reason, p->options->explain);
    text_char(p->out, '\n');
    struct path path = describe_path_of(p->r, reason);
    if (p->options->explain && path.n > 1)
        steps_one_by_one(p, path);
}

/* The claims that the cycle rests on and does not consist of. */
static bool *premises_of(const struct page *p, uint32_t i, struct path cycle)
{
    bool *used = describe_used(p->r, i, p->out->mem);
    for (uint32_t s = 0; s < cycle.n; s++)
        if (describe_derived(cycle.at[s].rule))
            used[cycle.at[s].reason] = false;
    return used;
}

static void premises(const struct page *p, uint32_t i, struct path cycle)
{
    uint32_t n = p->r->evidence.reasons.n, count = 0, skip = 0;
    bool *used = premises_of(p, i, cycle);
    for (uint32_t reason = 0; reason < n; reason++)
        count += used[reason];
    if (!p->options->explain && count > FEW_CLAIMS) { /* the last ones carry the cycle */
        skip = count - FEW_CLAIMS;
        text_printf(p->out, "    ... %u earlier claims, shown by --explain ...\n", (unsigned)skip);
    }
    for (uint32_t reason = 0; reason < n; reason++) {
        if (!used[reason])
            continue;
        if (skip)
            skip--;
        else
            claim(p, reason);
    }
    mem_free(p->out->mem, used);
}

static void cycle_steps(const struct page *p, struct path cycle)
{
    bool dots = false;
    for (uint32_t i = 0; i < cycle.n; i++) {
        const assay_step *step = &cycle.at[i];
        if (describe_derived(step->rule)) {
            claim(p, step->reason);
            continue;
        }
        if (describe_hidden(cycle, i, p->options->explain)) {
            if (!dots)
                text_puts(p->out, "    ...\n");
            dots = true;
            continue;
        }
        text_puts(p->out, "    ");
        describe_fact(p->out, p->r, step);
        text_char(p->out, '\n');
    }
}

static void cycle_argument(const struct page *p, uint32_t i, const char *indent)
{
    struct path cycle = describe_cycle(p->r, i);
    premises(p, i, cycle);
    cycle_steps(p, cycle);
    text_puts(p->out, indent);
    describe_conclusion(p->out, p->r, cycle, p->options->explain);
    text_char(p->out, '\n');
}

static void cases(const struct page *p)
{
    uint32_t n = describe_cycles(p->r), shown = p->options->explain || n <= FEW_CASES ? n : 0;
    for (uint32_t i = 0; i < shown; i++) {
        text_printf(p->out, "  case %u: ", (unsigned)i + 1);
        describe_case(p->out, p->r, i);
        text_puts(p->out, ":\n");
        cycle_argument(p, i, "    ");
    }
    if (!shown && n)
        text_printf(p->out, "    %u cases, shown by --explain\n", (unsigned)n);
    for (uint32_t i = 0; p->options->explain && i + 1 < p->r->evidence.learned.n; i++) {
        text_puts(p->out, "  ");
        describe_learned(p->out, p->r, i);
        text_char(p->out, '\n');
    }
    text_puts(p->out, "  ");
    describe_no_case_left(p->out);
    text_char(p->out, '\n');
}

static void argument(const struct page *p);

/* Of each choice of sources. */
static void choices(const struct page *p)
{
    uint32_t n = p->r->evidence.cases.n, shown = p->options->explain || n <= FEW_CASES ? n : 0;
    for (uint32_t i = 0; i < shown; i++) {
        result choice = describe_choice(p->r, i);
        struct page page = *p;
        page.r = &choice;
        text_printf(p->out, "  case %u: ", (unsigned)i + 1);
        describe_assumed(p->out, &choice);
        text_puts(p->out, ":\n");
        argument(&page);
    }
    if (!shown)
        text_printf(p->out, "    %u cases, shown by --explain\n", (unsigned)n);
    text_puts(p->out, "  ");
    describe_no_choice_left(p->out);
    text_char(p->out, '\n');
}

/* ---- visibility ---- */

static void sights(const struct page *p)
{
    uint32_t n = p->r->evidence.sights.n, skip = 0;
    if (!p->options->explain && n > FEW_CLAIMS) {
        skip = n - FEW_CLAIMS;
        text_printf(p->out, "    ... %u earlier claims, shown by --explain ...\n", (unsigned)skip);
    }
    for (uint32_t i = skip; i < n; i++) {
        text_puts(p->out, "    ");
        describe_sight(p->out, p->r, i);
        text_puts(p->out, "\n      ");
        describe_sight_because(p->out, p->r, i);
        text_char(p->out, '\n');
    }
}

/* The operations that each suspect must see and may see, and the results of its choices. */
static void views(const struct page *p)
{
    const struct explanation *x = &p->r->explanation;
    if (x->views.n && (p->options->explain || !x->alone))
        text_puts(p->out, "  who sees whom:\n");
    for (uint32_t i = 0; i < x->views.n && (p->options->explain || !x->alone); i++) {
        text_puts(p->out, "    ");
        describe_view(p->out, p->r, i);
        text_char(p->out, '\n');
        for (uint32_t k = 0; k < x->outcomes.n && x->views.at[i].may_count; k++) {
            struct text one = text_in(p->out->mem);
            if (x->outcomes.at[k].by == x->views.at[i].by && describe_outcome(&one, p->r, k))
                text_printf(p->out, "      %s\n", text_get(&one));
        }
    }
}

static void argument(const struct page *p)
{
    const struct evidence *ev = &p->r->evidence;
    bool by_cases = describe_by_cases(p->r) && ev->learned.n;
    bool more = by_cases || ev->cases.n || describe_cycles(p->r) || ev->culprit != ASSAY_NO_OPERATION;
    if (ev->pattern != PATTERN_NONE)
        text_printf(p->out, "  %s%s\n", describe_pattern(p->r, p->out->mem), more ? ":" : "");
    sights(p);
    if (ev->culprit != ASSAY_NO_OPERATION) {
        text_puts(p->out, "    ");
        describe_culprit(p->out, p->r);
        text_char(p->out, '\n');
    }
    describe_more(p->out, p->r, "    ");
    if (!ev->cases.n && !by_cases)
        story_write(p->out, p->r, "    ");
    views(p);
    if (ev->cases.n)
        choices(p);
    else if (by_cases)
        cases(p);
    else if (describe_cycles(p->r))
        cycle_argument(p, 0, "  ");
}

/* ---- the excerpt: the operations involved, thread by thread ---- */

struct excerpt {
    struct mentions involved, shown;
    bool context; /* not all that are shown are involved */
};

/* The place, marked if the argument is about the operation and others are there for context. */
static void mark_place(const struct excerpt *x, struct text *place, uint32_t op)
{
    text_puts(place, !x->context ? "" : describe_mentioned(x->involved, op) ? "> " : "  ");
}

/* A column for the places, and one for each thread that has a part in it. */
static struct columns make_table(const struct page *p, const struct excerpt *x)
{
    struct mentions m = x->shown;
    const history *h = p->r->h;
    struct mem *mem = p->out->mem;
    struct columns c = columns_new(mem);
    bool *present = mem_new_zero(mem, bool, h->threads.n + 1);
    uint32_t *column = mem_new_zero(mem, uint32_t, h->threads.n + 1);
    c.bold = p->options->color;
    for (uint32_t i = 0; i < m.n; i++)
        present[h->thread[m.ops[i]]] = true;
    columns_head(&c, "");
    for (uint32_t t = 0; t < h->threads.n; t++) {
        column[t] = c.heads.n;
        if (present[t])
            columns_head(&c, history_text(h, h->threads.at[t].name));
    }
    for (uint32_t i = 0; i < m.n; i++) {
        struct text place = text_in(mem), call = text_in(mem);
        mark_place(x, &place, m.ops[i]);
        describe_place(&place, h, m.ops[i]);
        describe_call(&call, h, m.ops[i]);
        columns_cell(&c, i, 0, text_get(&place));
        columns_cell(&c, i, column[h->thread[m.ops[i]]], text_get(&call));
        struct text brief = text_in(mem);
        if (brief_call(&brief, p->r, x->involved, m.ops[i]))
            columns_brief(&c, text_get(&brief));
    }
    return c;
}

static uint32_t page_width(const struct page *p)
{
    return p->options->width ? (uint32_t)p->options->width : PAGE;
}

/* Within `room` columns, unless the argument needs more. */
static void list_operation(const struct page *p, const struct excerpt *x, uint32_t op, struct text *line, uint32_t room)
{
    const history *h = p->r->h;
    struct text whole = text_in(line->mem), brief = text_in(line->mem);
    describe_say(&whole, h, "%s%O", text_get(line), op);
    if (utf8_width(text_get(&whole), whole.n) > room && brief_call(&brief, p->r, x->involved, op)) {
        describe_say(line, h, "%P  %s: %s", op, history_text(h, h->threads.at[h->thread[op]].name), text_get(&brief));
        return;
    }
    line->n = 0;
    abbreviate(line, text_get(&whole), room);
}

/* Too many threads for columns. */
static void list(const struct page *p, const struct excerpt *x)
{
    static const char indent[] = "    ";
    uint32_t page = page_width(p), room = page > sizeof indent ? page - (uint32_t)(sizeof indent - 1) : 1;
    for (uint32_t i = 0; i < x->shown.n; i++) {
        struct text line = text_in(p->out->mem);
        mark_place(x, &line, x->shown.ops[i]);
        list_operation(p, x, x->shown.ops[i], &line, p->options->width ? room : UINT32_MAX);
        text_printf(p->out, "%s%s\n", indent, text_get(&line));
    }
}

static void excerpt(const struct page *p)
{
    struct mentions m = describe_mentions(p->r, p->options->explain, p->out->mem);
    struct excerpt x = {m, p->options->explain ? describe_surroundings(p->r, m, p->out->mem) : m, false};
    x.context = x.shown.n > m.n;
    if (x.shown.n < 2)
        return;
    if (x.shown.n > FEW_LINES && !p->options->explain)
        x.shown.n = FEW_LINES;
    struct columns table = make_table(p, &x);
    text_printf(p->out, "  the operation%s involved%s:\n", m.n > 1 ? "s" : "",
                x.context ? " (>), and neighbours for context" : "");
    if (columns_fit(&table, page_width(p)))
        columns_write(&table, p->out);
    else
        list(p, &x);
    if (x.shown.n < m.n)
        text_printf(p->out, "    ... %u more, shown by --explain ...\n", (unsigned)(m.n - x.shown.n));
}

/* The faults of the store meanwhile: they may be why. */
static void faults(const struct page *p)
{
    struct mentions m = describe_mentions(p->r, p->options->explain, p->out->mem);
    uint32_t header = 0, n = 0;
    for (;; n++) {
        struct text one = text_in(p->out->mem);
        if (!describe_fault(&one, p->r->h, &header, m))
            return;
        text_printf(p->out, "%s    %s\n", n ? "" : "  faults while it was recorded:\n", text_get(&one));
    }
}

/* ---- the witness ---- */

static void witness(const struct page *p)
{
    const struct evidence *ev = &p->r->evidence;
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        text_puts(p->out, "  ");
        describe_order(p->out, p->r, i);
        text_puts(p->out, ":\n");
        for (uint32_t j = 0; j < o->count && j < FEW_PLACED; j++) {
            text_puts(p->out, "    ");
            describe_placed(p->out, p->r, ev->ops.at[o->at + j]);
            text_char(p->out, '\n');
        }
        if (o->count > FEW_PLACED)
            text_printf(p->out, "    ... and %u more\n", (unsigned)(o->count - FEW_PLACED));
    }
}

static void write_page(const struct page *p)
{
    const struct page of_proof = {result_proof(p->r), p->options, p->out};
    headline(p);
    if (p->r->verdict == ASSAY_VIOLATION) {
        argument(&of_proof);
        elements_tell(of_proof.r, p->options->explain, p->out);
        if (p->r->explanation.assumed.init) {
            text_puts(p->out, "  ");
            describe_assumed_initial(p->out, p->r);
            text_char(p->out, '\n');
        }
        excerpt(&of_proof);
        faults(&of_proof);
    } else if (p->r->verdict == ASSAY_CONSISTENT && p->options->explain) {
        witness(&of_proof);
    }
}

static void write_text(const result *r, const assay_report_options *options, struct text *out)
{
    struct text whole = text_in(out->mem);
    write_page(&(struct page){r, options, options->width ? &whole : out});
    if (options->width)
        wrap(out, text_get(&whole), (uint32_t)options->width);
}

const struct report report_text = {
    .name = "text",
    .title = "sentences and an excerpt, for people",
    .says_inferred = true,
    .write = write_text,
};
