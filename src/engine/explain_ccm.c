/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/explain_ccm.h"

#include "engine/explaining.h"

#include <assert.h>

struct pair_claim { /* the write `from` comes before `to` in the partial store order */
    uint32_t from, to;  /* from: RW_INIT for the initial write */
    uint32_t read;      /* of `to`, after `from`; ID_NONE: `from` precedes `to` itself */
    struct hb_path path;
};

struct ccm_explaining {
    struct explaining x;
    struct hb_reasons hb;
    const struct ccm *ccm;
    enum ccm_verdict verdict;
};

/* ---- the cycle ---- */

static void hb_edges(void *arg, struct paths *p, uint32_t e)
{
    const struct ccm *c = arg;
    explaining_offer_wr(p, c->c->v, e);
    for (uint32_t i = c->into.at[e]; i < c->into.at[e + 1]; i++)
        path_offer(p, c->into.list[i], e);
}

static void store_edges(void *arg, struct paths *p, uint32_t e)
{
    const struct ccm *c = arg;
    const struct rw *v = c->c->v;
    explaining_offer_wr(p, v, e);
    if (!(v->kind[e] & RW_WRITES))
        return;
    const uint32_t *need = partial_row(&c->store, e);
    for (uint32_t u = 0; u < v->k; u++)
        if (need[u])
            path_offer(p, v->base[u] + need[u] - 1, e);
}

/* ---- the pairs ---- */

static bool precedes(const struct ccm_explaining *y, uint32_t v, uint32_t w)
{
    return y->verdict == CCM_HB || pasts_before(&y->ccm->hb, v, w);
}

static struct hb_path hb_to(struct ccm_explaining *y, uint32_t from, uint32_t to)
{
    bool found = path_find(&y->x.paths, from, to, UINT32_MAX);
    assert(found);
    (void)found;
    return hb_reasons_keep(&y->hb);
}

/* False: they are no pair. */
static bool claim_pair(struct ccm_explaining *y, uint32_t from, uint32_t to, struct pair_claim *claim)
{
    const struct rw *v = y->x.v;
    *claim = (struct pair_claim){.from = from, .to = to, .read = ID_NONE};
    if (from == RW_INIT)
        return true;
    if (!(v->kind[from] & RW_WRITES) || v->var[from] != v->var[to])
        return false;
    if (!precedes(y, from, to)) {
        claim->read = explaining_reader(&y->x, &y->ccm->hb, from, to);
        if (claim->read == ID_NONE)
            return false;
    }
    claim->path = hb_to(y, from, claim->read == ID_NONE ? to : claim->read);
    return true;
}

/* An edge of the cycle is a pair, or leads from a read of a pair's first write to its second. */
static struct pair_claim claim_of(struct ccm_explaining *y, struct path_edge edge)
{
    struct pair_claim claim;
    if (!claim_pair(y, edge.from, edge.to, &claim)) {
        bool found = claim_pair(y, y->x.v->src[edge.from], edge.to, &claim);
        assert(found);
        (void)found;
    }
    return claim;
}

static struct ground pair_ground(struct ccm_explaining *y, const struct pair_claim *claim)
{
    const struct rw *v = y->x.v;
    bool cf = claim->read != ID_NONE;
    assay_rule rule = cf ? ASSAY_CF : ASSAY_WW;
    hb_reasons_path(&y->hb, claim->from, cf ? claim->read : claim->to, claim->path);
    return (struct ground){rule, evidence_reason(y->x.ev, rule, v->op[claim->from], v->op[claim->to],
                                                 cf ? v->op[claim->read] : ASSAY_NO_OPERATION)};
}

static struct ground ground_of(struct ccm_explaining *y, struct path_edge edge, const struct pair_claim *claim)
{
    const struct rw *v = y->x.v;
    if (claim->from != RW_INIT) {
        struct ground pair = pair_ground(y, claim);
        if (claim->from == edge.from)
            return pair;
        explaining_step(&y->x, pair.rule, claim->from, claim->to, pair.reason);
    }
    uint32_t read = v->op[edge.from];
    return (struct ground){ASSAY_RW, evidence_reason(y->x.ev, ASSAY_RW, read, v->op[edge.to], read)};
}

void explain_ccm(struct job *job, struct ccm *ccm, enum ccm_verdict verdict)
{
    struct ccm_explaining y = {.ccm = ccm, .verdict = verdict};
    struct paths cycle = {.causes = verdict == CCM_HB ? hb_edges : store_edges, .arg = ccm};
    explaining_begin(&y.x, job);
    hb_reasons_init(&y.hb, &y.x, ccm->force.edges.at, ccm->force.edges.n);
    paths_init(&cycle, y.x.paths.chains, job->mem);
    cycle_find(&cycle, ccm->sort.done, advance_on_cycle(&ccm->sort));
    const struct path_edge *edges = cycle.found.at;
    uint32_t count = cycle.found.n;
    struct pair_claim *claims = mem_new(job->mem, struct pair_claim, count);
    struct ground *grounds = mem_new(job->mem, struct ground, count);
    for (uint32_t i = 0; i < count; i++)
        if (!explaining_is_wr(&y.x, edges[i]))
            claims[i] = claim_of(&y, edges[i]);
    hb_reasons_write(&y.hb);
    for (uint32_t i = 0; i < count; i++)
        if (!explaining_is_wr(&y.x, edges[i]))
            grounds[i] = ground_of(&y, edges[i], &claims[i]);
    explaining_path(&y.x, edges[0].from, edges[0].from, edges, count, grounds);
    evidence_cycle(y.x.ev, PATTERN_ForcedCycle);
}
