/* SPDX-License-Identifier: Apache-2.0 */
/* Why no linearization has the lifetimes that a scan found wrong: an observation without an add, or nothing was found
 * although something was there. */
#include "scan/fault.h"
#include "scan/lifetimes.h"
#include "spec/roles.h"

unsigned lifetime_add_op(const struct lifetime *v, struct online_fault *out, struct mem *m)
{
    struct online_op op = {v->add.called, v->add.returned, COLLECTION_ADD, v->value, {0}};
    return fault_op(out, m, &op);
}

static unsigned observation_op(const struct lifetime *v, struct lifetime_span s, bool peeks, struct online_fault *out,
                               struct mem *m)
{
    struct online_op op = {s.called, s.returned, peeks ? COLLECTION_PEEK : COLLECTION_REMOVE, {0}, v->value};
    return fault_op(out, m, &op);
}

unsigned lifetime_first_op(const struct lifetime *v, struct online_fault *out, struct mem *m)
{
    return observation_op(v, v->first, v->flags & LIFETIME_FIRST_PEEKS, out, m);
}

unsigned lifetime_last_op(const struct lifetime *v, struct online_fault *out, struct mem *m)
{
    return observation_op(v, v->last, v->flags & LIFETIME_LAST_PEEKS, out, m);
}

static uint64_t came_in(const struct lifetime *v)
{
    return v->flags & LIFETIME_SEEN && v->first.returned < v->add.returned ? v->first.returned : v->add.returned;
}

/* The step up to which the value was there; ONLINE_NEVER: it is still there. */
static uint64_t stayed(const struct lifetime *v)
{
    if (v->flags & LIFETIME_COUNTED)
        return ONLINE_NEVER;
    return v->last.called > v->add.called ? v->last.called : v->add.called;
}

static void say_there(const struct lifetime *v, uint64_t until, struct online_fault *out, struct mem *m)
{
    bool seen = came_in(v) < v->add.returned;
    unsigned add = lifetime_add_op(v, out, m), from = seen ? lifetime_first_op(v, out, m) : add;
    text_printf(&out->why, "the value of {%u} was there from the return of {%u} on", add, from);
    if (until == ONLINE_NEVER)
        text_printf(&out->why, ", and nobody has removed it by the return of {0}\n");
    else
        text_printf(&out->why, ", at least to the call of {%u}\n", lifetime_last_op(v, out, m));
}

static const struct lifetime *reaches_furthest(const struct lifetimes *l, uint64_t reach, lifetimes_filter counts,
                                               const void *arg)
{
    const struct lifetime *best = NULL;
    uint64_t furthest = reach;
    for (uint32_t i = 0; i < l->gone.n + l->all.n; i++) {
        const struct lifetime *v = i < l->gone.n ? &l->gone.at[i] : &l->all.at[i - l->gone.n];
        bool candidate = (i < l->gone.n || (v->refs && v->flags & LIFETIME_COUNTED)) && (!counts || counts(arg, v));
        if (!candidate || came_in(v) > reach || stayed(v) <= furthest)
            continue;
        best = v;
        furthest = stayed(v);
    }
    return best;
}

void lifetimes_explain_cover(const struct lifetimes *l, uint64_t from, uint64_t to, lifetimes_filter counts,
                             const void *arg, struct online_fault *out, struct mem *m)
{
    for (uint64_t reach = from; reach < to;) {
        const struct lifetime *v = reaches_furthest(l, reach, counts, arg);
        if (!v)
            break;
        reach = stayed(v);
        say_there(v, reach > to ? ONLINE_NEVER : reach, out, m);
    }
}

static void explain_empty(const struct lifetimes *l, unsigned nothing, struct online_fault *out, struct mem *m)
{
    out->pattern = "EmptyWhileFull";
    lifetimes_explain_cover(l, l->wrong_op.called, l->wrong_op.returned, NULL, NULL, out, m);
    text_printf(&out->why, "{%u} found nothing, but at every moment from its call to its return something was there\n",
                nothing);
}

/* Explains an observation of a value that is not bound. */
static void explain_unknown(const struct lifetimes *l, unsigned op, struct online_fault *out, struct mem *m)
{
    for (uint32_t i = 0; i < LIFETIMES_RECENT && i < l->recent_n; i++) {
        const struct lifetime *v = &l->recent[i];
        if (!value_same(v->value, l->wrong_op.result) || v->flags & LIFETIME_GIVEN_UP)
            continue;
        unsigned remove = observation_op(v, v->remove, false, out, m), add = lifetime_add_op(v, out, m);
        text_printf(&out->why, "{%u} removed the value of {%u} and returned before {%u} was called\n", remove, add, op);
        text_printf(&out->why, "nobody had added it again when {%u} returned it\n", op);
        out->pattern = l->wrong_op.method == COLLECTION_PEEK ? "SeenAfterRemoved" : "RemovedTwice";
        return;
    }
    text_printf(&out->why, "{%u} returned a value that nobody had added, or that was removed long before\n", op);
}

static void explain_lifetime(const struct lifetimes *l, struct online_fault *out, struct mem *m)
{
    const struct lifetime *v = &l->wrong_life;
    unsigned op = fault_op(out, m, &l->wrong_op);
    out->step = l->wrong_op.returned;
    switch (l->wrong) {
    case LIFETIMES_UNKNOWN: explain_unknown(l, op, out, m); break;
    case LIFETIMES_TWICE:
        out->pattern = "RemovedTwice";
        if (v->adds == 1) {
            bool is_first = v->remove.called == l->wrong_op.called;
            unsigned add = lifetime_add_op(v, out, m),
                     other = observation_op(v, is_first ? v->extra : v->remove, false, out, m);
            text_printf(&out->why, "{%u} and {%u} both returned the value of {%u}\n", other, op, add);
        }
        text_printf(&out->why, "when {%u} returned, the value had been removed more often than it had been added\n",
                    op);
        break;
    case LIFETIMES_SEEN_AFTER: {
        out->pattern = "SeenAfterRemoved";
        bool is_first = v->remove.returned < l->wrong_op.called;
        unsigned remove = observation_op(v, is_first ? v->remove : v->extra, false, out, m),
                 add = lifetime_add_op(v, out, m);
        text_printf(&out->why, "{%u} removed the value of {%u} and returned before {%u} was called, which found it\n",
                    remove, add, op);
        break;
    }
    case LIFETIMES_NOT_EMPTY: explain_empty(l, op, out, m); break;
    case LIFETIMES_BY_SCAN: break;
    }
}

void lifetimes_explain(void *state, struct online_fault *out, struct mem *m)
{
    const struct lifetimes *l = state;
    if (l->wrong == LIFETIMES_BY_SCAN)
        l->scan->explain(state, out, m);
    else
        explain_lifetime(l, out, m);
}
