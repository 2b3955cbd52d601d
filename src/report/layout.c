/* SPDX-License-Identifier: Apache-2.0 */
/* The content of a picture: the operations that the refutation mentions. Of a small history without a cycle the other
 * operations are there, too, but dim; of a large one, the neighbours of a lone culprit. So a queue's wrong dequeue is
 * seen beside the right ones. */
#include "report/layout.h"

#include "base/shown.h"
#include "base/utf8.h"
#include "history/token.h"
#include "report/describe.h"

#include <string.h>

enum {
    MOST_DRAWN = 60,   /* a picture of more operations explains nothing */
    MOST_CONTEXT = 24, /* a history of so many operations is drawn as a whole */
    MOST_LETTERS = 34, /* of a line; the middle of a longer one is left out */
    KEPT_HEAD = 19,
    KEPT_TAIL = 12,
    MOST_ACCESSES = 8, /* of a transaction */
    LETTER = 15,       /* half pixels a letter of a call is wide, at most */
    SMALL_LETTER = 13, /* of a place and of a label */
};

/* ---- texts ---- */

int layout_text_width(const char *text)
{
    return (int)(utf8_width(text, strlen(text)) * LETTER + 1) / 2;
}

static int small_width(const char *text)
{
    return (int)(utf8_width(text, strlen(text)) * SMALL_LETTER + 1) / 2;
}

int layout_label_width(assay_rule rule)
{
    return small_width(assay_rule_name(rule)) + 6;
}

/* The bytes that the first `letters` of a text take; no character is cut. */
static size_t bytes_of(const char *text, size_t n, size_t letters)
{
    size_t bytes = 0;
    uint32_t character;
    while (bytes < n && utf8_width(text, bytes) < letters)
        bytes += utf8_next(text + bytes, text + n, &character);
    return bytes;
}

static const char *abbreviated(struct text *words)
{
    struct mem *m = words->mem;
    struct text shown = text_in(m), out = text_in(m);
    text_shown(&shown, text_get(words), words->n, "");
    size_t letters = utf8_width(text_get(&shown), shown.n);
    if (letters <= MOST_LETTERS)
        return text_get(&shown);
    size_t tail = bytes_of(shown.at, shown.n, letters - KEPT_TAIL);
    text_add(&out, shown.at, bytes_of(shown.at, shown.n, KEPT_HEAD));
    text_puts(&out, "...");
    text_add(&out, shown.at + tail, shown.n - tail);
    return text_get(&out);
}

const char *layout_thread_name(struct layout *l, const history *h, uint32_t thread)
{
    struct text name = text_in(l->mem);
    text_puts(&name, history_text(h, h->threads.at[thread].name));
    return abbreviated(&name);
}

const char *layout_rule_title(assay_rule rule)
{
    switch (rule) {
    case ASSAY_PO: return "program order";
    case ASSAY_WR: return "is read by";
    case ASSAY_RW: return "reads a value that the other one overwrites";
    case ASSAY_CF: return "must come first, because a read missed it";
    case ASSAY_HB: return "must come first for one thread";
    case ASSAY_PPO: return "program order that store buffers preserve";
    case ASSAY_LOC: return "program order on one variable";
    case ASSAY_WW: return "must be written first";
    case ASSAY_CASE: return "assumed";
    case ASSAY_RT: return "had ended before the other one began";
    case ASSAY_VO: return "comes first in the lists that were read";
    }
    return "";
}

void layout_title(struct text *t, const result *r, const assay_report_options *options)
{
    describe_file(t, options);
    text_printf(t, ": %s %s %s (%s)", assay_verdict_name(r->verdict),
                r->verdict == ASSAY_VIOLATION    ? "of"
                : r->verdict == ASSAY_CONSISTENT ? "with"
                                                 : "for",
                r->model->name, r->model->title);
    if (r->verdict == ASSAY_VIOLATION && r->evidence.pattern != PATTERN_NONE)
        text_printf(t, ": %s", pattern_reported(r));
}

void layout_description(struct text *t, const result *r)
{
    if (r->verdict != ASSAY_VIOLATION) {
        describe_size(t, r->h);
        return;
    }
    text_puts(t, r->evidence.pattern == PATTERN_NONE ? "the engine gave no argument" : describe_pattern(r, t->mem));
    if (describe_cycles(r) == 1) {
        text_puts(t, ": ");
        describe_conclusion(t, r, describe_cycle(r, 0), true);
    }
}

/* ---- boxes ---- */

