/* SPDX-License-Identifier: Apache-2.0 */
/* Refutations without a cycle: one operation that no order explains, and choices of sources of which none works. */
#include "base/notation.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/key.h"

#include <string.h>

static void public_value(struct text *t, assay_value v);

static void public_list(struct text *t, assay_value list)
{
    assay_value *elements = mem_new(t->mem, assay_value, list.length + 1);
    size_t n = list.length;
    for (assay_value rest = list; rest.length; rest = assay_list_before(rest))
        elements[rest.length - 1] = assay_list_last(rest);
    text_puts(t, "[");
    for (size_t i = 0; i < n; i++) {
        text_puts(t, i ? " " : "");
        public_value(t, elements[i]);
    }
    text_puts(t, "]");
    mem_free(t->mem, elements);
}

static void public_value(struct text *t, assay_value v)
{
    if (v.kind == ASSAY_LIST)
        public_list(t, v);
    else if (v.kind == ASSAY_INT)
        text_integer(t, v.integer, notation_checked(v.length));
    else if (v.kind == ASSAY_STRING)
        text_json(t, v.text, v.length);
    else
        text_add(t, v.text, v.length);
}

static bool is_declared(const history *h, struct value variable)
{
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].key.kind == ASSAY_NONE || value_same(h->init.at[i].key, variable))
            return true;
    return false;
}

/* Of an append-map, whose strings are empty at first. */
static bool is_get(const history *h, uint32_t op)
{
    return strcmp(history_text(h, h->method[op]), "get") == 0;
}

/* The variable is of kind ASSAY_NONE if it is a register's only one. */
static void offer_initial(struct text *t, const history *h, struct value variable, struct value read, const char *taken)
{
    struct text binding = text_in(t->mem);
    if (variable.kind != ASSAY_NONE) {
        token_print(&binding, h, variable);
        text_puts(&binding, "=");
    }
    token_print(&binding, h, read);
    text_printf(t, "; the initial value is taken to be %s, unless --init '%s' or a line `# @init %s` gives another one",
                taken, text_get(&binding), text_get(&binding));
    mem_free(t->mem, binding.at);
}

/* A value without a write may be the initial one, if the history does not declare that. A thread that has written the
 * variable before would not read it any more. */
static void maybe_initial(struct text *t, const history *h, uint32_t op)
{
    bool single = history_arity(h, op) == 0; /* a register, which has no variables */
    struct value variable = single ? (struct value){0} : history_written(h, op, 0);
    struct value read = history_arity(h, op) < 2 ? history_written_result(h, op) : history_written(h, op, 1);
    if (is_declared(h, variable))
        return;
    for (uint32_t o = 0; o < op; o++)
        if (h->thread[o] == h->thread[op] && history_arity(h, o) > !single && /* a write has a value more than a read */
            (single || value_same(history_arg(h, o, 0), variable)))
            return;
    offer_initial(t, h, variable, read, is_get(h, op) ? "\"\"" : "0");
}

/* Is the proof about strings that are appended to, and the calls that made them? */
static bool is_about_strings(const history *h, const struct evidence *ev)
{
    for (uint32_t i = 0; i < ev->kept.n; i++)
        if (is_get(h, ev->kept.at[i]) && history_result(h, ev->kept.at[i]).kind == ASSAY_STRING)
            return true;
    return false;
}

/* Is the proof about a value that no call can have set then? */
static bool is_about_sources(const struct evidence *ev)
{
    return ev->kept.n == 2 && (ev->pattern == PATTERN_StaleRead || ev->pattern == PATTERN_ReadBeforeWritten);
}

/* Is the proof about the times at which a register had a value, and not about its other values? */
static bool is_about_one_value(const struct evidence *ev)
{
    return ev->pattern == PATTERN_ValueUnexplained;
}

/* ": the balances sum to 31, the accounts started with 30" */
static void describe_sum(struct text *t, const result *r)
{
    int64_t sum = 0;
    bool fits = true;
    assay_value list = value_public(r->h, history_result(r->h, r->evidence.culprit));
    for (; fits && list.length; list = assay_list_before(list))
        fits = !__builtin_add_overflow(sum, assay_list_last(list).integer, &sum);
    text_puts(t, ": the balances sum to ");
    if (fits)
        text_int(t, sum);
    else
        text_puts(t, "more than 64 bits hold");
    text_puts(t, ", the accounts started with ");
    text_int(t, r->evidence.initial_sum);
}

