/* SPDX-License-Identifier: Apache-2.0 */
/* Refutations without a cycle: one operation that no order explains, and choices of sources of which none works. */
#include "history/token.h"
#include "report/describe.h"
#include "report/describe_part.h"
#include "report/key.h"

/* alone: no other transaction is named that it contradicts. A list then contradicts another one of the transaction's
 * own, or the initial one. */
static const char *fault_of(enum pattern p, bool alone, bool own)
{
    switch (p) {
    case PATTERN_AbortedRead: return " has a value of an aborted transaction";
    case PATTERN_IntermediateRead:
        return alone ? " has only a part of the initial list"
                     : " misses a later write of the transaction that wrote its value";
    case PATTERN_FutureRead: return " has a value that the transaction itself writes only later";
    case PATTERN_InternalRead: return " is not the last value that the transaction itself wrote before";
    case PATTERN_IncompatibleOrder:
        return own     ? " contradicts another list that the transaction itself read or made"
               : alone ? " does not go on from the initial list"
                       : " contradicts another transaction";
    default: return " has a value that is written nowhere";
    }
}

/* The element that the list at fault has twice; of kind ASSAY_NONE: it is no such list. */
static struct value repeated(const result *r, struct mem *m)
{
    const struct evidence *ev = &r->evidence;
    if (ev->pattern != PATTERN_IncompatibleOrder || !(r->model->needs & NEED_TRANSACTIONS))
        return (struct value){.kind = ASSAY_NONE};
    return key_repeated(r->h, ev->culprit, ev->access, ev->opposite, m);
}

/* Does the call at fault put a value into a set, and say that it was not there? */
static bool says_new(const result *r)
{
    uint32_t op = r->evidence.culprit;
    return op != ASSAY_NO_OPERATION && describe_adds_member(r, op);
}

const char *describe_pattern(const result *r, struct mem *m)
{
    if (repeated(r, m).kind != ASSAY_NONE)
        return "a list has an element twice";
    if (r->evidence.pattern == PATTERN_MissedWhileIn && says_new(r))
        return "a value was put in as a new one although it was in the object all the time";
    return pattern_text(r->evidence.pattern);
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
    struct value twice = repeated(r, t->mem);
    if (twice.kind != ASSAY_NONE)
        describe_say(t, h, " has the element %V twice", twice);
    else
        text_puts(t, fault_of(ev->pattern, alone, ev->opposite == ev->culprit));
    if (!alone)
        describe_say(t, h, ": %O", ev->opposite);
    struct value variable = history_written(h, ev->culprit, 3 * ev->access + 1);
    struct value read = history_written(h, ev->culprit, 3 * ev->access + 2);
    if (ev->pattern == PATTERN_ThinAirRead && read.kind != ASSAY_LIST)
        describe_offer_initial(t, h, variable, read, "0");
}

/* ---- choices of sources ---- */

result describe_choice(const result *r, uint32_t i)
{
    result choice = *r;
    choice.evidence = *r->evidence.cases.at[i];
    choice.explanation = explanation_in(NULL);
    return choice;
}

void describe_assumed(struct text *t, const result *choice)
{
    const struct evidence *ev = &choice->evidence;
    text_puts(t, ev->sources.n ? "if " : "whatever the sources are");
    for (uint32_t i = 0; i < ev->sources.n; i++) {
        uint32_t reader = ev->sources.at[i].second;
        text_puts(t, i ? " and " : "");
        if (ev->source_access.n) {
            describe_access(t, choice->h, reader, ev->source_access.at[i]);
            describe_say(t, choice->h, " in %P", reader);
        } else {
            describe_operation(t, choice->h, reader);
        }
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

bool describe_at_fault(struct text *t, const result *r)
{
    const struct explanation *x = &r->explanation;
    bool consequence = describe_by_prefix(r) && x->unexplained == x->at_fault;
    if (x->at_fault == ASSAY_NO_OPERATION || consequence)
        return false;
    describe_say(t, r->h, "if the return of %O is left out, there is a linearization%s: it may be the wrong one",
                 x->at_fault, r->h->objects.n > 1 ? " of its object" : "");
    return true;
}

bool describe_culprit(struct text *t, const result *r)
{
    if (pattern_proof(r->evidence.pattern, r->model) == PROOF_PART)
        return describe_part(t, r);
    describe_operation(t, r->h, r->evidence.culprit);
    if (r->model->needs & NEED_TRANSACTIONS) {
        (r->evidence.pattern == PATTERN_NonRepeatableRead ? two_sources : anomalous_access)(t, r);
        return true;
    }
    text_puts(t, ": nobody wrote this value to ");
    describe_variable(t, r->h, r->evidence.culprit);
    describe_maybe_initial(t, r, r->evidence.culprit);
    return true;
}
