/* SPDX-License-Identifier: Apache-2.0 */
/* The argument of a page as plain HTML: nested lists that need no script, for screen readers, printing and search. */
#include "report/describe.h"
#include "report/html.h"
#include "report/story.h"

#include <string.h>

enum {
    MOST_CASES = 50,
    FEW_PLACED = 200,
};

static void item(struct text *out, struct text *s)
{
    text_puts(out, "<li>");
    html_sentence(out, s);
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
    html_sentence(out, &s);
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
        html_sentence(out, &s);
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
        html_sentence(out, &s);
        text_puts(out, "</h3>\n");
        why(&choice, out);
    }
    if (n > MOST_CASES)
        text_printf(out, "<p>... and %u more cases</p>\n", (unsigned)(n - MOST_CASES));
    text_puts(out, "<p>");
    describe_no_choice_left(out);
    text_puts(out, "</p>\n");
}

/* Weak consistency: sights and their reasons. */
static void sights(const result *r, struct text *out)
{
    for (uint32_t i = 0; i < r->evidence.sights.n; i++) {
        struct text said = text_in(out->mem), why = text_in(out->mem);
        describe_sight(&said, r, i);
        describe_sight_because(&why, r, i);
        item(out, &said);
        text_puts(out, "<ul>");
        item(out, &why);
        text_puts(out, "</li></ul></li>\n");
    }
}

/* The argument about few calls of a collection: cases are nested. */
static void core(const result *r, struct text *out)
{
    const struct argument *a = &r->explanation.argument;
    struct text about = text_in(out->mem);
    if (!describe_argues(&about, r))
        return;
    if (about.n) {
        item(out, &about);
        text_puts(out, "</li>\n");
    }
    text_puts(out, "<li><ul>");
    for (uint32_t i = 0; i < a->lines.n; i++) {
        struct text line = text_in(out->mem);
        uint32_t depth = a->lines.at[i].depth, next = i + 1 < a->lines.n ? a->lines.at[i + 1].depth : 0;
        describe_argument(&line, r, i);
        item(out, &line);
        text_puts(out, next > depth ? "<ul>\n" : "</li>\n");
        for (; next < depth; depth--)
            text_puts(out, "</ul></li>\n");
    }
    text_puts(out, "</ul></li>\n");
}

static void add(struct text *out, struct text *sentence)
{
    if (!sentence->n)
        return;
    item(out, sentence);
    text_puts(out, "</li>\n");
}

static void story(const result *r, struct text *out)
{
    struct text lines = text_in(out->mem);
    story_write(&lines, r, "");
    text_puts(out, lines.n ? "<ul>\n" : "");
    for (const char *line = text_get(&lines); *line;) {
        struct text one = text_in(out->mem);
        size_t n = strcspn(line, "\n");
        text_add(&one, line, n);
        add(out, &one);
        line += n + (line[n] != '\0');
    }
    text_puts(out, lines.n ? "</ul>\n" : "");
}

/* Weak consistency: whom the suspects see. */
static void views(const result *r, struct text *out)
{
    uint32_t n = r->explanation.views.n;
    text_puts(out, n ? "<p>Who sees whom:</p>\n<ul>\n" : "");
    for (uint32_t i = 0; i < n; i++) {
        struct text view = text_in(out->mem);
        describe_view(&view, r, i);
        add(out, &view);
    }
    text_puts(out, n ? "</ul>\n" : "");
}

static void why(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    bool by_cases = describe_by_cases(r) && ev->learned.n;
    text_puts(out, "<p>");
    if (ev->pattern != PATTERN_NONE) {
        text_printf(out, "<strong>%s</strong>: ", pattern_reported(r));
        html_words(out, describe_pattern(r, out->mem));
    } else {
        text_puts(out, "The engine gave no argument.");
    }
    text_puts(out, "</p>\n");
    if (ev->culprit != ASSAY_NO_OPERATION) {
        struct text s = text_in(out->mem);
        describe_culprit(&s, r);
        text_puts(out, "<ul>\n");
        sights(r, out);
        item(out, &s);
        text_puts(out, "</li>\n");
        struct text loss = text_in(out->mem), at_fault = text_in(out->mem);
        describe_loss(&loss, r);
        add(out, &loss);
        core(r, out);
        describe_at_fault(&at_fault, r);
        add(out, &at_fault);
        text_puts(out, "</ul>\n");
    }
    if (!ev->cases.n && !by_cases)
        story(r, out);
    views(r, out);
    if (ev->cases.n)
        choices(r, out);
    else if (by_cases)
        cases(r, out);
    else if (describe_cycles(r))
        cycle_argument(r, 0, out);
}

void html_argument(const result *r, struct text *out)
{
    struct text assumed = text_in(out->mem);
    text_puts(out, "<h2>Why</h2>\n");
    why(r, out);
    if (!r->explanation.assumed.init)
        return;
    describe_assumed_initial(&assumed, r);
    text_puts(out, "<p>");
    html_sentence(out, &assumed);
    text_puts(out, "</p>\n");
}

void html_faults(const result *r, struct text *out)
{
    struct mentions m = describe_mentions(r, true, out->mem);
    uint32_t header = 0, n = 0;
    for (;; n++) {
        struct text one = text_in(out->mem);
        if (!describe_fault(&one, r->h, &header, m))
            break;
        text_printf(out, "%s<li>", n ? "" : "<h2>Faults while it was recorded</h2>\n<ul>\n");
        html_words(out, text_get(&one));
        text_puts(out, "</li>\n");
    }
    text_puts(out, n ? "</ul>\n" : "");
}

void html_witness(const result *r, struct text *out)
{
    const struct evidence *ev = &r->evidence;
    for (uint32_t i = 0; i < ev->orders.n && i < HTML_MOST_ORDERS; i++) {
        const struct order *o = &ev->orders.at[i];
        struct text title = text_in(out->mem);
        describe_order(&title, r, i);
        title.at[0] = 'A'; /* "an order ..." becomes a heading */
        text_puts(out, "<h2>");
        html_sentence(out, &title);
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
    if (ev->orders.n > HTML_MOST_ORDERS)
        text_printf(out, "<p>... and %u more orders</p>\n", (unsigned)(ev->orders.n - HTML_MOST_ORDERS));
}
