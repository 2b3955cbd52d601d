/* SPDX-License-Identifier: Apache-2.0 */
/* Every step is checked, reasons first, in the order of their numbers.
 *
 * Invariant: when reason i is checked, the reasons below i hold, and its path may rest on those only.
 *
 * Why the reasons hold, for the graphs of a total store order ww. Let x < y mean that y is reachable in a
 * graph that must be acyclic and contains wr, ww and rw[ww].
 *   rw  s < w for the source s of a read r: w before s would be a cycle, so ww(s, w) and rw(r, w).
 *   cf  v < r for a read r of w: ww(w, v) would give rw(r, v), a cycle; so ww(v, w).
 *   ww  v < w: as for rw. Or w wrote the value that @final calls the last one.
 * All of these are in every graph of the model, since ww is. hb is the same as cf, from the order of one thread.
 * A read of the initial value precedes all writes of its variable.
 *
 * ccm and wccm derive a store order in one round, so that their reasons follow the definitions. hb comes from paths of
 * one order within the observations of one thread, cf from paths of that hb. ww comes from paths of hb or whb, rw from
 * cf and ww. wccm has hb of ppo and hb of po on each variable; a reason is of the order that its path lies in. The
 * reads of a thread are a chain in ppo. The reads of one variable are a chain in the other order, which paths there
 * never leave. So it suffices that the reads of hb reasons are in one thread: the last one observes them all. */
#include "recheck/graphs.h"

#include "recheck/chain.h"
#include "recheck/program.h"

#include <stdio.h>

enum graph {
    GRAPH_CO = 1 << 0,    /* causes */
    GRAPH_HB = 1 << 1,    /* the observations of one thread; for ccm, of all threads */
    GRAPH_STORE = 1 << 2, /* the store order that ccm derives */
    GRAPH_MIXED = 1 << 3, /* a causal cycle, whose shape decides */
    GRAPH_CCM = 1 << 4,
    GRAPH_SC = 1 << 5,
    GRAPH_PPO = 1 << 6,
    GRAPH_LOC = 1 << 7,
    GRAPH_HB_PPO = 1 << 8, /* the observations of wccm in each of the two orders */
    GRAPH_HB_LOC = 1 << 9,
    GRAPH_WHB = 1 << 10,      /* and in both */
    GRAPH_WCCM_PPO = 1 << 11, /* its two graphs */
    GRAPH_WCCM_LOC = 1 << 12,
    GRAPHS = 13
};

#define R(rule) (1u << ASSAY_##rule)
static const unsigned rules_of[GRAPHS] = {
    R(PO) | R(WR),
    R(PO) | R(WR) | R(HB),
    R(WW) | R(CF),
    R(PO) | R(WR) | R(HB) | R(RW) | R(CF),
    R(PO) | R(WR) | R(HB) | R(RW) | R(CF) | R(WW),
    R(PO) | R(PPO) | R(LOC) | R(WR) | R(HB) | R(RW) | R(CF) | R(WW) | R(CASE),
    R(PPO) | R(WR) | R(RW) | R(CF) | R(WW) | R(CASE),
    R(LOC) | R(WR) | R(RW) | R(CF) | R(WW) | R(CASE),
    R(PPO) | R(WR) | R(HB),
    R(LOC) | R(WR) | R(HB),
    R(PPO) | R(LOC) | R(WR) | R(HB),
    R(PPO) | R(WR) | R(HB) | R(RW) | R(CF) | R(WW),
    R(LOC) | R(WR) | R(HB) | R(RW) | R(CF) | R(WW),
};
#undef R

enum {
    OBSERVED = GRAPH_HB_PPO | GRAPH_HB_LOC,
    WITHOUT_OWN = GRAPH_PPO | GRAPH_HB_PPO | GRAPH_WCCM_PPO /* a thread's own writes reach it early */
};

static unsigned graphs_of(assay_rule rule)
{
    unsigned graphs = 0;
    for (unsigned g = 0; g < GRAPHS; g++)
        graphs |= (rules_of[g] >> rule & 1) << g;
    return graphs;
}

