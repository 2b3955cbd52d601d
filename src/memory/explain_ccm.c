/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/explain_ccm.h"

#include "memory/explain_store.h"

struct ccm_explaining {
    struct explaining x;
    struct hb_reasons hb;
    struct store_cycle cycle;
    const struct ccm *ccm;
    enum ccm_verdict verdict;
};

static void hb_edges(void *arg, struct paths *p, uint32_t e)
{
    const struct ccm_explaining *y = arg;
    explaining_offer(&y->x, p, e);
    for (uint32_t i = y->ccm->into.at[e]; i < y->ccm->into.at[e + 1]; i++)
        path_offer(p, y->ccm->into.list[i], e);
}

static bool precedes(const struct ccm_explaining *y, uint32_t v, uint32_t w)
{
    return y->verdict == CCM_HB || pasts_before(&y->ccm->hb, v, w);
}

static bool explain(void *arg, struct store_pair *pair)
{
    struct ccm_explaining *y = arg;
    if (!precedes(y, pair->from, pair->to)) {
        pair->read = explaining_reader(&y->x, &y->ccm->hb, pair->from, pair->to);
        if (pair->read == ID_NONE)
            return false;
    }
    path_must_find(&y->x.paths, pair->from, pair->read == ID_NONE ? pair->to : pair->read);
    pair->path = hb_reasons_keep(&y->hb);
    return true;
}

void explain_ccm(struct job *job, struct ccm *ccm, enum ccm_verdict verdict)
{
    struct ccm_explaining y = {.ccm = ccm, .verdict = verdict};
    struct paths search = {0};
    explaining_begin(&y.x, job);
    hb_reasons_init(&y.hb, &y.x, ccm->force.edges.at, ccm->force.edges.n);
    y.cycle = (struct store_cycle){&y.x, &y.hb, &ccm->store, explain, &y};
    search.causes = verdict == CCM_HB ? hb_edges : store_cycle_causes;
    search.arg = verdict == CCM_HB ? (void *)&y : (void *)&y.cycle;
    paths_init(&search, y.x.paths.chains, job->mem);
    cycle_find(&search, ccm->sort.done, advance_on_cycle(&ccm->sort));
    store_cycle_write(&y.cycle, search.found.at, search.found.n);
}
