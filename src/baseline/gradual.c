/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/gradual.h"

#include "baseline/store_orders.h"
#include "memory/ccm.h"
#include "memory/closure.h"
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

static bool known_forced(const void *arg, uint32_t v, uint32_t w)
{
    return forced_stored(arg, v, w);
}

static bool known_closed(const void *arg, uint32_t v, uint32_t w)
{
    return closure_stored(arg, v, w);
}

static enum memory memory_of(enum saturation saturation)
{
    return saturation == SATURATION_CCM || saturation == SATURATION_WSC ? MEMORY_SC : MEMORY_TSO;
}

static bool force(struct job *job, enum saturation saturation, struct saturated *s)
{
    s->is_forced = true;
    if (serial_forced_order(job, &s->causal, memory_of(saturation), &s->forced))
        return false;
    s->fixed = (struct known_order){known_forced, &s->forced};
    s->rank = s->forced.rank;
    return true;
}

/* A violation of ccm or wccm is a violation of wsc or wtso, too, and the forced order has evidence of that. */
static bool observe(struct job *job, enum saturation saturation, struct saturated *s)
{
    struct ccm ccm;
    struct wccm wccm;
    struct stats *stats = &job->out->stats;
    bool fine = s->causal.acyclic;
    if (fine && saturation == SATURATION_CCM) {
        fine = ccm_check(&ccm, &s->causal, job->mem, job->budget, stats) == CCM_FINE;
        s->store = ccm.store;
    } else if (fine) {
        fine = wccm_check(&wccm, &s->causal, job->mem, job->budget, stats) == WCCM_FINE;
        s->store = wccm.store;
    }
    if (!fine)
        return force(job, saturation, s);
    closure_build(&s->closure, &s->store, job->mem, job->budget);
    s->fixed = (struct known_order){known_closed, &s->closure};
    s->rank = s->causal.position;
    return true;
}

/* False: a violation, with evidence. */
static bool saturate(struct job *job, enum saturation saturation, struct saturated *s)
{
    bool ccm = saturation == SATURATION_CCM || saturation == SATURATION_WCCM;
    *s = (struct saturated){0};
    if (serial_thin_air(job))
        return false;
    causal_build(&s->causal, job->rw, job->mem, job->budget, &job->out->stats);
    return (ccm ? observe : force)(job, saturation, s);
}

void gradual_sat(struct job *job, enum saturation saturation)
{
    struct saturated s;
    if (!saturate(job, saturation, &s))
        return;
    struct lazy l = {
        .job = job, .rank = s.rank, .fixed = s.fixed, .causal = &s.causal, .forced = s.is_forced ? &s.forced : NULL};
    lazy_run(&l, memory_of(saturation));
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

void gradual_enum(struct job *job, enum saturation saturation)
{
    struct saturated s;
    struct frames frames;
    struct stored stored;
    struct pairs pairs;
    if (!saturate(job, saturation, &s))
        return;
    frames_init(&frames, job->rw, memory_of(saturation), job->mem);
    stored_init(&stored, &frames, job->mem, job->budget);
    pairs_init(&pairs, job->rw, &stored.order, s.rank, s.fixed, UINT32_MAX, job->mem, job->budget);
    job->out->stats.pairs = pairs.open.n;
    struct enumerate n = {
        .f = &frames, .s = &stored, .p = &pairs, .m = job->mem, .budget = job->budget, .stats = &job->out->stats};
    if (enumerate_run(&n)) {
        accept(job, &stored, &pairs);
        return;
    }
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.pattern = PATTERN_NoStoreOrder;
}
