/* SPDX-License-Identifier: Apache-2.0 */
#include "evidence/evidence.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *pattern_name(enum pattern p)
{
    static const char *const names[] = {
        NULL,
#define X(ident, text) #ident,
#include "evidence/pattern.def"
#undef X
    };
    return names[p];
}

static const char *undecided_words(enum undecided why)
{
    switch (why) {
    case UNDECIDED_NO_REASON: return "";
    case UNDECIDED_SOUND_ONLY: return "the engine finds violations only, and found none";
    case UNDECIDED_REPEATED: return "values repeat; ";
    default: return escape_text((enum escape)why);
    }
}

void result_undecided(result *r, enum undecided why, const char *format, ...)
{
    va_list args;
    size_t n = (size_t)snprintf(r->undecided_text, sizeof r->undecided_text, "%s", undecided_words(why));
    va_start(args, format);
    vsnprintf(r->undecided_text + n, sizeof r->undecided_text - n, format, args);
    va_end(args);
    r->verdict = ASSAY_UNDECIDED;
    r->undecided = why;
}

enum base_part { BASE_IN_NONE, BASE_IN_SESSION, BASE_IN_REALTIME };

static void note_base(void *arg, const assay_step *step)
{
    enum base_part *part = arg;
    if (step->rule == ASSAY_RT)
        *part = BASE_IN_REALTIME;
    else if (step->rule == ASSAY_PO && *part == BASE_IN_NONE)
        *part = BASE_IN_SESSION;
}

static enum base_part base_of(const struct evidence *ev)
{
    enum base_part part = BASE_IN_NONE;
    evidence_naming(ev, ev->named_by, note_base, &part);
    return part;
}

const char *pattern_reported(const result *r)
{
    static const char *const names[][3] = {
        {NULL, NULL, NULL},
#define X(ident, text) {#ident, #ident "-session", #ident "-realtime"},
#include "evidence/pattern.def"
#undef X
    };
    bool named = (r->model->needs & NEED_TRANSACTIONS) && pattern_proof(r->evidence.pattern, r->model) == PROOF_CYCLE;
    return names[r->evidence.pattern][named ? base_of(&r->evidence) : BASE_IN_NONE];
}

enum pattern pattern_find(const char *name)
{
    unsigned p = PATTERN_NONE + 1;
    while (p < PATTERN_COUNT && strcmp(pattern_name((enum pattern)p), name) != 0)
        p++;
    return p < PATTERN_COUNT ? (enum pattern)p : PATTERN_NONE;
}

const char *pattern_text(enum pattern p)
{
    static const char *const texts[] = {
        NULL,
#define X(ident, text) text,
#include "evidence/pattern.def"
#undef X
    };
    return texts[p];
}

enum proof pattern_proof(enum pattern p, const struct model *m)
{
    switch (p) {
    case PATTERN_ThinAirRead:
    case PATTERN_AbortedRead:
    case PATTERN_IntermediateRead:
    case PATTERN_FutureRead:
    case PATTERN_InternalRead:
    case PATTERN_IncompatibleOrder:
    case PATTERN_NonRepeatableRead: return PROOF_CULPRIT;
    case PATTERN_NoStoreOrder:
    case PATTERN_NoVersionOrder: return PROOF_CASES;
    case PATTERN_StaleRead: return m->needs & NEED_TRANSACTIONS ? PROOF_CYCLE : PROOF_PART;
    case PATTERN_FinalNotWritten:
    case PATTERN_NoSources: return m->needs & NEED_TRANSACTIONS ? PROOF_CHOICES : PROOF_NONE;
    case PATTERN_NoLinearization:
    case PATTERN_NoVisibility:
    case PATTERN_RemovedNeverAdded:
    case PATTERN_RemovedTwice:
    case PATTERN_RemovedBeforeAdded:
    case PATTERN_SeenAfterRemoved:
    case PATTERN_OrderReversed:
    case PATTERN_NotNested:
    case PATTERN_EmptyWhileFull:
    case PATTERN_MissedWhileIn:
    case PATTERN_Overtaken:
    case PATTERN_ReadNeverWritten:
    case PATTERN_ReadBeforeWritten:
    case PATTERN_ValueUnexplained:
    case PATTERN_SumOutOfReach:
    case PATTERN_SumChanged:
    case PATTERN_BalanceOutOfReach:
    case PATTERN_CountOutOfReach:
    case PATTERN_TakenTooOften:
    case PATTERN_ReleasedTooOften:
    case PATTERN_RefusedWhileFree:
    case PATTERN_FailedWhileEqual:
    case PATTERN_PiecesReversed:
    case PATTERN_StringsFork:
    case PATTERN_NoPartner: return PROOF_PART;
    default: return PROOF_CYCLE;
    }
}

bool evidence_has_closed(const struct model *model)
{
    return model->conditions & (COND_WSC | COND_WTSO);
}

/* Steps that belong to no path, lemma or cycle yet are those behind the last that does. */
static uint32_t taken(const struct evidence *ev)
{
    uint32_t end = 0;
    if (ev->reasons.n)
        end = vec_last(&ev->reasons).path_at + vec_last(&ev->reasons).path_count;
    if (ev->lemmas.n && vec_last(&ev->lemmas).at + vec_last(&ev->lemmas).count > end)
        end = vec_last(&ev->lemmas).at + vec_last(&ev->lemmas).count;
    return end;
}

