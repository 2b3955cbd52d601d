/* SPDX-License-Identifier: Apache-2.0 */
/* A check of an object, part by part. Each part goes to the first engine of the table that takes it; the engines of
 * single objects, which are the fastest, stand first. The history satisfies the model only if each part does, so the
 * first violation ends the check. An undecided part does not end it: another part may still be a violation.
 *
 * A part may be hard while another one is refuted at once. So the parts take turns: each is given some effort, in ticks
 * of the budget. If that is not enough it is left, and has its next turn when all others have had theirs. A turn begins
 * anew, with several times the effort, so the turns before it cost a fraction of it. A part that is the only one left
 * has all the time. Effort grows with the size of a part, so engines that do not search need one turn.
 *
 * If happens-before is an interval order, linearizability is local: no further condition is needed, and a witness is
 * one order per part. Where the ranks are not those of the times (search/intervals.h), these orders are merged into one
 * of the whole. So recheck need not trust the ranks.
 *
 * If it is no interval order, the parts may contradict each other. Four steps are tried, the cheapest first:
 *   - two interval orders around it, in which parts are judged apart and without a search (calls_tight, calls_loose).
 *     An order that suits the tight one suits the history; an order that the loose one excludes, the history excludes;
 *   - an execution of the whole (search/execute.c);
 *   - each part in happens-before itself: do the found orders fit together?
 *   - an engine searches for an order of the whole. */
#include "check/check.h"

#include "check/choose.h"
#include "explain/argue.h"
#include "explain/blame.h"
#include "search/initial_states.h"

/* Why the engine does not decide the part, or NULL: then it has. */
static const char *run_one(const struct engine *g, struct job *job)
{
    const char *why = g->declines ? g->declines(job) : NULL;
    if (why)
        return why;
    job->declined = NULL;
    job->out->engine = g->name; /* set first: a budget may end the run */
    g->run(job);
    return job->declined;
}

/* Data that the parts share while they are decided one after another. */
struct parting {
    const struct choice *choice;
    struct job *job;
    const char *engine; /* that of all so far, or "several" */
    bool witnessed, undecided;
    struct mem *mem;               /* of the check, not of one part */
    VEC(const struct part *) hard; /* parts that need another turn */
    enum escape exhausted;         /* a part was given up for this reason, or ESCAPE_NONE, ... */
    const char *exhausting;        /* ... by this engine */
};

/* The engine has run on a part. */
static void note_engine(struct parting *p, const struct engine *g)
{
    result *r = p->job->out;
    if (r->evidence.orders.n && !vec_last(&r->evidence.orders).count)
        r->evidence.orders.n--; /* all operations of the part are pending, and none of them was needed */
    p->engine = !p->engine || p->engine == g->name ? g->name : "several";
    p->witnessed &= !g->no_evidence;
    p->undecided |= r->verdict == ASSAY_UNDECIDED;
    if (r->verdict == ASSAY_VIOLATION && !p->job->verdict_only) {
        blame(p->job);
        argue(p->job);
    }
}

/* The next engine of the walk that decides the part, if there is one; else *why has the last one's reason. */
static bool run_next(struct parting *p, struct choosing *walk, const char **why)
{
    const struct engine *g;
    p->job->part = walk->part;
    budget_look(p->job->budget);
    while ((g = choose_next(walk)))
        if (!(*why = run_one(g, p->job))) {
            note_engine(p, g);
            return true;
        }
    return false;
}

static void run_known(struct parting *p, const struct part *part)
{
    struct choosing walk = {.choice = p->choice, .from = CHOOSE_ANY, .part = part};
    const char *why = NULL;
    if (run_next(p, &walk, &why))
        return;
    choose_refuse(&walk, why, p->job->error);
    escape_raise(ESCAPE_ERROR);
}

