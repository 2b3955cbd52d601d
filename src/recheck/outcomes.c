/* SPDX-License-Identifier: Apache-2.0 */
/* An order of calls that may have several outcomes: is it legal with some of them? A removal may take a value of the
 * initial content, which may be any, or the first one that was added. Outcomes are tried depth first. Once the initial
 * content is used up there is one outcome only. So there are at most as many ways as calls. */
#include "recheck/object.h"
#include "recheck/retrace.h"

struct taken {
    unsigned next; /* outcome to be tried */
    bool changed;
    assay_saved saved;
};

struct replay {
    const struct object_view *v;
    const assay_spec *spec;
    const assay_call *calls;
    struct taken *taken;
    uint32_t n, furthest;
    struct retrace at;
};

/* Takes the next outcome of the call that is as recorded. */
static bool take(struct replay *r, uint32_t i)
{
    struct taken *t = &r->taken[i];
    for (unsigned n = hook_choices(r->spec, retrace_state(&r->at), &r->calls[i]); t->next < n;) {
        assay_value answer = {0};
        budget_tick(r->v->x->budget);
        assay_effect effect = retrace_step(&r->at, &r->calls[i], t->next++, &answer, &t->saved);
        t->changed = effect == ASSAY_CHANGED;
        bool unknown = r->calls[i].result.kind == ASSAY_NONE;
        if (effect != ASSAY_BLOCKED && (unknown || assay_value_same(answer, r->calls[i].result)))
            return true;
        if (t->changed)
            retrace_back(&r->at, &r->calls[i], &t->saved);
    }
    return false;
}

static bool replays(struct replay *r)
{
    uint32_t i = 0;
    r->taken[0].next = 0;
    while (i < r->n) {
        if (take(r, i)) {
            r->taken[++i].next = 0;
            continue;
        }
        r->furthest = i > r->furthest ? i : r->furthest;
        if (!i)
            return false;
        i--;
        if (r->taken[i].changed)
            retrace_back(&r->at, &r->calls[i], &r->taken[i].saved);
    }
    return true;
}

bool object_replays(const struct object_view *v, const struct object_part *part, const struct object_initials *initials,
                    const uint32_t *ops, uint32_t n)
{
    struct mem *m = v->x->mem;
    assay_call *calls = mem_new(m, assay_call, n + 1);
    for (uint32_t i = 0; i < n; i++)
        calls[i] = object_call(v, ops[i]);
    struct replay r = {v, part->use->spec, calls, mem_new(m, struct taken, n + 1), .n = n};
    bool legal = false;
    for (uint32_t i = 0; i < initials->n && !legal; i++) {
        retrace_begin(&r.at, r.spec, &initials->at[i], value_public(v->x->h, part->key), m);
        legal = replays(&r);
        retrace_end(&r.at);
    }
    return legal || refuse(v->x, "in the order, %s is not what the object does", operation_text(v->x, ops[r.furthest]));
}
