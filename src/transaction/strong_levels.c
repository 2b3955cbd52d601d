/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `auto` for pc, psi, si and ser: from the cheap to the certain, as for sc (memory/auto.c).
 *
 * Reads that every level forbids come first. Parts that share no keys are judged one by one (apart.h). Then the
 * recorded order is tried, and an execution with repair, which explains most histories of stores that are right. If it
 * gives up, real time is supposed (supposed.h). If it finds that a beginning has no execution, this is refuted alone
 * (part.h). Then come the weak levels, which the strong ones imply, and the forced orders. A search with backjumping is
 * for the rest, and then a SAT solver. A history without session order has as many threads as transactions. But if it
 * is explained with session order, that is an explanation of it, too. So this is tried first.
 *
 * An execution of a stronger level is one of a weaker level, too, and ser has the simplest ones. psi has no execution
 * of its own: one of si is one of psi. Without that its forced order has no rw (forced_order.h).
 * Source: gradual consistency checking (CAV'19), applied to the graphs of transaction/txn_events.h. */
#include "memory/lazy.h"
#include "transaction/anomaly.h"
#include "transaction/apart.h"
#include "transaction/dependencies.h"
#include "transaction/guessed_times.h"
#include "transaction/part.h"
#include "transaction/recorded.h"
#include "transaction/repeated_values.h"
#include "transaction/supposed.h"

#include <string.h>

struct strong {
    struct job *job;
    struct txn_events s;
    struct txn_events_order sorted; /* by base U wr U vo */
    const uint32_t *guess;          /* of each event: when it seems to have happened */
    const uint32_t *reached;        /* of each chain: the first events already have no order; NULL: unknown */
};

/* ---- verdicts ---- */

/* Each transaction at its events: once, or at its begin and its commit. psi has one order of commits. */
static void accept(struct strong *x, const uint32_t *order, uint32_t count)
{
    struct evidence *ev = &x->job->out->evidence;
    const struct rw *v = &x->s.rw;
    unsigned level = x->job->model->conditions;
    bool commits_only = (level & COND_PSI) && x->s.points == 2;
    bool at_once = (level & (COND_PC | COND_SI)) && x->s.points == 1; /* an order of ser: each commits as it begins */
    x->job->out->verdict = ASSAY_CONSISTENT;
    if (!x->job->witness)
        return;
    ev->witness = true;
    evidence_begin_order(ev, ASSAY_NO_THREAD);
    for (uint32_t i = 0; i < count; i++) {
        if (!txn_events_is_txn(&x->s, order[i]) || (commits_only && order[i] % 2 == 0))
            continue;
        evidence_place(ev, v->op[order[i]]);
        if (at_once)
            evidence_place(ev, v->op[order[i]]);
    }
}

/* The weak levels are implied. True: one of them is violated. */
static bool weakly_refuted(struct job *job)
{
    struct dependencies d;
    job_tries(job, "weak levels");
    dependencies_init(&d, job);
    if (force_tcc(&d) && d.impossible == ID_NONE && d.two_sources == ID_NONE && dependencies_sort(&d))
        return false;
    job->out->verdict = ASSAY_VIOLATION;
    dependencies_explain(&d, job);
    return true;
}

/* ---- execution with repair ---- */

/* If few transactions are recorded before one that they read from, transactions were perhaps recorded as they happened.
 * Else the longest path to an event tells when it seems to have happened. */
static const uint32_t *guess(const struct strong *x)
{
    enum { FEW = 8 }; /* one in so many */
    const struct rw *v = &x->s.rw;
    uint64_t early = 0, all = 0;
    for (uint32_t a = 0; a < v->a; a++) {
        if (!(v->kind[a] & RW_READS) || v->src[a] >= RW_THIN)
            continue;
        all++;
        early += v->op[rw_event(v, v->src[a])] > v->op[rw_event(v, a)];
    }
    return early * FEW > all ? x->sorted.depth : v->op;
}

/* The events of these transactions for the level. False: base, wr and vo have a cycle, or a read has two sources. */
static bool prepare(struct strong *x, struct job *job, const struct txn_view *v, unsigned level)
{
    *x = (struct strong){.job = job};
    txn_events_init(&x->s, v, level, job->mem);
    if (x->s.two_sources != ID_NONE || !txn_events_sort(&x->sorted, &x->s, job->mem, job->budget))
        return false;
    x->guess = guess(x);
    return true;
}

/* How an execution with repair ends: it is found; there is none; nothing is known. */
enum ending { FOUND, REFUTED, GAVE_UP };

enum { BRIEF = 32 }; /* effort per event, beyond which more is to be known about the order */

static bool is_brief(const struct rw *v)
{
    return v->k <= BRIEF / 2 || lazy_is_cheap(v);
}

static enum ending executed(struct strong *x, bool briefly)
{
    const struct rw *v = &x->s.rw;
    uint64_t effort = lazy_is_cheap(v) ? lazy_effort(v) : briefly && !is_brief(v) ? (uint64_t)v->n * BRIEF : 0;
    job_tries(x->job, "an execution with repair");
    struct execution found = serial_execution(x->job, v, MEMORY_SC, x->guess, effort);
    x->reached = found.reached;
    if (found.order)
        accept(x, found.order, found.count);
    return found.order ? FOUND : found.reached ? REFUTED : GAVE_UP;
}

static enum ending execution_of(struct job *job, const struct txn_view *v, unsigned level, bool briefly)
{
    struct strong x;
    return prepare(&x, job, v, level) ? executed(&x, briefly) : REFUTED;
}

/* With real time that is supposed. */
static bool has_supposed_execution(struct job *job, const struct txn_view *v, unsigned level)
{
    struct strong x;
    const struct txn_view *timed = v->ended_before ? v : supposed_times(job->h, v, job->mem, job->error);
    if (!timed || !prepare(&x, job, timed, level))
        return false;
    x.guess = guessed_times(&x.s, &x.sorted, job->mem, job->budget);
    return executed(&x, false) == FOUND;
}

/* ---- forced orders and a search ---- */

/* The rule of an edge of base order or of versions. */
static assay_rule rule_of(void *arg, uint32_t from, uint32_t to)
{
    const struct strong *x = arg;
    const struct txn_view *v = x->s.v;
    const history *h = x->job->h;
    uint32_t t = from / x->s.points, u = to / x->s.points;
    if (x->job->model->base != BASE_NONE && h->thread[v->op[t]] == h->thread[v->op[u]] && v->op[t] < v->op[u] &&
        !history_pending(h, v->op[t]))
        return ASSAY_PO;
    for (uint32_t w = v->version ? v->writes_at[u] : 0; v->version && w < v->writes_at[u + 1]; w++)
        if (txn_version_before(v, w) == t)
            return ASSAY_VO;
    return ASSAY_RT;
}

/* All events in an order that completes the closed forced order, or NULL, and the refutation is written. */
typedef const uint32_t *completion(struct job *job, struct forced_order *w, const uint32_t *guess);

static const uint32_t *solved(struct job *job, struct forced_order *w, const uint32_t *guess)
{
    job_tries(job, "a SAT solver");
    struct lazy *l = mem_new(job->mem, struct lazy, 1);
    *l = (struct lazy){.job = job, .rank = guess, .fixed = {known_forced, w}, .forced = w};
    return lazy_order(l) ? l->stored.sorted : NULL;
}

/* After a while of searching a SAT solver is asked, or at once, where that is cheap. It knows the graphs with rw only,
 * so that psi is left to the search. */
static const uint32_t *searched(struct job *job, struct forced_order *w, const uint32_t *guess)
{
    struct evidence *ev = &job->out->evidence;
    struct forced_mark mark = forced_mark(w);
    uint64_t cells = (uint64_t)w->v->n * w->v->k;
    bool gave_up;
    if (!w->without_rw && lazy_is_cheap(w->v))
        return solved(job, w, guess);
    const uint32_t *order = serial_order(job, w, w->without_rw ? 0 : lazy_after(w->v, cells), &gave_up);
    if (order || gave_up)
        evidence_drop_refutation(ev);
    if (!gave_up)
        return order;
    forced_undo(w, mark);
    return solved(job, w, guess);
}

/* Builds the forced order and closes it. True: it is a violation. */
static bool force(struct strong *x, struct job *job, struct forced_order *w)
{
    struct evidence *ev = &job->out->evidence;
    job->rw = &x->s.rw;
    job_tries(job, "forced orders and a search");
    forced_init(w, &x->s.rw, MEMORY_SC, x->sorted.order, x->sorted.rank, job->mem, job->budget, &job->out->stats);
    w->facts = (struct forced_facts){rule_of, x};
    w->without_rw = job->model->conditions & COND_PSI;
    w->guess = x->guess;
    if (!serial_refuted(job, w, forced_close(w)))
        return false;
    if (ev->steps.at[ev->cycle_at].to == ASSAY_NO_OPERATION) /* its reason, the last one, says all */
        ev->cycle_count = 0;
    anomaly_name(ev, x->s.v, job->model->conditions, job->mem);
    return true;
}

static void force_and_complete(struct strong *x, completion *complete)
{
    struct forced_order w;
    struct job job = *x->job;
    if (force(x, &job, &w))
        return;
    const uint32_t *order = complete(&job, &w, x->guess);
    if (order) {
        accept(x, order, x->s.rw.n);
        return;
    }
    job.out->evidence.pattern = PATTERN_NoVersionOrder;
    job.out->verdict = ASSAY_VIOLATION;
}

/* ---- a beginning that has no order ---- */

static bool part_refuted(struct job job, const struct txn_view *part)
{
    struct strong x;
    struct forced_order w;
    job.txns = part;
    return weakly_refuted(&job) || (prepare(&x, &job, part, job.model->conditions) && force(&x, &job, &w));
}

/* If the first events that have no execution are few, their forced order is closed soon, and it mostly shows that. Else
 * a longer beginning may do. */
static bool beginning_refuted(const struct strong *x)
{
    enum { MORE = 4, SMALL = 8 }; /* times the length of a part; at most one in so many transactions */
    const struct txn_view *v = x->job->txns;
    struct mem *m = x->job->mem;
    uint32_t *length = mem_new(m, uint32_t, v->k);
    bool refuted = false;
    for (uint32_t c = 0; c < v->k; c++)
        length[c] = (x->reached[c] + x->s.points - 1) / x->s.points;
    while (!refuted && txn_part_close(v, length, m) < v->n / SMALL) {
        refuted = part_refuted(*x->job, txn_part_beginning(v, length, m));
        for (uint32_t c = 0; c < v->k; c++) {
            uint32_t all = v->base[c + 1] - v->base[c];
            length[c] = length[c] < all / MORE ? length[c] * MORE : all;
        }
    }
    mem_free(m, length);
    return refuted;
}

/* ---- the engines ---- */

static bool guessed(struct job *job, struct strong *x)
{
    unsigned level = job->model->conditions, stronger = level & COND_PSI ? COND_SI : level;
    const struct txn_view *sessions = job->txns;
    if (recorded_explains(job, job->txns, stronger))
        return true;
    if (job->model->base == BASE_NONE && !job->txns->chosen) {
        sessions = txn_view(job->h, BASE_SESSION, 0, job->mem, job->error);
        enum ending ending = execution_of(job, sessions, stronger, true);
        if (ending == FOUND)
            return true;
        sessions = ending == REFUTED ? job->txns : sessions;
    }
    enum ending ending = prepare(x, job, job->txns, stronger) ? executed(x, true) : REFUTED;
    if (ending != GAVE_UP)
        return ending == FOUND;
    if (has_supposed_execution(job, sessions, stronger) || (!is_brief(&x->s.rw) && executed(x, false) == FOUND))
        return true;
    return !(level & COND_SER) && execution_of(job, job->txns, COND_SER, false) == FOUND;
}

static void refute_or_complete(struct job *job, completion *complete)
{
    struct strong x;
    if (weakly_refuted(job))
        return;
    prepare(&x, job, job->txns, job->model->conditions);
    force_and_complete(&x, complete);
}

static void judge_gradually(struct job *job)
{
    struct strong x = {0};
    if (guessed(job, &x) || (x.reached && beginning_refuted(&x)) || weakly_refuted(job))
        return;
    if (job->model->conditions & COND_PSI)
        prepare(&x, job, job->txns, job->model->conditions);
    force_and_complete(&x, searched);
}

static void judge_by_force(struct job *job)
{
    refute_or_complete(job, searched);
}

static void judge_by_solver(struct job *job)
{
    refute_or_complete(job, solved);
}

/* Independent parts one after the other. Without session order a guess is about the whole history. */
static void judge_parts(struct job *job, void (*judge)(struct job *job))
{
    struct job part = *job;
    if (txn_view_refutes(job->txns, job->out))
        return;
    struct txn_apart apart = job->model->base == BASE_NONE ? (struct txn_apart){.count = 1}
                                                           : txn_apart(job->txns, job->mem);
    if (apart.count < 2) {
        judge(job);
        return;
    }
    for (uint32_t i = 0; i < apart.count; i++) {
        part.txns = txn_apart_view(job->txns, &apart, i, job->mem);
        judge(&part);
        if (job->out->verdict != ASSAY_CONSISTENT) {
            evidence_drop_orders(&job->out->evidence);
            return;
        }
    }
    evidence_join_orders(&job->out->evidence);
}

static void decide_gradually(struct job *job)
{
    judge_parts(job, judge_gradually);
}

static void decide_by_force(struct job *job)
{
    judge_parts(job, judge_by_force);
}

static void decide_by_solver(struct job *job)
{
    judge_parts(job, judge_by_solver);
}

static void run_auto(struct job *job)
{
    bool forced = job->variant && strcmp(job->variant, "forced") == 0;
    job->variant = NULL;
    txn_sourced_run(job, forced ? decide_by_force : decide_gradually);
}

static void run_sat(struct job *job)
{
    txn_sourced_run(job, decide_by_solver);
}

const struct engine engine_auto_transactions = {
    .name = "auto",
    .title = "gradually: executions, weak levels, forced orders, search",
    .conditions = COND_PC | COND_PSI | COND_SI | COND_SER,
    .needs = NEED_TRANSACTIONS,
    .lifts = NEED_UNIQUE_VALUES,
    .variants = (const char *const[]){"repair", "forced", NULL},
    .run = run_auto,
};

const struct engine engine_sat_transactions = {
    .name = "sat",
    .title = "forced orders, then a SAT solver",
    .conditions = COND_PC | COND_SI | COND_SER,
    .needs = NEED_TRANSACTIONS,
    .lifts = NEED_UNIQUE_VALUES,
    .variants = solver_variants,
    .missing = sat_missing,
    .on_request = true,
    .run = run_sat,
};