/* As if the engine had not run on the part. */
static void take_back(result *r, assay_verdict verdict, uint32_t orders, uint32_t ops)
{
    struct evidence *ev = &r->evidence;
    r->verdict = verdict;
    evidence_part(ev, PATTERN_NONE, ASSAY_NO_OPERATION, false);
    ev->opposite = ASSAY_NO_OPERATION;
    ev->tied = ev->alone = false;
    ev->least = 1; /* the amount is not known */
    ev->most = 0;
    ev->orders.n = orders;
    ev->ops.n = ops;
    vec_clear(&ev->kept);
    vec_clear(&ev->suspects);
    vec_clear(&ev->sights);
    vec_clear(&ev->outcomes);
    vec_clear(&ev->allowed);
}

/* The proof that no initial state explains the part: events up to the latest of the prefixes, if all have one. */
struct all_refuted {
    uint32_t latest; /* the culprit that returns last so far */
    bool prefix;
    bool shortest; /* from that state, all that comes before this culprit has a linearization */
};

static void note_refuted(struct all_refuted *all, const struct job *job)
{
    const struct evidence *ev = &job->out->evidence;
    const uint32_t *ret = job->calls->ret;
    bool later = all->latest == ASSAY_NO_OPERATION || (ret && ret[ev->culprit] > ret[all->latest]);
    bool shortest = ev->pattern == PATTERN_NoLinearization && ev->prefix && !ev->tied;
    if (later || all->latest == ev->culprit)
        all->shortest = shortest || (!later && all->shortest);
    if (later)
        all->latest = ev->culprit;
    all->prefix &= ev->prefix;
}

/* Another call overwrote a value, or left it there, before the culprit (search/stale.h). The initial value has no part
 * in that. A map may hold null at first, and then its results do not tell whether the key is there. */
static bool holds_from_any(const struct evidence *ev, const struct part *part)
{
    return ev->opposite != ASSAY_NO_OPERATION && spec_any_kind(part->object->spec) != ANY_CELL_OR_NONE;
}

/* The call that showed another value may have seen the initial one, so that no call is known to have set it. */
static void leave_source_out(struct evidence *ev)
{
    if (ev->kept.at[0] == ev->opposite)
        return;
    ev->kept.n = 0;
    evidence_keep(ev, ev->opposite);
    evidence_keep(ev, ev->culprit);
}

/* A part whose initial state may be any: it is judged from each that could make a difference. */
static void run_from_any(struct parting *p, const struct part *part)
{
    struct job *job = p->job;
    result *r = job->out;
    struct all_refuted all = {.latest = ASSAY_NO_OPERATION, .prefix = true};
    uint32_t orders = r->evidence.orders.n, ops = r->evidence.ops.n;
    struct initial_states states = initial_states(job->calls, part, job->mem);
    if (states.declined) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "lin does not apply to this %s: %s", part->object->kind,
                  states.declined);
        escape_raise(ESCAPE_ERROR);
    }
    for (uint32_t i = 0; i < states.n; i++) {
        struct initial_part known;
        initial_part(&known, part, &states.at[i]);
        run_known(p, &known.part);
        if (r->verdict != ASSAY_VIOLATION)
            return;
        if (holds_from_any(&r->evidence, part)) {
            leave_source_out(&r->evidence);
            return;
        }
        note_refuted(&all, job);
        take_back(r, ASSAY_CONSISTENT, orders, ops);
    }
    r->verdict = ASSAY_VIOLATION;
    evidence_part(&r->evidence, PATTERN_NoLinearization, all.latest, all.prefix);
    r->evidence.tied = !all.shortest;
}

static void run_part(struct parting *p, const struct part *part)
{
    struct job *job = p->job;
    if (!part->object && history_any_initial(job->h)) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE,
                  "lin does not apply: with `@init ?` several objects or keys must be judged apart");
        escape_raise(ESCAPE_ERROR);
    }
    bool any = part->object && setting_is_any(&part->object->setting, value_public(job->h, part->key));
    (any ? run_from_any : run_known)(p, part);
}