/* The culprit may only name the part of the history that the proof is about; then all of it is meant. */
static bool is_about_all(const result *r)
{
    const struct evidence *ev = &r->evidence;
    return pattern_proof(ev->pattern, r->model) == PROOF_PART && !ev->prefix && !ev->kept.n && !ev->suspects.n;
}

static enum layout_weight weight_of(const result *r, struct mentions m, uint32_t op)
{
    const struct evidence *ev = &r->evidence;
    if (r->verdict != ASSAY_VIOLATION || is_about_all(r))
        return LAYOUT_PLAIN;
    if (op == ev->culprit || describe_mentioned((struct mentions){ev->kept.at, ev->kept.n}, op) ||
        describe_mentioned((struct mentions){ev->suspects.at, ev->suspects.n}, op))
        return LAYOUT_STRONG;
    return describe_mentioned(m, op) ? LAYOUT_PLAIN : LAYOUT_DIM;
}

static void add_line(struct layout_box *b, struct text *words)
{
    b->lines[b->n++] = abbreviated(words);
}

/* A line for each access; the places of an order are ordinals of the whole transaction. */
static void list_accesses(struct layout_box *b, const history *h, struct mem *m)
{
    uint32_t n = history_arity(h, b->op) / 3;
    b->lines = mem_new(m, const char *, MOST_ACCESSES + 1);
    for (uint32_t i = 0; i < n; i++) {
        struct text words = text_in(m);
        if (b->n + 1 == MOST_ACCESSES && i + 1 < n) {
            text_printf(&words, "... %u more", (unsigned)(n - i));
            add_line(b, &words);
            return;
        }
        for (uint32_t k = 0; k < 3; k++)
            describe_say(&words, h, "%s%V", k ? " " : "", history_written(h, b->op, 3 * i + k));
        add_line(b, &words);
    }
}

static void write_call(struct layout_box *b, const history *h, struct mem *m)
{
    struct text words = text_in(m);
    describe_call(&words, h, b->op);
    b->lines = mem_new(m, const char *, 1);
    add_line(b, &words);
}

/* "line 3", "#2 line 3" for the second of an order, "line 3, aborted". */
static const char *place_of(const history *h, uint32_t op, uint32_t ordinal, struct mem *m)
{
    struct text place = text_in(m);
    if (ordinal)
        text_printf(&place, "#%u  ", (unsigned)ordinal);
    describe_place(&place, h, op);
    if (history_aborted(h, op))
        text_puts(&place, ", aborted");
    else if (history_pending(h, op))
        text_puts(&place, ", no answer");
    return text_get(&place);
}

static void add_box(struct layout *l, const result *r, struct mentions m, uint32_t op, uint32_t ordinal)
{
    const history *h = r->h;
    struct text whole = text_in(l->mem), shown = text_in(l->mem);
    struct layout_box b = {.op = op, .weight = weight_of(r, m, op), .open = history_pending(h, op)};
    describe_operation(&whole, h, op);
    text_shown(&shown, text_get(&whole), whole.n, "");
    b.whole = text_get(&shown);
    b.place = place_of(h, op, ordinal, l->mem);
    if (token_is_txn(h, h->method[op]))
        list_accesses(&b, h, l->mem);
    else
        write_call(&b, h, l->mem);
    int widest = small_width(b.place);
    for (uint32_t i = 0; i < b.n; i++)
        widest = layout_text_width(b.lines[i]) > widest ? layout_text_width(b.lines[i]) : widest;
    b.width = widest + 2 * LAYOUT_PAD;
    b.height = LAYOUT_PLACE + (int)b.n * LAYOUT_LINE + LAYOUT_PAD;
    vec_push(l->mem, &l->boxes, b);
}

/* ---- which operations ---- */

static void note(struct layout *l, struct text *words)
{
    const char *text = text_get(words);
    vec_push(l->mem, &l->notes, text);
}

/* Had it been called when the culprit returned? Only then it counts. */
static bool counts(const result *r, uint32_t op)
{
    const struct evidence *ev = &r->evidence;
    if (!ev->prefix || history_times(r->h) != TIMES_INTERVALS || history_pending(r->h, ev->culprit))
        return true;
    return r->h->call[op] <= r->h->ret[ev->culprit];
}

static bool has_context(const result *r)
{
    return r->h->n <= MOST_CONTEXT && !describe_cycles(r) && !r->evidence.cases.n;
}

