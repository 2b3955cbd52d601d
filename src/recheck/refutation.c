/* SPDX-License-Identifier: Apache-2.0 */
/* Refutations: the claims of each pattern.
 *
 * The causal patterns. po and wr are facts. A path of them is co, so COND_CAUSAL forbids a cycle of them, and a cycle
 * closed by a single rw[co]. A cf reason is literally cf[co]. All hb reasons belong to reads of one thread. Each event
 * that leads to such a read by po, wr and hb lies in the causal past of the thread's last operation o. So each reason
 * is a pair of hb_o, and so is every step of a cycle that has at least one of them. A write that hb_o puts before that
 * thread's read of the initial value would have to come before the initial write.
 *
 * ForcedCycle: every step is in a relation that the strongest of the model's conditions derives, or that each of its
 * store orders contains (graphs.c). So these cannot be acyclic. NoStoreOrder: cases.c. */
#include "recheck/graphs.h"

/* ---- causal cycles ---- */

struct shape {
    uint32_t rw, cf, hb; /* how many steps */
    uint32_t read;       /* where the last rw step starts */
};

static struct shape shape_of(const struct evidence *ev)
{
    struct shape s = {.read = ID_NONE};
    for (uint32_t i = 0; i < ev->cycle_count; i++) {
        const assay_step *step = &ev->steps.at[ev->cycle_at + i];
        s.rw += step->rule == ASSAY_RW;
        s.cf += step->rule == ASSAY_CF;
        s.hb += step->rule == ASSAY_HB;
        if (step->rule == ASSAY_RW)
            s.read = step->from;
    }
    return s;
}

/* Which pattern a cycle of valid steps is, or PATTERN_NONE; and the condition that forbids it. */
static enum pattern pattern_of(const struct recheck *x, struct shape s, uint32_t observer, unsigned *condition)
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

/* *observer becomes the thread of the hb reads, or ID_NONE. */
static bool one_observer(const struct recheck *x, uint32_t *observer)
{
    const struct evidence *ev = &x->line->evidence;
    *observer = ID_NONE;
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        if (ev->reasons.at[i].rule != ASSAY_HB)
            continue;
        uint32_t thread = x->h->thread[ev->reasons.at[i].read];
        if (*observer != ID_NONE && *observer != thread)
            return refuse(x, "reason %u: the reads of hb reasons must be in one thread", i);
        *observer = thread;
    }
    return true;
}

static bool check_causal(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    uint32_t observer;
    if (!check_reasons(x, &ruleset_causal) || !one_observer(x, &observer) || !check_cycle(x, &ruleset_causal, ID_NONE))
        return false;
    unsigned condition = 0;
    enum pattern shape = pattern_of(x, shape_of(ev), observer, &condition);
    if (shape == PATTERN_NONE)
        return refuse(x, "the cycle's steps hold, but no model forbids this combination of rules");
    if (shape != ev->pattern)
        return refuse(x, "the cycle is a %s, not a %s", pattern_name(shape), pattern_name(ev->pattern));
    return (x->conditions & condition) ||
           refuse(x, "the model %s does not forbid a %s", x->line->model->name, pattern_name(shape));
}

/* ---- forced cycles, and cases ---- */

static bool check_forced(struct recheck *x, const struct ruleset *t)
{
    return check_reasons(x, t) && check_cycle(x, t, ID_NONE);
}

/* A cycle in the graphs of a stronger model would not refute a weaker one, so the strongest decides. */
static bool check_forced_cycle(struct recheck *x)
{
    if (x->conditions & COND_WSC)
        return check_forced(x, &ruleset_sc);
    if (x->conditions & COND_CCM)
        return check_forced(x, &ruleset_ccm);
    if (x->conditions & COND_WTSO)
        return check_forced(x, &ruleset_tso);
    if (x->conditions & COND_PSO)
        return check_forced(x, &ruleset_pso);
    if (x->conditions & COND_WCCM)
        return check_forced(x, &ruleset_wccm);
    return refuse(x, "the model %s does not forbid a ForcedCycle", x->line->model->name);
}

static bool check_no_store_order(struct recheck *x)
{
    const struct ruleset *base = x->conditions & COND_SC    ? &ruleset_sc
                                 : x->conditions & COND_TSO ? &ruleset_tso
                                                            : &ruleset_pso;
    if (!(x->conditions & COND_TOTAL))
        return refuse(x, "the model %s does not forbid a NoStoreOrder", x->line->model->name);
    struct ruleset t = *base;
    t.cases = true;
    if (!check_reasons(x, &t))
        return false;
    for (uint32_t i = 0; i < x->line->evidence.lemmas.n; i++)
        if (!check_cycle(x, &t, i))
            return false;
    return recheck_cases(x);
}

/* ---- patterns without a cycle ---- */

static bool check_thin_air(const struct recheck *x, uint32_t culprit)
{
    if (!takes_part(x, culprit, "the culprit"))
        return false;
    if (!(x->memory.role[culprit] & ROLE_READS))
        return refuse(x, "the culprit %s does not read", operation_text(x, culprit));
    uint32_t source = x->memory.source[culprit];
    if (source == FROM_INITIAL)
        return refuse(x, "the culprit %s reads the initial value", operation_text(x, culprit));
    if (source == FROM_SEVERAL)
        return refuse(x, "the culprit %s reads a value that was written more than once", operation_text(x, culprit));
    return source == FROM_NOBODY ||
           refuse(x, "the culprit %s reads from %s", operation_text(x, culprit), operation_text(x, source));
}

static bool check_final(const struct recheck *x)
{
    if (!(x->conditions & COND_TOTAL))
        return refuse(x, "the model %s does not look at @final", x->line->model->name);
    return x->memory.final_not_written ||
           refuse(x, "every value that @final names was written, or is that of an unwritten variable");
}

bool recheck_refutation(struct recheck *x)
{
    switch (x->line->evidence.pattern) {
    case PATTERN_ThinAirRead: return check_thin_air(x, x->line->evidence.culprit);
    case PATTERN_FinalNotWritten: return check_final(x);
    case PATTERN_ForcedCycle: return check_forced_cycle(x);
    case PATTERN_NoStoreOrder: return check_no_store_order(x);
    default: return check_causal(x);
    }
}