/* Does one of these engines take the part? */
static bool run_some(struct parting *p, enum choose_from from, const struct part *part)
{
    struct choosing walk = {.choice = p->choice, .from = from, .part = part};
    const char *ignored = NULL;
    return run_next(p, &walk, &ignored);
}

/* Each part has an order: do they fit together, or is there an order of the whole? */
static void run_whole(struct parting *p)
{
    struct job *job = p->job;
    struct evidence *ev = &job->out->evidence;
    if (p->witnessed && checker_merge(job->calls, ev, job->mem, job->budget))
        return;
    struct part whole = calls_whole(job->calls, job->mem);
    evidence_drop_orders(ev);
    run_part(p, &whole);
    ev->whole = job->out->verdict == ASSAY_VIOLATION;
}

/* ---- two interval orders around happens-before ---- */

/* Judges the parts in that order until one violates it. False: it is unknown of one of them. */
static bool run_bound(struct parting *p, const struct calls *bound, struct mem *part_mem)
{
    struct job *job = p->job;
    bool known = true;
    job->calls = bound;
    for (uint32_t i = 0; i < bound->part_n && job->out->verdict == ASSAY_CONSISTENT; i++) {
        known &= run_some(p, CHOOSE_SCAN, &bound->parts[i]);
        mem_release(part_mem);
    }
    return known && !p->undecided;
}

/* As if nothing had been tried. */
static void forget(struct parting *p, const struct calls *calls)
{
    result *r = p->job->out;
    p->job->calls = calls;
    p->engine = NULL;
    p->witnessed = true;
    p->undecided = false;
    r->verdict = ASSAY_CONSISTENT;
    r->evidence = evidence_in(r->evidence.mem);
}

/* Consistent in an order that contains happens-before, or a violation in one that it contains. */
static bool run_bounds(struct parting *p, struct mem *mem, struct mem *part_mem)
{
    struct job *job = p->job;
    const struct calls *calls = job->calls, *tight = calls_tight(calls, mem, job->budget),
                       *loose = calls_loose(calls, mem);
    struct evidence *ev = &job->out->evidence;
    bool known = run_bound(p, tight, part_mem);
    if (known && job->out->verdict == ASSAY_CONSISTENT &&
        (!job->witness || calls->part_n < 2 || checker_merge(tight, ev, job->mem, job->budget)))
        return true;
    forget(p, calls);
    if (loose)
        run_bound(p, loose, part_mem);
    if (job->out->verdict == ASSAY_VIOLATION) {
        ev->tied = true;
        return true;
    }
    forget(p, calls);
    return false;
}

/* Does an engine that looks for an order of the whole find one? */
static bool run_tentative(struct parting *p, struct mem *part_mem)
{
    struct part whole = calls_whole(p->job->calls, p->job->mem);
    bool found = run_some(p, CHOOSE_TENTATIVE, &whole);
    if (!found)
        mem_release(part_mem);
    return found;
}

/* ---- turns ---- */

uint64_t checker_first_effort = 1 << 17;

struct turn {
    struct parting *p;
    const struct part *part;
};

static void take_turn(void *arg)
{
    struct turn *t = arg;
    run_part(t->p, t->part);
}

/* Runs the part with so much effort, or with all that there is (0). False: that was not enough. */
static bool run_turn(struct parting *p, const struct part *part, uint64_t effort, struct mem *part_mem)
{
    struct budget *b = p->job->budget;
    result *r = p->job->out;
    assay_verdict verdict = r->verdict;
    uint32_t orders = r->evidence.orders.n, ops = r->evidence.ops.n;
    struct turn turn = {p, part};
    budget_allow(b, effort);
    enum escape left = escape_run(take_turn, &turn);
    budget_allow(b, 0);
    mem_release(part_mem);
    if (!left)
        return true;
    if (left != ESCAPE_EFFORT && left != ESCAPE_MEMORY_BUDGET)
        escape_raise(left);
    take_back(r, verdict, orders, ops);
    if (left == ESCAPE_MEMORY_BUDGET) {
        p->exhausted = left;
        p->exhausting = r->engine;
    }
    return left == ESCAPE_MEMORY_BUDGET;
}

