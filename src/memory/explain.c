/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/explain.h"

#include "memory/accesses.h"
#include "memory/explaining.h"

#include <assert.h>

/* The cycle that a search found. */
static void cycle_steps(struct explaining *x, const struct paths *search, const struct ground *grounds,
                        enum pattern pattern)
{
    uint32_t start = search->found.at[0].from;
    explaining_path(x, start, start, search->found.at, search->found.n, grounds);
    evidence_cycle(x->ev, pattern);
}

/* The shortest path of po and wr, as steps. */
static void co_path(struct explaining *x, uint32_t from, uint32_t to)
{
    path_must_find(&x->paths, from, to);
    explaining_path(x, from, to, x->paths.found.at, x->paths.found.n, NULL);
}

/* ---- causal patterns ---- */

void explain_thin_air(struct job *job)
{
    job->out->verdict = ASSAY_VIOLATION;
    job->out->evidence.culprit = job->rw->op[job->rw->thin];
    job->out->evidence.pattern = PATTERN_ThinAirRead;
}

void explain_cyclic_co(struct job *job, const struct causal *c)
{
    struct explaining x;
    explaining_begin(&x, job);
    cycle_find(&x.paths, c->sort.done, advance_on_cycle(&c->sort));
    cycle_steps(&x, &x.paths, NULL, PATTERN_CyclicCO);
}

static uint32_t nearest_reader(struct explaining *x, const struct causal *c, uint32_t v, uint32_t w)
{
    uint32_t reader = explaining_reader(x, &c->past, v, w);
    assert(reader != ID_NONE);
    return reader;
}

static uint32_t initial_reader(const struct causal *c, uint32_t later)
{
    const struct rw *v = c->v;
    for (uint32_t e = 0; e < v->n; e++)
        if ((v->kind[e] & RW_READS) && v->src[e] == RW_INIT && v->var[e] == v->var[later] && causal_before(c, later, e))
            return e;
    assert(!"some read of the initial value comes after it");
    return ID_NONE;
}

void explain_write_co_read(struct job *job, const struct causal *c, uint32_t source, uint32_t later)
{
    struct explaining x;
    explaining_begin(&x, job);
    bool initial = source == RW_INIT;
    uint32_t read = initial ? initial_reader(c, later) : nearest_reader(&x, c, later, source);
    if (!initial)
        co_path(&x, source, later);
    uint32_t op = x.v->op[read];
    uint32_t reason = evidence_reason(x.ev, ASSAY_RW, op, x.v->op[later], op);
    explaining_step(&x, ASSAY_RW, read, later, reason);
    co_path(&x, later, read);
    evidence_cycle(x.ev, initial ? PATTERN_WriteCOInitRead : PATTERN_WriteCORead);
}

struct cf_search {
    const struct explaining *x;
    const struct causal *c;
};

static void cf_causes(void *arg, struct paths *p, uint32_t e)
{
    const struct cf_search *search = arg;
    const struct causal *c = search->c;
    const struct rw *v = c->v;
    explaining_offer(search->x, p, e);
    for (const struct demand *d = causal_demands_of(c, e); d->thread != ID_NONE; d++)
        path_offer(p, v->base[d->thread] + d->count - 1, e);
}

void explain_cyclic_cf(struct job *job, const struct causal *c, const struct advance *sort)
{
    struct explaining x;
    struct cf_search search = {&x, c};
    struct paths cycle = {.causes = cf_causes, .arg = &search};
    explaining_begin(&x, job);
    paths_init(&cycle, x.paths.chains, job->mem);
    cycle_find(&cycle, sort->done, advance_on_cycle(sort));
    struct ground *grounds = mem_new(job->mem, struct ground, cycle.found.n);
    for (uint32_t i = 0; i < cycle.found.n; i++) {
        struct path_edge edge = cycle.found.at[i];
        if (explaining_is_fact(&x, edge, &grounds[i]))
            continue;
        uint32_t read = nearest_reader(&x, c, edge.from, edge.to);
        co_path(&x, edge.from, read);
        uint32_t reason = evidence_reason(x.ev, ASSAY_CF, x.v->op[edge.from], x.v->op[edge.to], x.v->op[read]);
        grounds[i] = (struct ground){ASSAY_CF, reason};
    }
    cycle_steps(&x, &cycle, grounds, PATTERN_CyclicCF);
}

/* ---- the observations of one thread ---- */

bool explain_observation(struct job *job, const struct observe *o, enum observation found, uint32_t read,
                         uint32_t later)
{
    struct explaining x;
    struct hb_reasons h;
    if (found == OBSERVED_FINE)
        return false;
    explaining_begin(&x, job);
    hb_reasons_init(&h, &x, o->force.edges.at, o->force.edges.n);
    if (found == OBSERVED_CYCLE)
        hb_reasons_cycle(&h, o->sort.done, o->force.on_cycle, PATTERN_CyclicHB);
    else
        hb_reasons_initial(&h, read, later, PATTERN_WriteHBInitRead);
    return true;
}

/* ---- witnesses ---- */

void explain_order(struct job *job, uint32_t thread, const uint32_t *events, uint32_t count)
{
    const struct rw *v = job->rw;
    evidence_begin_order(&job->out->evidence, thread);
    for (uint32_t i = 0; i < count; i++)
        if (v->kind[events[i]] & (RW_READS | RW_WRITES))
            evidence_place(&job->out->evidence, v->op[events[i]]);
    if (thread != ASSAY_NO_THREAD && v->base[thread] == v->base[thread + 1])
        (void)vec_pop(&job->out->evidence.orders); /* a thread that did nothing observes nothing */
}

/* Of each value: how many events, and initial values, can be the source of a read of it. */
static uint32_t *possible_sources(const struct job *job, const struct rw *v, const struct accesses *a)
{
    uint32_t *count = mem_new_zero(job->mem, uint32_t, a->count);
    for (uint32_t x = 0; x < v->d; x++)
        count[a->initial[x]]++;
    for (uint32_t e = 0; e < v->n; e++)
        if (v->kind[e] & RW_WRITES)
            count[a->written[e]]++;
    return count;
}

void explain_sources(struct job *job, const struct rw *v, const uint32_t *src)
{
    struct accesses a = accesses_of(job->h, v, false, job->mem);
    uint32_t *count = possible_sources(job, v, &a);
    for (uint32_t e = 0; e < v->n; e++) {
        bool rmw = v->kind[e] == (RW_READS | RW_WRITES); /* it may write the value that it reads, and is no candidate */
        if ((job->rw->kind[e] & RW_READS) && (rmw || count[a.read[e]] > 1))
            evidence_source(&job->out->evidence, src[e] == RW_INIT ? ASSAY_NO_OPERATION : v->op[src[e]], v->op[e]);
    }
    mem_free(job->mem, count);
    accesses_free(&a, job->mem);
}
