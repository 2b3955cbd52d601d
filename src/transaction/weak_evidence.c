/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a violation of a weak level. */
#include "transaction/anomaly.h"
#include "transaction/shortest.h"

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
static uint32_t give_reason(const struct dependencies *d, struct evidence *ev, uint32_t forced)
{
    const struct forced *f = &d->forced.at[forced];
    struct steps path = premise(d, f);
    for (uint32_t i = 0; i < path.at.n; i++)
        put(ev, d->v, &path.at.at[i], ASSAY_NO_REASON);
    uint32_t to = f->to == TXN_INIT ? ASSAY_NO_OPERATION : d->v->op[f->to];
    return evidence_reason(ev, ASSAY_CF, d->v->op[f->from], to, d->v->op[f->read]);
}

static void explain_cycle(const struct dependencies *d, struct evidence *ev)
{
    struct steps cycle = shortest_cycle(d);
    uint32_t *reason = mem_new(d->m, uint32_t, (size_t)cycle.at.n + 1);
    for (uint32_t i = 0; i < cycle.at.n; i++)
        reason[i] = cycle.at.at[i].rule == ASSAY_CF ? give_reason(d, ev, cycle.at.at[i].forced) : ASSAY_NO_REASON;
    for (uint32_t i = 0; i < cycle.at.n; i++)
        put(ev, d->v, &cycle.at.at[i], reason[i]);
}

void dependencies_explain(struct dependencies *d, const struct job *job)
{
    struct evidence *ev = &job->out->evidence;
    if (d->two_sources != ID_NONE) {
        ev->pattern = PATTERN_NonRepeatableRead;
        ev->culprit = d->v->op[d->two_sources];
        return;
    }
    if (d->impossible != ID_NONE)
        give_reason(d, ev, d->impossible);
    else
        explain_cycle(d, ev);
    evidence_cycle(ev, PATTERN_NONE);
    anomaly_name(ev, d->v, job->model->conditions, d->m);
}
