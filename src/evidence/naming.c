/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles that may name a violation of a model of transactions.
 *
 * The cycle of the refutation is one. An order of two writers that a path between them forced (ww) is replaced by that
 * path. Some steps rest on an order of writers that is forced since the opposite one closes a cycle. This cycle is one,
 * too: the model must forbid it.
 * - cf orders v before w, since a path leads from v to a read r of w. If w came before v, r would have rw to v.
 * - rw leads from a read of v to w, since a path leads from v to w. Otherwise w would have ww to v.
 * - Under si the path of a ww may begin at the begin of v, by rw, or end at the commit of w. ww does neither. If such a
 *   path has an rw beside it in the cycle, the ww is kept apart. Then the path and a ww from w to v are another cycle.
 *   But a path that is one rw stands between two writers of one key, and is as good as the ww. */
#include "evidence/evidence.h"

enum { MOST_REPLACED = 1000, DEEPEST = 100 };

struct visit {
    const struct evidence *ev;
    bool apart; /* keep orders that rw forces */
    void (*step)(void *arg, const assay_step *step);
    void *arg;
    uint32_t replaced; /* paths, which may contain each other: after many, orders stay as they are */
};

static bool forced_by_rw(const struct evidence *ev, const struct reason *ww)
{
    const assay_step *path = ev->steps.at + ww->path_at;
    return ww->path_count > 1 && (path[0].rule == ASSAY_RW || path[ww->path_count - 1].rule == ASSAY_RW);
}

static void walk(struct visit *v, uint32_t at, uint32_t count, uint32_t depth)
{
    for (uint32_t i = at; i < at + count; i++) {
        const assay_step *s = &v->ev->steps.at[i];
        const struct reason *r = s->rule == ASSAY_WW ? &v->ev->reasons.at[s->reason] : NULL;
        if (r && !(v->apart && forced_by_rw(v->ev, r)) && depth < DEEPEST && v->replaced++ < MOST_REPLACED)
            walk(v, r->path_at, r->path_count, depth + 1);
        else
            v->step(v->arg, s);
    }
}

bool evidence_may_name(const struct evidence *ev, unsigned level, uint32_t reason)
{
    const struct reason *r = &ev->reasons.at[reason];
    return r->rule == ASSAY_CF || (r->rule == ASSAY_RW && r->path_count) ||
           ((level & COND_SI) && r->rule == ASSAY_WW && forced_by_rw(ev, r));
}

void evidence_naming(const struct evidence *ev, struct naming_cycle by, void (*step)(void *arg, const assay_step *step),
                     void *arg)
{
    struct visit v = {ev, by.apart, step, arg, 0};
    if (by.reason == ASSAY_NO_REASON) {
        walk(&v, ev->cycle_at, ev->cycle_count, 0);
        return;
    }
    const struct reason *r = &ev->reasons.at[by.reason];
    assay_step back = {ASSAY_RW, r->read, r->from, ASSAY_NO_REASON};
    if (r->rule != ASSAY_CF)
        back = (assay_step){ASSAY_WW, r->to, ev->steps.at[r->path_at].from, ASSAY_NO_REASON};
    step(arg, &back);
    walk(&v, r->path_at, r->path_count, 0);
}

static void use(const struct evidence *ev, bool *used, uint32_t at, uint32_t count)
{
    for (uint32_t i = at; i < at + count; i++)
        if (ev->steps.at[i].reason != ASSAY_NO_REASON)
            used[ev->steps.at[i].reason] = true;
}

bool *evidence_used(const struct evidence *ev, const struct span *cycles, uint32_t count, struct mem *m)
{
    uint32_t n = ev->reasons.n;
    bool *used = mem_new_zero(m, bool, (size_t)n + 1);
    for (uint32_t c = 0; c < count; c++)
        use(ev, used, cycles[c].at, cycles[c].count);
    if (n && ev->reasons.at[n - 1].to == ASSAY_NO_OPERATION)
        used[n - 1] = true;
    for (uint32_t i = n; i-- > 0;) /* a path rests on smaller reasons only: one pass suffices */
        if (used[i])
            use(ev, used, ev->reasons.at[i].path_at, ev->reasons.at[i].path_count);
    return used;
}
