/* SPDX-License-Identifier: Apache-2.0 */
#include "evidence/evidence.h"

#include <assert.h>

const char *pattern_name(enum pattern p)
{
    static const char *const names[] = {NULL,
#define X(ident, text) #ident,
#include "evidence/pattern.def"
#undef X
    };
    return names[p];
}

const char *pattern_text(enum pattern p)
{
    static const char *const texts[] = {NULL,
#define X(ident, text) text,
#include "evidence/pattern.def"
#undef X
    };
    return texts[p];
}

/* Steps that belong to no path yet are those behind the last reason's path. */
static uint32_t taken(const struct evidence *ev)
{
    if (!ev->reasons.n)
        return 0;
    const struct reason *last = &vec_last(&ev->reasons);
    return last->path_at + last->path_count;
}

void evidence_step(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t reason)
{
    assert((reason == ASSAY_NO_REASON) == rule_needs_no_reason(rule));
    assay_step step = {rule, from, to, reason};
    vec_push(ev->mem, &ev->steps, step);
}

uint32_t evidence_reason(struct evidence *ev, assay_rule rule, uint32_t from, uint32_t to, uint32_t read)
{
    uint32_t at = taken(ev);
    struct reason r = {rule, from, to, read, at, ev->steps.n - at};
    vec_push(ev->mem, &ev->reasons, r);
    return ev->reasons.n - 1;
}

void evidence_cycle(struct evidence *ev, enum pattern p)
{
    ev->cycle_at = taken(ev);
    ev->cycle_count = ev->steps.n - ev->cycle_at;
    ev->pattern = p;
}

void evidence_begin_order(struct evidence *ev, uint32_t thread)
{
    struct order o = {thread, ev->ops.n, 0};
    vec_push(ev->mem, &ev->orders, o);
}

bool evidence_present(const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (r->verdict == ASSAY_CONSISTENT)
        return ev->witness;
    return r->verdict == ASSAY_VIOLATION && (ev->cycle_count || ev->culprit != ASSAY_NO_OPERATION);
}