static uint64_t effort_of(const struct part *part, uint32_t round)
{
    enum { GROWS_BY = 2, LARGE = 1024 };
    return (checker_first_effort + checker_first_effort * part->n / LARGE) << GROWS_BY * round;
}

/* All parts, until one is a violation. */
static void run_in_turns(struct parting *p, struct mem *part_mem)
{
    const struct calls *calls = p->job->calls;
    result *r = p->job->out;
    uint32_t n = calls->part_n;
    for (uint32_t round = 0; n && r->verdict != ASSAY_VIOLATION; round++, n = p->hard.n) {
        vec_clear(&p->hard);
        for (uint32_t i = 0; i < n && r->verdict != ASSAY_VIOLATION; i++) {
            const struct part *part = round ? p->hard.at[i] : &calls->parts[i];
            bool alone = i + 1 == n && !p->hard.n;
            if (!run_turn(p, part, alone ? 0 : effort_of(part, round), part_mem))
                vec_push(p->mem, &p->hard, part);
        }
    }
    if (p->exhausted && r->verdict != ASSAY_VIOLATION) {
        r->engine = p->exhausting;
        escape_raise(p->exhausted);
    }
}

/* A prefix is a prefix in time, which ranks need not follow where clocks are skewed or there are none. A refutation of
 * the prefix refutes the part. */
static void leave_prefix(const struct calls *c, int64_t skew, struct evidence *ev)
{
    ev->tied |= c->derived;
    if (c->derived && (skew || !c->h->call))
        ev->prefix = false;
}

/* Each part, and if they cannot be judged apart, the whole. */
static void run_all(struct parting *p, struct mem *part_mem, bool wanted)
{
    struct job *job = p->job;
    const struct calls *calls = job->calls;
    result *r = job->out;
    bool several = calls->part_n > 1, local = calls->order == CALLS_INTERVALS;
    job->witness |= several && !local;
    const struct engine *asked = p->choice->asked;
    if (several && asked && asked->tentative) {
        struct part all = calls_whole(calls, job->mem);
        run_part(p, &all);
        return;
    }
    run_in_turns(p, part_mem);
    bool whole = several && (!local || (calls->derived && wanted && p->witnessed));
    if (whole && !p->undecided && r->verdict == ASSAY_CONSISTENT)
        run_whole(p);
}

void checker_run_parts(const struct choice *choice, struct job *job, struct mem *part_mem)
{
    const struct checker *c = choice->c;
    struct calls_wish wish = checker_wish(job->model, c->options->skew);
    struct mem *mem = job->mem;
    const struct calls *calls = job->calls = calls_view(c->h, &c->objects, wish, mem, job->budget, job->error);
    bool wanted = job->witness,
         around = wish.split && calls->order != CALLS_INTERVALS && !choice->asked && !history_any_initial(c->h);
    struct parting p = {.choice = choice, .job = job, .witnessed = true, .mem = mem};
    result *r = job->out;
    job->mem = part_mem;
    r->verdict = ASSAY_CONSISTENT;
    if (!around || (!run_bounds(&p, mem, part_mem) && !run_tentative(&p, part_mem)))
        run_all(&p, part_mem, wanted);
    if (p.engine)
        r->engine = p.engine;
    if (r->verdict != ASSAY_VIOLATION && p.undecided)
        r->verdict = ASSAY_UNDECIDED;
    leave_prefix(calls, c->options->skew, &r->evidence);
    if (!wanted || r->verdict == ASSAY_VIOLATION) /* those of the parts before prove nothing */
        evidence_drop_orders(&r->evidence);
    r->evidence.witness = r->verdict == ASSAY_CONSISTENT && p.witnessed && wanted;
}
