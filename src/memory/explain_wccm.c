/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/explain_ccm.h"

#include "memory/explain_store.h"
#include "memory/readers.h"

struct wccm_explaining {
    struct explaining x[2]; /* along ppo, along po on each variable */
    struct hb_reasons hb;
    struct store_cycle cycle;
    const struct wccm *w;
    struct groups readers; /* the last ones */
};

/* From now on hb of one order is searched. */
static struct explaining *look_at_hb(struct wccm_explaining *y, uint32_t which)
{
    const struct wccm *w = y->w;
    bool ppo = which == WCCM_PPO;
    hb_reasons_look(&y->hb, &y->x[which], ppo ? 0 : w->split, ppo ? w->split : w->force.edges.n);
    return &y->x[which];
}

/* From now on whb is, which between writes goes along ppo (memory/wccm.h). */
static struct explaining *look_at_whb(struct wccm_explaining *y)
{
    hb_reasons_look(&y->hb, &y->x[WCCM_PPO], 0, y->w->force.edges.n);
    return &y->x[WCCM_PPO];
}

static bool keep(struct wccm_explaining *y, struct explaining *x, uint32_t to, struct store_pair *pair)
{
    if (!path_find(&x->paths, pair->from, to, UINT32_MAX))
        return false;
    pair->path = hb_reasons_keep(&y->hb);
    return true;
}

static bool explain(void *arg, struct store_pair *pair)
{
    struct wccm_explaining *y = arg;
    const struct rw *v = y->w->v;
    if (keep(y, look_at_whb(y), pair->to, pair))
        return true;
    for (uint32_t i = y->readers.at[pair->to]; i < y->readers.at[pair->to + 1]; i++) {
        pair->read = y->readers.list[i];
        if (v->thread[pair->read] == v->thread[pair->to])
            continue; /* the reads of cf are those of other threads */
        if (keep(y, look_at_hb(y, WCCM_PPO), pair->read, pair) || keep(y, look_at_hb(y, WCCM_LOC), pair->read, pair))
            return true;
    }
    return false;
}

static void explain_store(struct wccm_explaining *y)
{
    const struct wccm *w = y->w;
    struct paths search = {.causes = store_cycle_causes, .arg = &y->cycle};
    y->readers = last_readers(w->v, w->m);
    y->cycle = (struct store_cycle){&y->x[w->which], &y->hb, &w->store, explain, y};
    paths_init(&search, y->cycle.x->paths.chains, w->m);
    cycle_find(&search, w->sort.done, wccm_on_cycle(w));
    store_cycle_write(&y->cycle, search.found.at, search.found.n);
}

void explain_wccm(struct job *job, struct wccm *w, enum wccm_verdict verdict)
{
    struct wccm_explaining y = {.w = w};
    explaining_begin_frame(&y.x[WCCM_PPO], job, &w->frames.frame[WCCM_PPO], ASSAY_PPO);
    explaining_begin_frame(&y.x[WCCM_LOC], job, &w->frames.frame[WCCM_LOC], ASSAY_LOC);
    hb_reasons_init_two(&y.hb, y.x, w->force.edges.at, w->force.edges.n, w->split);
    if (verdict == WCCM_STORE) {
        explain_store(&y);
        return;
    }
    struct explaining *x = verdict == WCCM_WHB ? look_at_whb(&y) : look_at_hb(&y, w->which);
    const uint32_t *nothing = mem_new_zero(job->mem, uint32_t, x->paths.chains.count);
    if (verdict == WCCM_OBSERVED && w->found == OBSERVED_INITIAL)
        hb_reasons_initial(&y.hb, w->read, w->later, PATTERN_ForcedCycle);
    else
        hb_reasons_cycle(&y.hb, nothing, verdict == WCCM_WHB ? wccm_on_cycle(w) : w->force.on_cycle,
                         PATTERN_ForcedCycle);
}