void evidence_step(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    assert((reason == ASSAY_NO_REASON) == rule_needs_no_reason(rule));
    assay_step step = {rule, from, to, reason};
    vec_push(ev->mem, &ev->steps, step);
}

uint32_t evidence_reason(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t read)
{
    uint32_t at = taken(ev), count = ev->steps.n - at;
    const assay_step *last = count ? &vec_last(&ev->steps) : NULL;
    if (count == 1 && rule == ASSAY_WW && last->rule == rule && last->from == from && last->to == to)
        return vec_pop(&ev->steps).reason; /* the same order, of another key */
    struct reason r = {rule, from, to, read, at, count};
    vec_push(ev->mem, &ev->reasons, r);
    return ev->reasons.n - 1;
}

void evidence_cycle(struct evidence *ev, enum pattern p)
{
    ev->cycle_at = taken(ev);
    ev->cycle_count = ev->steps.n - ev->cycle_at;
    ev->pattern = p;
}

void evidence_lemma(struct evidence *ev)
{
    uint32_t at = taken(ev);
    struct span lemma = {at, ev->steps.n - at};
    vec_push(ev->mem, &ev->lemmas, lemma);
}

void evidence_drop_refutation(struct evidence *ev)
{
    vec_clear(&ev->steps);
    vec_clear(&ev->reasons);
    vec_clear(&ev->lemmas);
    vec_clear(&ev->learned);
    vec_clear(&ev->pairs);
}

void evidence_drop_orders(struct evidence *ev)
{
    vec_clear(&ev->orders);
    vec_clear(&ev->ops);
}

void evidence_join_orders(struct evidence *ev)
{
    if (!ev->orders.n)
        return;
    ev->orders.at[0].count = ev->ops.n;
    ev->orders.n = 1;
}

void evidence_begin_learned(struct evidence *ev)
{
    struct span clause = {ev->pairs.n, 0};
    vec_push(ev->mem, &ev->learned, clause);
}

void evidence_pair(struct evidence *ev, uint32_t first, uint32_t second)
{
    assay_pair pair = {first, second};
    vec_push(ev->mem, &ev->pairs, pair);
    vec_last(&ev->learned).count++;
}

assay_value explanation_copy(struct explanation *x, assay_value value)
{
    return value_copy(value, x->mem);
}

void explanation_allow(struct explanation *x, assay_value answer)
{
    vec_push(x->mem, &x->allowed, explanation_copy(x, answer));
}

void evidence_source(struct evidence *ev, uint32_t write, uint32_t read)
{
    assay_pair pair = {write, read};
    vec_push(ev->mem, &ev->sources, pair);
}

void evidence_access_source(struct evidence *ev, uint32_t write, uint32_t read, uint32_t access)
{
    evidence_source(ev, write, read);
    vec_push(ev->mem, &ev->source_access, access);
}

#define COPY(to, from, list)                                                                                           \
    do {                                                                                                               \
        vec_reserve((to)->mem, &(to)->list, (from)->list.n);                                                           \
        if ((from)->list.n)                                                                                            \
            memcpy((to)->list.at, (from)->list.at, (from)->list.n * sizeof *(from)->list.at);                          \
        (to)->list.n = (from)->list.n;                                                                                 \
    } while (0)

struct evidence *evidence_case(struct evidence *ev, const struct evidence *of)
{
    struct evidence *c = mem_new(ev->mem, struct evidence, 1);
    *c = evidence_in(ev->mem);
    c->pattern = of->pattern;
    c->culprit = of->culprit;
    c->access = of->access;
    c->opposite = of->opposite;
    c->cycle_at = of->cycle_at;
    c->cycle_count = of->cycle_count;
    c->named_by = of->named_by;
    COPY(c, of, steps);
    COPY(c, of, reasons);
    COPY(c, of, lemmas);
    COPY(c, of, learned);
    COPY(c, of, pairs);
    vec_push(ev->mem, &ev->cases, c);
    return c;
}
#undef COPY

void evidence_begin_order(struct evidence *ev, uint32_t thread)
{
    struct order o = {thread, ev->ops.n, 0};
    vec_push(ev->mem, &ev->orders, o);
}

static bool refuted(const result *r)
{
    const struct evidence *ev = &r->evidence;
    switch (pattern_proof(ev->pattern, r->model)) {
    case PROOF_NONE: return true;
    case PROOF_CULPRIT:
    case PROOF_PART: return ev->culprit != ASSAY_NO_OPERATION;
    case PROOF_CASES: return ev->learned.n;
    case PROOF_CHOICES: return ev->cases.n;
    case PROOF_CYCLE: break;
    }
    return ev->cycle_count > 0 || (ev->reasons.n && vec_last(&ev->reasons).to == ASSAY_NO_OPERATION);
}

bool evidence_present(const result *r)
{
    r = result_proof(r);
    if (r->verdict == ASSAY_CONSISTENT)
        return r->evidence.witness;
    return r->verdict == ASSAY_VIOLATION && refuted(r);
}