const struct ruleset ruleset_causal = {.hb = GRAPH_HB, .cf = GRAPH_CO, .rw = GRAPH_CO, .cycle = GRAPH_MIXED};
const struct ruleset ruleset_ccm = {
    .hb = GRAPH_HB, .cf = GRAPH_HB, .ww = GRAPH_HB, .rw = GRAPH_STORE, .cycle = GRAPH_CCM};
const struct ruleset ruleset_wccm = {.hb = OBSERVED,
                                     .cf = OBSERVED,
                                     .ww = GRAPH_WHB,
                                     .rw = GRAPH_STORE,
                                     .cycle = GRAPH_WCCM_PPO | GRAPH_WCCM_LOC,
                                     .external = true};
const struct ruleset ruleset_sc = {.hb = GRAPH_SC, .cf = GRAPH_SC, .rw = GRAPH_SC, .ww = GRAPH_SC, .cycle = GRAPH_SC};

enum { BUFFERED = GRAPH_PPO | GRAPH_LOC };
const struct ruleset ruleset_tso = {.cf = BUFFERED, .rw = BUFFERED, .ww = BUFFERED, .cycle = BUFFERED};
const struct ruleset ruleset_pso = {.cf = BUFFERED, .rw = BUFFERED, .ww = BUFFERED, .cycle = BUFFERED, .pso = true};

/* ---- facts ---- */

bool preserved(const struct recheck *x, bool pso, uint32_t from, uint32_t to)
{
    const struct memory *mem = &x->memory;
    if (mem->role[from] != ROLE_WRITES || mem->fence[to] || mem->role[to] == (ROLE_READS | ROLE_WRITES))
        return true; /* only plain writes are delayed, up to a fence or an rmw */
    if (mem->program.past ? program_barrier_between(x, from, to) : mem->barriers[from] != mem->barriers[to])
        return true;
    return mem->role[to] == ROLE_WRITES && (!pso || mem->var[from] == mem->var[to]);
}

static bool check_program_order(const struct recheck *x, const struct ruleset *t, const struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    if (x->h->thread[s->from] != x->h->thread[s->to] && !x->memory.program.past)
        return chain_refuse(x, c, i, "they are in different threads");
    if (!program_before(x, s->from, s->to))
        return chain_refuse(x, c, i, "the first is not the earlier one");
    if (s->rule == ASSAY_LOC && x->memory.var[s->from] != x->memory.var[s->to])
        return chain_refuse(x, c, i, "they are about different variables");
    return s->rule != ASSAY_PPO || preserved(x, t->pso, s->from, s->to) ||
           chain_refuse(x, c, i, "a store buffer does not preserve their order");
}

static bool check_case(const struct recheck *x, const struct ruleset *t, const struct chain *c, uint32_t i)
{
    if (!t->cases)
        return chain_refuse(x, c, i, "this rule may not be used here");
    return are_writes(x, c->steps[i].from, c->steps[i].to) ||
           chain_refuse(x, c, i, "they are not two writes of one variable");
}

static bool check_fact(const struct recheck *x, const struct ruleset *t, const struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    const struct memory *mem = &x->memory;
    switch (s->rule) {
    case ASSAY_PO:
    case ASSAY_PPO:
    case ASSAY_LOC: return check_program_order(x, t, c, i);
    case ASSAY_WR:
        if (!(mem->role[s->to] & ROLE_READS))
            return chain_refuse(x, c, i, "the second does not read");
        return mem->source[s->to] == s->from || chain_refuse(x, c, i, "the second does not read from the first");
    case ASSAY_CASE: return check_case(x, t, c, i);
    default: return chain_derived(x, c, i);
    }
}

/* ---- chains ---- */

/* A fence stands in no graph but those of program order across threads and of the preserved order, where it only
 * connects other steps. */
static bool takes_place(const struct recheck *x, const assay_step *s, uint32_t op)
{
    bool connects = s->rule == ASSAY_PPO || (s->rule == ASSAY_PO && x->memory.program.past);
    return op < x->h->n && (x->memory.role[op] || (connects && x->memory.fence[op]));
}