static void describe_part(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->kept.n == 1) {
        describe_operation(t, r->h, ev->kept.at[0]);
        if (ev->pattern == PATTERN_SumChanged) {
            describe_sum(t, r);
            return;
        }
        text_puts(t, ev->pattern == PATTERN_SumOutOfReach
                         ? ": no choice of the calls that may come before it adds up to this"
                         : ": alone it has no linearization, whatever the others do");
        if (ev->pattern == PATTERN_ReadNeverWritten)
            maybe_initial(t, r->h, ev->kept.at[0]);
        return;
    }
    if (ev->kept.n) {
        text_printf(t, "the %u operations below have no linearization, %s", (unsigned)ev->kept.n,
                    is_about_strings(r->h, ev) ? "given the puts and appends that their strings are made of"
                    : is_about_sources(ev)     ? "given all calls that could have set the value"
                    : is_about_one_value(ev)   ? "whichever other values the others see and set"
                                               : "whatever the others do");
        return;
    }
    describe_operation(t, r->h, ev->culprit);
    if (!ev->prefix) {
        text_puts(t, ev->whole ? ": it and the other operations have no common order"
                               : ": it and the other operations of its object have no common order");
        return;
    }
    text_puts(t, ": up to its return all can be explained, with it nothing can");
    for (uint32_t i = 0; i < ev->allowed.n; i++) {
        text_puts(t, i ? ", " : "; there it could have returned ");
        public_value(t, ev->allowed.at[i]);
    }
}

/* `r x 1` */
/* alone: no transaction is named that it contradicts. Then it contradicts the initial list, if it is a list. */
static const char *fault_of(enum pattern p, bool alone)
{
    switch (p) {
    case PATTERN_AbortedRead: return " has a value of an aborted transaction";
    case PATTERN_IntermediateRead:
        return alone ? " has only a part of the initial list"
                     : " misses a later write of the transaction that wrote its value";
    case PATTERN_FutureRead: return " has a value that the transaction itself writes only later";
    case PATTERN_InternalRead: return " is not the last value that the transaction itself wrote before";
    case PATTERN_IncompatibleOrder:
        return alone ? " does not go on from the initial list" : " contradicts another transaction";
    default: return " has a value that is written nowhere";
    }
}

/* "`r x 1` has a value of an aborted transaction: line 1  a: txn(w x 1) => abort" */
static void anomalous_access(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    const history *h = r->h;
    if (ev->access == ASSAY_NO_OPERATION)
        return;
    text_puts(t, ": ");
    describe_access(t, h, ev->culprit, ev->access);
    bool alone = ev->opposite == ASSAY_NO_OPERATION || ev->opposite == ev->culprit;
    text_puts(t, fault_of(ev->pattern, alone));
    if (!alone) {
        text_puts(t, ": ");
        describe_operation(t, h, ev->opposite);
    }
    struct value variable = history_written(h, ev->culprit, 3 * ev->access + 1);
    struct value read = history_written(h, ev->culprit, 3 * ev->access + 2);
    if (ev->pattern == PATTERN_ThinAirRead && read.kind != ASSAY_LIST && !is_declared(h, variable))
        offer_initial(t, h, variable, read, "0");
}

/* ---- choices of sources ---- */

result describe_choice(const result *r, uint32_t i)
{
    result choice = *r;
    choice.evidence = *r->evidence.cases.at[i];
    return choice;
}

void describe_assumed(struct text *t, const result *choice)
{
    const struct evidence *ev = &choice->evidence;
    text_puts(t, "if ");
    for (uint32_t i = 0; i < ev->sources.n; i++) {
        text_puts(t, i ? " and " : "");
        describe_access(t, choice->h, ev->sources.at[i].second, ev->source_access.at[i]);
        text_puts(t, " in ");
        describe_place(t, choice->h, ev->sources.at[i].second);
        text_puts(t, " reads from ");
        describe_source(t, choice->h, ev->sources.at[i].first);
    }
}

void describe_no_choice_left(struct text *t)
{
    text_puts(t, "so no choice of sources works");
}

static void two_sources(struct text *t, const result *r)
{
    uint32_t first, second, op = r->evidence.culprit;
    if (!key_read_twice(r->h, op, &first, &second))
        return;
    text_puts(t, ": ");
    describe_access(t, r->h, op, first);
    text_puts(t, " and ");
    describe_access(t, r->h, op, second);
    text_puts(t, " are of different writers");
}

void describe_culprit(struct text *t, const result *r)
{
    if (pattern_proof(r->evidence.pattern, r->model) == PROOF_PART) {
        describe_part(t, r);
        return;
    }
    describe_operation(t, r->h, r->evidence.culprit);
    if (r->model->needs & NEED_TRANSACTIONS) {
        (r->evidence.pattern == PATTERN_NonRepeatableRead ? two_sources : anomalous_access)(t, r);
        return;
    }
    text_puts(t, ": nobody wrote this value to ");
    describe_variable(t, r->h, r->evidence.culprit);
    maybe_initial(t, r->h, r->evidence.culprit);
}
