/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a violation of a weak level, and the name of the anomaly.
 *
 * A cycle of facts is circular reading, or writes in contradictory orders. Else the forced orders of the cycle name it,
 * by the path that leads from the missed writer to the reader. If there are several, the one that the strongest level
 * forces counts, as the weaker levels do not forbid the cycle. */
#include "transaction/shortest.h"

static bool is_base(const struct step *s)
{
    return s->rule == ASSAY_PO || s->rule == ASSAY_RT;
}

/* The anomalies of an order that is forced by such a path, the weakest level's first. */
static enum pattern name_of_path(const struct steps *path, unsigned conditions)
{
    uint32_t n = path->at.n;
    if (conditions & COND_RC)
        return PATTERN_NonMonotonicRead;
    if (n == 1 && path->at.at[0].rule == ASSAY_WR)
        return PATTERN_FracturedRead;
    if (is_base(&path->at.at[n - 1]) && (n == 1 || (n == 2 && path->at.at[0].rule == ASSAY_WR)))
        return PATTERN_StaleRead;
    return PATTERN_CausalityViolation;
}

static uint32_t rank(enum pattern p)
{
    return p == PATTERN_FracturedRead ? 1 : p == PATTERN_StaleRead ? 2 : p == PATTERN_CausalityViolation ? 3 : 0;
}

static enum pattern later_of(enum pattern a, enum pattern b)
{
    return rank(b) > rank(a) ? b : a;
}

static enum pattern name_of_facts(const struct steps *cycle)
{
    for (uint32_t i = 0; i < cycle->at.n; i++)
        if (cycle->at.at[i].rule == ASSAY_WR)
            return PATTERN_CircularRead;
    return PATTERN_DirtyWrite;
}

static bool reads_from(const struct txn_view *v, uint32_t t, uint32_t source)
{
    for (uint32_t i = v->reads_at[t]; i < v->reads_at[t + 1]; i++)
        if (dependencies_source(v, &v->reads[i]) == source)
            return true;
    return false;
}

/* The premise of the level: of rc and ra one step. */
static struct steps premise(const struct dependencies *d, const struct forced *f)
{
    if (!reads_from(d->v, f->read, f->from))
        return shortest_path(d, f->from, f->read);
    struct steps one = {0};
    struct step step = {ASSAY_WR, f->from, f->read, ID_NONE};
    vec_push(d->m, &one.at, step);
    return one;
}

static void put(struct evidence *ev, const struct txn_view *v, const struct step *s, uint32_t reason)
{
    evidence_step(ev, s->rule, v->op[s->from], v->op[s->to], reason);
}

/* Adds the reason of a forced order. */
static uint32_t give_reason(const struct dependencies *d, const struct job *job, uint32_t forced, enum pattern *name)
{
    const struct forced *f = &d->forced.at[forced];
    struct evidence *ev = &job->out->evidence;
    struct steps path = premise(d, f);
    enum pattern own = name_of_path(&path, job->model->conditions);
    *name = *name == PATTERN_NONE ? own : later_of(*name, own);
    for (uint32_t i = 0; i < path.at.n; i++)
        put(ev, d->v, &path.at.at[i], ASSAY_NO_REASON);
    uint32_t to = f->to == TXN_INIT ? ASSAY_NO_OPERATION : d->v->op[f->to];
    return evidence_reason(ev, ASSAY_CF, d->v->op[f->from], to, d->v->op[f->read]);
}

static void explain_cycle(const struct dependencies *d, const struct job *job)
{
    struct steps cycle = shortest_cycle(d);
    enum pattern name = PATTERN_NONE;
    uint32_t *reason = mem_new(d->m, uint32_t, (size_t)cycle.at.n + 1);
    for (uint32_t i = 0; i < cycle.at.n; i++)
        reason[i] = cycle.at.at[i].rule == ASSAY_CF ? give_reason(d, job, cycle.at.at[i].forced, &name)
                                                    : ASSAY_NO_REASON;
    for (uint32_t i = 0; i < cycle.at.n; i++)
        put(&job->out->evidence, d->v, &cycle.at.at[i], reason[i]);
    evidence_cycle(&job->out->evidence, name ? name : name_of_facts(&cycle));
}

void dependencies_explain(struct dependencies *d, const struct job *job)
{
    struct evidence *ev = &job->out->evidence;
    enum pattern name = PATTERN_NONE;
    if (d->two_sources != ID_NONE) {
        ev->pattern = PATTERN_NonRepeatableRead;
        ev->culprit = d->v->op[d->two_sources];
    } else if (d->impossible != ID_NONE) {
        give_reason(d, job, d->impossible, &name);
        evidence_cycle(ev, name);
    } else {
        explain_cycle(d, job);
    }
}