static void add_refutation(struct layout *l, const result *r)
{
    struct mentions m = describe_mentions(r, true, l->mem), shown = describe_surroundings(r, m, l->mem);
    if (has_context(r)) {
        for (uint32_t op = 0; op < r->h->n; op++)
            if (counts(r, op) || weight_of(r, m, op) != LAYOUT_DIM)
                add_box(l, r, m, op, 0);
        return;
    }
    for (uint32_t i = 0; i < shown.n && m.n <= MOST_DRAWN; i++)
        add_box(l, r, m, shown.ops[i], 0);
    if (m.n > MOST_DRAWN) {
        struct text words = text_in(l->mem);
        text_printf(&words, "%u operations are involved: too many to draw", (unsigned)m.n);
        note(l, &words);
    }
}

/* The places of the operations in the witness, from 1 on; 0: not in it. NULL if it is more than one order, or an
 * operation occurs twice. */
static uint32_t *ordinals_of(const result *r, struct mem *m)
{
    const struct evidence *ev = &r->evidence;
    uint32_t *ordinal = mem_new_zero(m, uint32_t, r->h->n + 1);
    if (ev->orders.n != 1)
        return NULL;
    for (uint32_t i = 0; i < ev->orders.at[0].count; i++) {
        uint32_t op = ev->ops.at[ev->orders.at[0].at + i];
        if (ordinal[op])
            return NULL;
        ordinal[op] = i + 1;
    }
    return ordinal;
}

static void add_witness(struct layout *l, const result *r)
{
    struct text words = text_in(l->mem);
    if (r->h->n > MOST_DRAWN) {
        text_printf(&words, "%u operations: too many to draw", (unsigned)r->h->n);
        note(l, &words);
        return;
    }
    uint32_t *ordinal = r->verdict == ASSAY_CONSISTENT ? ordinals_of(r, l->mem) : NULL;
    for (uint32_t op = 0; op < r->h->n; op++)
        add_box(l, r, (struct mentions){0}, op, ordinal ? ordinal[op] : 0);
    if (!ordinal)
        return;
    text_puts(&words, "#1, #2, ...: ");
    describe_order(&words, r, 0);
    note(l, &words);
}

/* ---- the legend ---- */

static void list_rules(struct layout *l)
{
    for (uint32_t i = 0; i < l->edges.n; i++) {
        bool known = false;
        for (uint32_t j = 0; j < l->rules.n; j++)
            known |= l->rules.at[j] == l->edges.at[i].rule;
        if (!known)
            vec_push(l->mem, &l->rules, l->edges.at[i].rule);
    }
}

/* Arrows of both widths are told apart. */
static void explain_width(struct layout *l)
{
    uint32_t thick = 0;
    const char *words = "thick: the cycle; thin: why its steps hold";
    for (uint32_t i = 0; i < l->edges.n; i++)
        thick += l->edges.at[i].in_cycle;
    if (thick && thick < l->edges.n)
        vec_push(l->mem, &l->notes, words);
}

static void explain_dim(struct layout *l)
{
    uint32_t dim = 0;
    const char *words = "pale boxes: for context, no part of the reason";
    for (uint32_t i = 0; i < l->boxes.n; i++)
        dim += l->boxes.at[i].weight == LAYOUT_DIM;
    if (dim)
        vec_push(l->mem, &l->notes, words);
}

static void make_room_below(struct layout *l)
{
    int widest = 0;
    for (uint32_t i = 0; i < l->rules.n; i++)
        if (small_width(layout_rule_title(l->rules.at[i])) + 90 > widest)
            widest = small_width(layout_rule_title(l->rules.at[i])) + 90;
    for (uint32_t i = 0; i < l->notes.n; i++)
        widest = small_width(l->notes.at[i]) > widest ? small_width(l->notes.at[i]) : widest;
    if (l->width < widest + 2 * LAYOUT_MARGIN)
        l->width = widest + 2 * LAYOUT_MARGIN;
    l->height = l->bottom + (int)(l->rules.n + l->notes.n) * LAYOUT_NOTE + LAYOUT_MARGIN;
}

struct layout layout_of(const result *r, struct mem *m)
{
    struct layout l = {.mem = m};
    if (r->verdict == ASSAY_VIOLATION)
        add_refutation(&l, r);
    else
        add_witness(&l, r);
    l.is_time_line = r->model->needs & NEED_CALLS && history_times(r->h) == TIMES_INTERVALS && !describe_cycles(r);
    if (l.is_time_line)
        layout_time_line(&l, r);
    else
        layout_grid(&l, r);
    layout_labels(&l);
    list_rules(&l);
    explain_width(&l);
    explain_dim(&l);
    make_room_below(&l);
    return l;
}