/* The graphs that have this step, which holds. A thread may read its own write before the memory has it; observations
 * in one order do not hold in the other. */
static unsigned graphs_with(const struct recheck *x, const struct ruleset *t, const assay_step *s)
{
    bool own = s->rule == ASSAY_WR && x->h->thread[s->from] == x->h->thread[s->to];
    if (own && !(s->from < s->to && preserved(x, t->pso, s->from, s->to)))
        return graphs_of(s->rule) & ~(unsigned)WITHOUT_OWN;
    if (s->rule == ASSAY_HB)
        return graphs_of(s->rule) & (x->reason_graphs[s->reason] | ~(unsigned)OBSERVED);
    return graphs_of(s->rule);
}

static bool check_step(const struct recheck *x, const struct ruleset *t, struct chain *c, uint32_t i)
{
    const assay_step *s = &c->steps[i];
    if (!takes_place(x, s, s->from) || !takes_place(x, s, s->to)) {
        char where[64];
        uint32_t wrong = takes_place(x, s, s->from) ? s->to : s->from;
        snprintf(where, sizeof where, "step %u of %s", i, c->name);
        return takes_part(x, wrong, where);
    }
    if (!(c->may & graphs_of(s->rule)))
        return chain_refuse(x, c, i, "this rule may not be used here");
    if (!check_fact(x, t, c, i))
        return false;
    c->graphs &= graphs_with(x, t, s);
    return c->graphs || chain_refuse(x, c, i, "it is in no graph with the steps before it");
}

/* The steps hold, in one graph, and lead from `from` to `to`. */
static bool check_chain(const struct recheck *x, const struct ruleset *t, struct chain *c, uint32_t from, uint32_t to)
{
    if (!c->count)
        return refuse(x, "%s is empty", c->name);
    for (uint32_t i = 0; i < c->count; i++) {
        if (!check_step(x, t, c, i))
            return false;
        if (c->steps[i].from != (i ? c->steps[i - 1].to : from))
            return chain_refuse(
                x, c, i, i ? "it does not start where the step before it ended" : "it does not start where it should");
    }
    return c->steps[c->count - 1].to == to || chain_refuse(x, c, c->count - 1, "it does not end where it should");
}

bool check_cycle(const struct recheck *x, const struct ruleset *t, uint32_t lemma)
{
    struct chain c = chain_of_cycle(x, lemma, t->cycle);
    uint32_t start = c.count ? c.steps[0].from : ID_NONE;
    return check_chain(x, t, &c, start, start);
}

/* ---- reasons ---- */

/* One operation of reason i: it takes part and has the role. */
static bool check_role(const struct recheck *x, uint32_t i, uint32_t op, uint8_t role)
{
    char where[32];
    snprintf(where, sizeof where, "reason %u", i);
    if (!takes_part(x, op, where))
        return false;
    return (x->memory.role[op] & role) ||
           refuse(x, "reason %u: %s does not %s", i, operation_text(x, op), role == ROLE_READS ? "read" : "write");
}

static bool same_variable(const struct recheck *x, uint32_t i, uint32_t a, uint32_t b)
{
    return x->memory.var[a] == x->memory.var[b] || refuse(x, "reason %u: %s and %s are about different variables", i,
                                                          operation_text(x, a), operation_text(x, b));
}

/* rw: from is a read, and its source leads to the write `to`. */
static bool check_rw(const struct recheck *x, const struct ruleset *t, uint32_t i)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_role(x, i, r->from, ROLE_READS) || !check_role(x, i, r->to, ROLE_WRITES) ||
        !same_variable(x, i, r->from, r->to))
        return false;
    if (r->read != r->from)
        return refuse(x, "reason %u: the read of an rw must be where it starts", i);
    if (r->from == r->to)
        return refuse(x, "reason %u: %s cannot overwrite what it reads itself", i, operation_text(x, r->from));
    uint32_t source = x->memory.source[r->from];
    if (source == FROM_NOBODY || (source == FROM_INITIAL && r->path_count))
        return refuse(x, "reason %u: %s does not read from a write, so no path can start there", i,
                      operation_text(x, r->from));
    if (source == FROM_INITIAL)
        return true;
    struct chain path = chain_of_reason(x, i, t->rw);
    return check_chain(x, t, &path, source, r->to);
}

