/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle that names a violation of a model of transactions.
 *
 * An order of two writers that a path between them forced is replaced by that path. Let an order of v and w be forced
 * by a read r of w, since a path leads from v to r. If w came before v instead, r would have rw to v. This rw and that
 * path are a cycle, and name the forced order. The first such order of a refutation rests on no other one, and names it
 * all. Without one, the cycle of the refutation does. */
#include "evidence/evidence.h"

enum { MOST_REPLACED = 1000, DEEPEST = 100 };

struct visit {
    const struct evidence *ev;
    void (*step)(void *arg, const assay_step *step);
    void *arg;
    uint32_t replaced; /* paths, which may contain each other: after many, orders stay as they are */
};

static void walk(struct visit *v, uint32_t at, uint32_t count, uint32_t depth)
{
    for (uint32_t i = at; i < at + count; i++) {
        const assay_step *s = &v->ev->steps.at[i];
        const struct reason *r = s->rule == ASSAY_WW ? &v->ev->reasons.at[s->reason] : NULL;
        if (r && depth < DEEPEST && v->replaced++ < MOST_REPLACED)
            walk(v, r->path_at, r->path_count, depth + 1);
        else
            v->step(v->arg, s);
    }
}

void evidence_naming(const struct evidence *ev, void (*step)(void *arg, const assay_step *step), void *arg)
{
    struct visit v = {ev, step, arg, 0};
    for (uint32_t i = 0; i < ev->reasons.n; i++) {
        const struct reason *r = &ev->reasons.at[i];
        if (r->rule != ASSAY_CF)
            continue;
        assay_step back = {ASSAY_RW, r->read, r->from, ASSAY_NO_REASON};
        step(arg, &back);
        walk(&v, r->path_at, r->path_count, 0);
        return;
    }
    walk(&v, ev->cycle_at, ev->cycle_count, 0);
}
