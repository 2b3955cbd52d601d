/* SPDX-License-Identifier: Apache-2.0 */
/* The engines "saturation + completion" of the papers. The weak model fixes a part of the store order. Then a SAT
 * solver (lazy.h; with all clauses at once eager.h) or plain enumeration (store_orders.h) orders the pairs left open.
 * The weak model is wsc or wtso, with forced store orders, or ccm or wccm, with the store orders that all threads
 * observe. A violation that enumeration finds comes without evidence, unless the saturation has found it. */
#include "baseline/eager.h"
#include "baseline/store_orders.h"
#include "memory/ccm.h"
#include "memory/closure.h"
#include "memory/lazy.h"
#include "memory/wccm.h"

struct saturated {
    struct causal causal;
    bool is_forced; /* the store order is the forced order's, else the closure of ccm's or wccm's */
    struct forced_order forced;
    struct partial store;
    struct closure closure;
    struct known_order fixed;
    const uint32_t *rank;
};

static bool known_closed(const void *arg, uint32_t v, uint32_t w)
{
    return closure_stored(arg, v, w);
}

/* Saturations: false is a violation, with evidence. */
typedef bool saturation(struct job *job, struct saturated *s);

static bool force(struct job *job, struct saturated *s)
{
    s->is_forced = true;
    if (serial_forced_order(job, &s->causal, &s->forced))
        return false;
    s->fixed = (struct known_order){known_forced, &s->forced};
    s->rank = s->forced.rank;
    return true;
}

/* A violation of ccm or wccm is a violation of wsc or wtso, too, and the forced order has evidence of that. */
static bool observe(struct job *job, struct saturated *s)
{
    struct ccm ccm;
    struct wccm wccm;
    struct stats *stats = &job->out->stats;
    bool fine = s->causal.acyclic;
    if (fine && serial_memory(job) == MEMORY_SC) {
        fine = ccm_check(&ccm, &s->causal, job->mem, job->budget, stats) == CCM_FINE;
        s->store = ccm.store;
    } else if (fine) {
        fine = wccm_check(&wccm, &s->causal, job->mem, job->budget, stats) == WCCM_FINE;
        s->store = wccm.store;
    }
    if (!fine)
        return force(job, s);
    closure_build(&s->closure, &s->store, job->mem, job->budget);
    s->fixed = (struct known_order){known_closed, &s->closure};
    s->rank = causal_positions(&s->causal);
    return true;
}

static bool saturate(struct job *job, saturation *with, struct saturated *s)
{
    *s = (struct saturated){0};
    if (serial_thin_air(job))
        return false;
    causal_build(&s->causal, job->rw, job->mem, job->budget, &job->out->stats);
    return with(job, s);
}

/* ---- a SAT solver ---- */

static void solve(struct job *job, saturation *with, void (*complete)(struct lazy *l))
{
    struct saturated s;
    if (!saturate(job, with, &s))
        return;
    struct lazy l = {
        .job = job, .rank = s.rank, .fixed = s.fixed, .causal = &s.causal, .forced = s.is_forced ? &s.forced : NULL};
    complete(&l);
}

/* ---- enumeration ---- */

/* The witness: the writes of each variable by how many come after them. */
static void accept(struct job *job, struct stored *stored, struct pairs *pairs)
{
    job->out->verdict = ASSAY_CONSISTENT;
    job->out->evidence.witness = job->witness;
    if (!job->witness)
        return;
    pairs_count(pairs);
    for (uint32_t x = 0; x < job->rw->d; x++)
        pairs_sort(pairs, x, &stored->order);
    stored_ordered(stored);
    stored_acyclic(stored, 0);
    explain_order(job, ASSAY_NO_THREAD, stored->sorted, stored->placed);
}