/* Two different writes of one variable. */
static bool check_writes(const struct recheck *x, uint32_t i)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_role(x, i, r->from, ROLE_WRITES) || !check_role(x, i, r->to, ROLE_WRITES) ||
        !same_variable(x, i, r->from, r->to))
        return false;
    return r->from != r->to || refuse(x, "reason %u: %s cannot come before itself", i, operation_text(x, r->from));
}

/* cf and hb: the write `from` leads to a read of the other write `to`. */
static bool check_overtaken(const struct recheck *x, const struct ruleset *t, uint32_t i, unsigned graphs)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_writes(x, i) || !check_role(x, i, r->read, ROLE_READS))
        return false;
    if (x->memory.source[r->read] != r->to)
        return refuse(x, "reason %u: %s does not read from %s", i, operation_text(x, r->read),
                      operation_text(x, r->to));
    struct chain path = chain_of_reason(x, i, graphs);
    if (!check_chain(x, t, &path, r->from, r->read))
        return false;
    x->reason_graphs[i] = path.graphs;
    return true;
}

/* cf of wccm: the read is one of another thread's write. */
static bool check_external(const struct recheck *x, uint32_t i)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    return x->h->thread[r->read] != x->h->thread[r->to] ||
           refuse(x, "reason %u: %s reads a write of its own thread, which does not count here", i,
                  operation_text(x, r->read));
}

/* The observations of a thread follow from its own reads alone. */
static bool check_observer(const struct recheck *x, uint32_t i)
{
    const struct evidence *ev = &x->line->evidence;
    const struct reason *r = &ev->reasons.at[i];
    for (uint32_t s = r->path_at; s < r->path_at + r->path_count; s++) {
        const assay_step *step = &ev->steps.at[s];
        if (step->rule == ASSAY_HB && x->h->thread[ev->reasons.at[step->reason].read] != x->h->thread[r->read])
            return refuse(x, "reason %u: the reads of hb reasons must be in one thread", i);
    }
    return true;
}

static bool is_final(const struct recheck *x, const struct reason *r)
{
    return x->memory.final && x->memory.final[x->memory.var[r->to]] == r->to;
}

/* ww: the write `from` leads to the write `to`; or the latter is the last one. */
static bool check_ww(const struct recheck *x, const struct ruleset *t, uint32_t i)
{
    const struct reason *r = &x->line->evidence.reasons.at[i];
    if (!check_writes(x, i))
        return false;
    if (!r->path_count && is_final(x, r))
        return true;
    struct chain path = chain_of_reason(x, i, t->ww);
    return check_chain(x, t, &path, r->from, r->to);
}

static bool check_reason(const struct recheck *x, const struct ruleset *t, uint32_t i)
{
    assay_rule rule = x->line->evidence.reasons.at[i].rule;
    switch (rule) {
    case ASSAY_RW: return check_rw(x, t, i);
    case ASSAY_CF: return check_overtaken(x, t, i, t->cf) && (!t->external || check_external(x, i));
    case ASSAY_HB:
        if (t->hb)
            return check_overtaken(x, t, i, t->hb) && (t->hb == GRAPH_SC || check_observer(x, i));
        break;
    case ASSAY_WW:
        if (t->ww)
            return check_ww(x, t, i);
        break;
    default: break;
    }
    return refuse(x, "reason %u: the rule %s is not one of this model", i, assay_rule_name(rule));
}

bool check_reasons(struct recheck *x, const struct ruleset *t)
{
    x->reason_graphs = mem_new_zero(x->mem, unsigned, x->line->evidence.reasons.n);
    for (uint32_t i = 0; i < x->line->evidence.reasons.n; i++)
        if (!check_reason(x, t, i))
            return false;
    return true;
}
