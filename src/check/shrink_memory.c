/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of a memory: a read, or a write together with all its readers. So a set of operations can be kept iff it holds
 * the source of each of its reads, and the writes that @final names. The operations that the refutation names, with
 * their sources, are such a set. The refutation holds in this set as it stands, unless it rests on something that it
 * does not name; then all are kept. */
#include "check/shrink.h"

#include <string.h>

static uint32_t source_of(const struct shrinking *s, uint32_t op)
{
    uint32_t e = s->cuts.memory.event_of[op];
    bool has = (s->cuts.memory.rw->kind[e] & RW_READS) && s->cuts.memory.rw->src[e] < RW_THIN;
    return has ? s->cuts.memory.rw->op[s->cuts.memory.rw->src[e]] : ASSAY_NO_OPERATION;
}

static void want(struct shrinking *s, uint32_t op)
{
    while (op != ASSAY_NO_OPERATION && !s->keep[op]) { /* an rmw's source may be an rmw */
        s->keep[op] = true;
        op = source_of(s, op);
    }
}

/* The declared last write of variable x, or ASSAY_NO_OPERATION; for models that use these. */
static uint32_t final_of(const struct shrinking *s, uint32_t x)
{
    const struct rw *rw = s->cuts.memory.rw;
    return rw->final && rw->final[x] < RW_UNSAID ? rw->op[rw->final[x]] : ASSAY_NO_OPERATION;
}

static void want_finals(struct shrinking *s)
{
    for (uint32_t x = 0; x < s->cuts.memory.rw->d; x++)
        want(s, final_of(s, x));
}

static bool keeps_finals(const struct shrinking *s, const bool *keep)
{
    for (uint32_t x = 0; x < s->cuts.memory.rw->d; x++)
        if (final_of(s, x) != ASSAY_NO_OPERATION && !keep[final_of(s, x)])
            return false;
    return true;
}

/* Drops reads whose source was cut, until none is left. */
static void drop_orphans(const struct shrinking *s, bool *keep)
{
    for (bool again = true; again;) {
        again = false;
        for (uint32_t o = 0; o < s->r->h->n; o++) {
            uint32_t source = keep[o] ? source_of(s, o) : ASSAY_NO_OPERATION;
            if (source != ASSAY_NO_OPERATION && !keep[source]) {
                keep[o] = false;
                again = true;
            }
        }
    }
}

static bool close(const struct shrinking *s, bool *keep)
{
    drop_orphans(s, keep);
    return keeps_finals(s, keep);
}

void shrink_memory(struct shrinking *s)
{
    const history *h = s->r->h;
    s->cuts.memory.rw = rw_view(h, s->r->model->conditions & COND_TOTAL, &s->mem);
    s->cuts.memory.event_of = rw_event_of(s->cuts.memory.rw, &s->mem);
    s->close = close;
    s->keep = mem_new_zero(&s->mem, bool, h->n + 1);
    shrink_by_operations(s, h);
    shrink_refutation(s, want);
    want_finals(s);
    if (!shrink_still_violates(s, s->keep))
        memset(s->keep, true, h->n * sizeof *s->keep);
}