static void enumerate(struct job *job, saturation *with)
{
    struct saturated s;
    struct frames frames;
    struct stored stored;
    struct pairs pairs;
    if (!saturate(job, with, &s))
        return;
    frames_init(&frames, job->rw, serial_memory(job), job->mem);
    stored_init(&stored, &frames, job->mem, job->budget);
    pairs_init(&pairs, job->rw, &stored.order, s.rank, s.fixed, UINT32_MAX, job->mem, job->budget);
    job->out->stats.pairs = pairs.open.n;
    struct store_orders n = {
        .f = &frames, .s = &stored, .p = &pairs, .m = job->mem, .budget = job->budget, .stats = &job->out->stats};
    if (store_orders_complete(&n)) {
        accept(job, &stored, &pairs);
        return;
    }
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.pattern = PATTERN_NoStoreOrder;
}

/* ---- the engines ---- */

static void forced_solve(struct job *job)
{
    solve(job, force, lazy_run);
}

static void forced_solve_eagerly(struct job *job)
{
    solve(job, force, eager_run);
}

static void observed_solve(struct job *job)
{
    solve(job, observe, lazy_run);
}

static void observed_solve_eagerly(struct job *job)
{
    solve(job, observe, eager_run);
}

static void forced_enumerate(struct job *job)
{
    enumerate(job, force);
}

static void observed_enumerate(struct job *job)
{
    enumerate(job, observe);
}

const struct engine engine_wsc_sat = {
    .name = "wsc+sat",
    .title = "forced store orders, then a SAT solver",
    .conditions = COND_SC,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = forced_solve,
};

const struct engine engine_wtso_sat = {
    .name = "wtso+sat",
    .title = "forced store orders, then a SAT solver",
    .conditions = COND_TSO,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = forced_solve,
};

const struct engine engine_ccm_sat = {
    .name = "ccm+sat",
    .title = "store orders from what all threads observe, then a SAT solver",
    .conditions = COND_SC,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = observed_solve,
};

const struct engine engine_wccm_sat = {
    .name = "wccm+sat",
    .title = "store orders from what all threads observe, then a SAT solver",
    .conditions = COND_TSO,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = observed_solve,
};

const struct engine engine_wsc_sat_eager = {
    .name = "wsc+sat",
    .title = "forced store orders, then one formula",
    .conditions = COND_SC,
    .most_events = EAGER_MOST_EVENTS,
    .on_request = true,
    .variants = eager_variants,
    .missing = sat_missing,
    .run = forced_solve_eagerly,
};

const struct engine engine_wsc_enum = {
    .name = "wsc+enum",
    .title = "forced store orders, then enumeration",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = forced_enumerate,
};

const struct engine engine_wtso_sat_eager = {
    .name = "wtso+sat",
    .title = "forced store orders, then one formula",
    .conditions = COND_TSO,
    .most_events = EAGER_MOST_EVENTS,
    .on_request = true,
    .variants = eager_variants,
    .missing = sat_missing,
    .run = forced_solve_eagerly,
};

const struct engine engine_wtso_enum = {
    .name = "wtso+enum",
    .title = "forced store orders, then enumeration",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = forced_enumerate,
};

const struct engine engine_ccm_sat_eager = {
    .name = "ccm+sat",
    .title = "store orders from what all threads observe, then one formula",
    .conditions = COND_SC,
    .most_events = EAGER_MOST_EVENTS,
    .on_request = true,
    .variants = eager_variants,
    .missing = sat_missing,
    .run = observed_solve_eagerly,
};

const struct engine engine_ccm_enum = {
    .name = "ccm+enum",
    .title = "store orders from what all threads observe, then enumeration",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = observed_enumerate,
};

const struct engine engine_wccm_sat_eager = {
    .name = "wccm+sat",
    .title = "store orders from what all threads observe, then one formula",
    .conditions = COND_TSO,
    .most_events = EAGER_MOST_EVENTS,
    .on_request = true,
    .variants = eager_variants,
    .missing = sat_missing,
    .run = observed_solve_eagerly,
};

const struct engine engine_wccm_enum = {
    .name = "wccm+enum",
    .title = "store orders from what all threads observe, then enumeration",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = observed_enumerate,
};
