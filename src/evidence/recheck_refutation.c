/* SPDX-License-Identifier: Apache-2.0 */
/* Refutations: every step is looked up, reasons first, then the cycle.
 *
 * Invariant: when reason i is looked at, the reasons below i hold, and its path may rest on
 * those only.
 *
 * Why an accepted cycle is a violation. po and wr are facts. A path of them is co, so a cycle of
 * them, or one closed by a single rw[co], is what COND_CAUSAL forbids. A cf reason is literally
 * cf[co]. All hb reasons belong to reads of one thread; whatever leads to such a read by po, wr
 * and hb lies in the causal past of the thread's last operation o, so each is a pair of hb_o,
 * and so is every step of a cycle that has at least one of them. A write that hb_o puts before
 * that thread's read of the initial value would have to come before the initial write. */
#include "evidence/recheck.h"

#include <stdio.h>

enum { /* sets of rules */
    FACTS = 1u << ASSAY_PO | 1u << ASSAY_WR,
    WITH_HB = FACTS | 1u << ASSAY_HB,
    ANY_RULE = WITH_HB | 1u << ASSAY_RW | 1u << ASSAY_CF
};

struct chain { /* a reason's path, or the cycle */
    char name[40];
    const assay_step *steps;
    uint32_t count;
    uint32_t reasons; /* it may rest on the reasons below this number */
    unsigned rules;   /* which rules it may use */
};

/* ---- chains of steps ---- */

static bool refuse_step(const struct recheck *x, const struct chain *c, uint32_t i, const char *why)
{
    const assay_step *s = &c->steps[i];
    return refuse(x, "step %u of %s, %s from %s to %s: %s", i, c->name, assay_rule_name(s->rule),
                  operation_text(x, s->from), operation_text(x, s->to), why);
}

static bool check_derived(const struct recheck *x, const struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    if (s->reason >= c->reasons)
        return refuse_step(x, c, i, "its reason does not come before it");
    const struct reason *r = &x->line->evidence.reasons.at[s->reason];
    if (r->rule != s->rule || r->from != s->from || r->to != s->to)
        return refuse_step(x, c, i, "its reason is about something else");
    return true;
}

static bool check_step(const struct recheck *x, const struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    const struct memory *mem = &x->memory;
    char where[64];
    snprintf(where, sizeof where, "step %u of %s", i, c->name);
    if (!takes_part(x, s->from, where) || !takes_part(x, s->to, where))
        return false;
    if (!(c->rules >> s->rule & 1))
        return refuse_step(x, c, i, "this rule may not be used here");
    switch (s->rule) {
    case ASSAY_PO:
        if (x->h->thread[s->from] != x->h->thread[s->to])
            return refuse_step(x, c, i, "they are in different threads");
        return s->from < s->to || refuse_step(x, c, i, "the first is not the earlier one");
    case ASSAY_WR:
        if (!(mem->role[s->to] & ROLE_READS))
            return refuse_step(x, c, i, "the second does not read");
        return mem->source[s->to] == s->from ||
               refuse_step(x, c, i, "the second does not read from the first");
    default:
        return check_derived(x, c, i);
    }
}

/* The steps hold, and lead from `from` to `to`. */
static bool check_chain(const struct recheck *x, const struct chain *c, uint32_t from, uint32_t to)
{
    if (!c->count)
        return refuse(x, "%s is empty", c->name);
    for (uint32_t i = 0; i < c->count; i++) {
        if (!check_step(x, c, i))
            return false;
        if (c->steps[i].from != (i ? c->steps[i - 1].to : from))
            return refuse_step(x, c, i, i ? "it does not start where the step before it ended"
                                          : "it does not start where it should");
    }
    return c->steps[c->count - 1].to == to ||
           refuse_step(x, c, c->count - 1, "it does not end where it should");
}

/* ---- reasons ---- */

static struct chain path_of(const struct recheck *x, uint32_t i, unsigned rules)
{
    const struct evidence *ev = &x->line->evidence;
    const struct reason *r = &ev->reasons.at[i];
    struct chain c = {.steps = r->path_count ? ev->steps.at + r->path_at : NULL,
                      .count = r->path_count, .reasons = i, .rules = rules};
    snprintf(c.name, sizeof c.name, "the path of reason %u", i);
    return c;
}

/* One operation of reason i: it takes part and has the role. */
static bool check_role(const struct recheck *x, uint32_t i, uint32_t op, uint8_t role)
{
    char where[32];
    snprintf(where, sizeof where, "reason %u", i);
    if (!takes_part(x, op, where))
        return false;
    return (x->memory.role[op] & role) ||
           refuse(x, "reason %u: %s does not %s", i, operation_text(x, op),
                  role == ROLE_READS ? "read" : "write");
}

static bool same_variable(const struct recheck *x, uint32_t i, uint32_t a, uint32_t b)
{
    return x->memory.var[a] == x->memory.var[b] ||
           refuse(x, "reason %u: %s and %s are about different variables", i, operation_text(x, a),
                  operation_text(x, b));
}

/* rw: from is a read, and its source leads to the write `to`. */
static bool check_rw(const struct recheck *x, uint32_t i)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_role(x, i, r->from, ROLE_READS) || !check_role(x, i, r->to, ROLE_WRITES) ||
        !same_variable(x, i, r->from, r->to))
        return false;
    if (r->read != r->from)
        return refuse(x, "reason %u: the read of an rw must be where it starts", i);
    if (r->from == r->to)
        return refuse(x, "reason %u: %s cannot overwrite what it reads itself", i,
                      operation_text(x, r->from));
    uint32_t source = x->memory.source[r->from];
    if (source == FROM_NOBODY || (source == FROM_INITIAL && r->path_count))
        return refuse(x, "reason %u: %s does not read from a write, so no path can start there", i,
                      operation_text(x, r->from));
    if (source == FROM_INITIAL)
        return true;
    struct chain path = path_of(x, i, FACTS);
    return check_chain(x, &path, source, r->to);
}

