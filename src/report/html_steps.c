/* SPDX-License-Identifier: Apache-2.0 */
/* The argument of a page, step by step. A step is a sentence, the operations that it speaks of, and the edges that it
 * adds to the picture. The steps come in the order of the argument in words (html_argument.c). */
#include "report/describe.h"
#include "report/html.h"

enum {
    MOST_STEPS = 400, /* too many to click through */
    MOST_CASES = 50,
};

struct steps {
    const result *r;
    struct text *out;
    uint32_t n;
};

static bool begin(struct steps *s, const char *kind)
{
    if (s->n >= MOST_STEPS)
        return false;
    text_printf(s->out, "%s\n{\"kind\":\"%s\",\"say\":", s->n++ ? "," : "", kind);
    return true;
}

static void because(struct steps *s, struct text *why)
{
    text_puts(s->out, ",\"because\":");
    html_json_text(s->out, why);
}

static void edge(struct steps *s, const assay_step *step, bool *any)
{
    if (step->to == ASSAY_NO_OPERATION)
        return;
    text_printf(s->out, "%s[%u,%u,\"%s\"]", *any ? "," : "", (unsigned)step->from, (unsigned)step->to,
                assay_rule_name(step->rule));
    *any = true;
}

/* `edges` are new with this step, `on` are those that it rests on. */
static void edges(struct steps *s, const char *name, struct path path)
{
    bool any = false;
    text_printf(s->out, ",\"%s\":[", name);
    for (uint32_t i = 0; i < path.n; i++)
        edge(s, &path.at[i], &any);
    text_char(s->out, ']');
}

static void claim(struct steps *s, uint32_t reason)
{
    const struct reason *why = &s->r->evidence.reasons.at[reason];
    struct text said = text_in(s->out->mem), because_of = text_in(s->out->mem);
    assay_step step = {why->rule, why->from, why->to, reason};
    if (!begin(s, "claim"))
        return;
    describe_claim(&said, s->r, reason);
    describe_because(&because_of, s->r, reason, false);
    html_json_text(s->out, &said);
    because(s, &because_of);
    edges(s, "edges", (struct path){&step, 1});
    edges(s, "on", describe_path_of(s->r, reason));
    uint32_t named[] = {why->from, why->to, why->read};
    text_puts(s->out, ",\"ops\":[");
    for (uint32_t i = 0, any = 0; i < 3; i++)
        if (named[i] != ASSAY_NO_OPERATION)
            text_printf(s->out, "%s%u", any++ ? "," : "", (unsigned)named[i]);
    text_puts(s->out, "]}");
}

static void fact(struct steps *s, const assay_step *step)
{
    struct text said = text_in(s->out->mem);
    if (!begin(s, "fact"))
        return;
    describe_fact(&said, s->r, step);
    html_json_text(s->out, &said);
    edges(s, "edges", (struct path){step, 1});
    text_puts(s->out, "}");
}

static void conclusion(struct steps *s, struct path cycle)
{
    struct text said = text_in(s->out->mem);
    if (!begin(s, "conclusion"))
        return;
    describe_conclusion(&said, s->r, cycle, true);
    html_json_text(s->out, &said);
    edges(s, "cycle", cycle);
    text_puts(s->out, "}");
}

static void cycle_argument(struct steps *s, uint32_t number)
{
    struct path cycle = describe_cycle(s->r, number);
    bool *used = describe_used(s->r, number, s->out->mem);
    for (uint32_t i = 0; i < s->r->evidence.reasons.n; i++)
        if (used[i])
            claim(s, i);
    for (uint32_t i = 0; i < cycle.n; i++)
        if (!describe_derived(cycle.at[i].rule))
            fact(s, &cycle.at[i]);
    conclusion(s, cycle);
    mem_free(s->out->mem, used);
}

/* A sentence without operations of its own. */
static void remark(struct steps *s, const char *kind, struct text *said)
{
    if (!begin(s, kind))
        return;
    html_json_text(s->out, said);
    text_puts(s->out, "}");
}