/* cf and hb: the write `from` leads to a read of the other write `to`. */
static bool check_overtaken(const struct recheck *x, uint32_t i, unsigned rules)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_role(x, i, r->from, ROLE_WRITES) || !check_role(x, i, r->to, ROLE_WRITES) ||
        !check_role(x, i, r->read, ROLE_READS) || !same_variable(x, i, r->from, r->to))
        return false;
    if (r->from == r->to)
        return refuse(x, "reason %u: %s cannot come before itself", i, operation_text(x, r->from));
    if (x->memory.source[r->read] != r->to)
        return refuse(x, "reason %u: %s does not read from %s", i, operation_text(x, r->read),
                      operation_text(x, r->to));
    struct chain path = path_of(x, i, rules);
    return check_chain(x, &path, r->from, r->read);
}

/* All reasons hold. *observer becomes the thread of the hb reads, or ID_NONE. */
static bool check_reasons(const struct recheck *x, uint32_t *observer)
{
    const struct evidence *ev = &x->line->evidence;
    *observer = ID_NONE;
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        const struct reason *r = &ev->reasons.at[i];
        unsigned rules = r->rule == ASSAY_HB ? WITH_HB : FACTS;
        bool fine = r->rule == ASSAY_RW ? check_rw(x, i) : check_overtaken(x, i, rules);
        if (!fine)
            return false;
        if (r->rule != ASSAY_HB)
            continue;
        uint32_t thread = x->h->thread[r->read];
        if (*observer != ID_NONE && *observer != thread)
            return refuse(x, "reason %u: the reads of hb reasons must be in one thread", i);
        *observer = thread;
    }
    return true;
}

/* ---- the cycle ---- */

struct shape {
    uint32_t rw, cf, hb; /* how many steps */
    uint32_t read;       /* where the last rw step starts */
};

static struct shape shape_of(const struct chain *cycle)
{
    struct shape s = {.read = ID_NONE};
    for (uint32_t i = 0; i < cycle->count; i++) {
        assay_rule rule = cycle->steps[i].rule;
        s.rw += rule == ASSAY_RW;
        s.cf += rule == ASSAY_CF;
        s.hb += rule == ASSAY_HB;
        if (rule == ASSAY_RW)
            s.read = cycle->steps[i].from;
    }
    return s;
}

/* Which pattern a cycle of valid steps is, or PATTERN_NONE; and the condition that forbids it. */
static enum pattern pattern_of(const struct recheck *x, struct shape s, uint32_t observer,
                               unsigned *condition)
{
    bool initial = s.rw && x->memory.source[s.read] == FROM_INITIAL;
    if (s.rw > 1 || (s.cf && (s.rw || s.hb)))
        return PATTERN_NONE;
    if (s.cf) {
        *condition = COND_CONVERGENT;
        return PATTERN_CyclicCF;
    }
    if (s.hb) {
        *condition = COND_PER_THREAD;
        if (!s.rw)
            return PATTERN_CyclicHB;
        return initial && x->h->thread[s.read] == observer ? PATTERN_WriteHBInitRead : PATTERN_NONE;
    }
    *condition = COND_CAUSAL;
    if (!s.rw)
        return PATTERN_CyclicCO;
    return initial ? PATTERN_WriteCOInitRead : PATTERN_WriteCORead;
}

static bool check_cycle(const struct recheck *x, uint32_t observer)
{
    const struct evidence_line *line = x->line;
    const struct evidence *ev = &line->evidence;
    struct chain cycle = {.name = "the cycle",
                          .steps = ev->cycle_count ? ev->steps.at + ev->cycle_at : NULL,
                          .count = ev->cycle_count, .reasons = ev->reasons.n, .rules = ANY_RULE};
    uint32_t start = cycle.count ? cycle.steps[0].from : ID_NONE;
    if (!check_chain(x, &cycle, start, start))
        return false;
    unsigned condition = 0;
    enum pattern shape = pattern_of(x, shape_of(&cycle), observer, &condition);
    if (shape == PATTERN_NONE)
        return refuse(x, "the cycle's steps hold, but no model forbids this combination of rules");
    if (shape != ev->pattern)
        return refuse(x, "the cycle is a %s, not a %s", pattern_name(shape),
                      pattern_name(ev->pattern));
    if (!(line->model->conditions & condition))
        return refuse(x, "the model %s does not forbid a %s", line->model->name,
                      pattern_name(shape));
    return true;
}

static bool check_thin_air(const struct recheck *x, uint32_t culprit)
{
    if (!takes_part(x, culprit, "the culprit"))
        return false;
    if (!(x->memory.role[culprit] & ROLE_READS))
        return refuse(x, "the culprit %s does not read", operation_text(x, culprit));
    uint32_t source = x->memory.source[culprit];
    if (source == FROM_INITIAL)
        return refuse(x, "the culprit %s reads the initial value", operation_text(x, culprit));
    return source == FROM_NOBODY ||
           refuse(x, "the culprit %s reads from %s", operation_text(x, culprit),
                  operation_text(x, source));
}

bool recheck_refutation(struct recheck *x)
{
    uint32_t observer;
    if (x->line->evidence.pattern == PATTERN_ThinAirRead)
        return check_thin_air(x, x->line->evidence.culprit);
    return check_reasons(x, &observer) && check_cycle(x, observer);
}