static void cases(struct steps *s)
{
    for (uint32_t i = 0; i < describe_cycles(s->r) && i < MOST_CASES; i++) {
        struct text said = text_in(s->out->mem);
        text_printf(&said, "Case %u: ", (unsigned)i + 1);
        describe_case(&said, s->r, i);
        remark(s, "case", &said);
        cycle_argument(s, i);
    }
    struct text none = text_in(s->out->mem);
    describe_no_case_left(&none);
    remark(s, "end", &none);
}

static void why(struct steps *s);

static void choices(struct steps *s)
{
    for (uint32_t i = 0; i < s->r->evidence.cases.n && i < MOST_CASES; i++) {
        struct text said = text_in(s->out->mem);
        result choice = describe_choice(s->r, i);
        struct steps of_choice = {&choice, s->out, s->n};
        text_printf(&said, "Case %u: ", (unsigned)i + 1);
        describe_assumed(&said, &choice);
        remark(&of_choice, "case", &said);
        why(&of_choice);
        s->n = of_choice.n;
    }
    struct text none = text_in(s->out->mem);
    describe_no_choice_left(&none);
    remark(s, "end", &none);
}

static void sight(struct steps *s, uint32_t i)
{
    const struct sight *of = &s->r->evidence.sights.at[i];
    struct text said = text_in(s->out->mem), because_of = text_in(s->out->mem);
    uint32_t named[] = {of->seen, of->by};
    if (!begin(s, "claim"))
        return;
    describe_sight(&said, s->r, i);
    describe_sight_because(&because_of, s->r, i);
    html_json_text(s->out, &said);
    because(s, &because_of);
    text_puts(s->out, ",\"ops\":");
    html_json_ops(s->out, named, 2);
    text_puts(s->out, "}");
}

static void culprit(struct steps *s)
{
    const struct evidence *ev = &s->r->evidence;
    struct text said = text_in(s->out->mem);
    if (ev->culprit == ASSAY_NO_OPERATION || !begin(s, "culprit"))
        return;
    describe_culprit(&said, s->r);
    html_json_text(s->out, &said);
    text_puts(s->out, ",\"ops\":");
    if (ev->kept.n) {
        html_json_ops(s->out, ev->kept.at, ev->kept.n);
    } else if (ev->suspects.n && !s->r->explanation.alone) {
        html_json_ops(s->out, ev->suspects.at, ev->suspects.n);
    } else {
        uint32_t two[] = {ev->culprit, ev->opposite};
        html_json_ops(s->out, two, ev->opposite == ASSAY_NO_OPERATION ? 1 : 2);
    }
    text_puts(s->out, "}");
}

static void why(struct steps *s)
{
    const struct evidence *ev = &s->r->evidence;
    for (uint32_t i = 0; i < ev->sights.n; i++)
        sight(s, i);
    culprit(s);
    if (ev->cases.n)
        choices(s);
    else if (describe_by_cases(s->r) && ev->learned.n)
        cases(s);
    else if (describe_cycles(s->r))
        cycle_argument(s, 0);
}

/* Of a lone culprit. They are no part of the argument. */
static void neighbours(const result *r, struct mentions involved, struct text *out)
{
    struct mentions all = describe_surroundings(r, involved, out->mem);
    uint32_t n = 0;
    text_puts(out, ",\n\"neighbours\":[");
    for (uint32_t i = 0; i < all.n && all.n > involved.n; i++)
        if (!describe_mentioned(involved, all.ops[i]))
            text_printf(out, "%s%u", n++ ? "," : "", (unsigned)all.ops[i]);
    text_char(out, ']');
}

void html_steps(const result *r, struct text *out)
{
    struct steps s = {r, out, 0};
    text_puts(out, ",\n\"steps\":[");
    struct mentions involved = {0};
    if (r->verdict == ASSAY_VIOLATION) {
        why(&s);
        involved = describe_mentions(r, true, out->mem);
    }
    text_puts(out, "],\n\"involved\":");
    html_json_ops(out, involved.ops, involved.n);
    neighbours(r, involved, out);
}
