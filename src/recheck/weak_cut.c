/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a cut of weak consistency leaves out: has every operation that is kept the same result without them?
 *
 * Take an explanation of the history, or of its prefix. Restrict order and visibility to the calls that are kept. The
 * order still extends happens-before. An axiom vis >= path still holds: a path through kept calls was a path before. So
 * its last call saw the first one, and both are kept. Only the results are left to be explained.
 *
 * An operation x executes the calls that it sees, one after another, and then itself. Calls that change nothing may go.
 * The other calls that are left out go one by one. Let y be the next of them. x does not need it if x happens before y,
 * so that it cannot see it, or for a reason of the object:
 *   register, memory    x read w, y writes another value, and x may see only reads and writes. The last write of the
 *                       variable that x sees is one of w, not y.
 *   set, multiset, map  y is about another key than x.
 *   queue               x got w, y adds, and each call that adds w happens before y. The w that x got was in the queue
 *                       from its addition on, and y behind it. So each removal before x found a value before that w, or
 *                       came before that w and so before y.
 *   stack               x got w, y adds, and happens before each call that adds w. After the addition of the w that x
 *                       got, all values above it came and went, and the values below did not matter.
 *   priority queue      x got w, and y adds a smaller number. Without y, there is always the same in the queue, or one
 *                       number less, which is at most that of y. A removal that would get this number gets one that is
 *                       not greater, or nothing.
 *   these three         x found nothing, and y adds. Without y there is always the same, or one value less. Or x adds.
 * These objects never block a call. So an operation of theirs without a result needs nothing. Where a call can be
 * blocked, each one that is seen needs the others, and so does an operation without a result.
 *
 * The reasons are about all calls that x may see, not about the calls that are still there. So they hold for the next
 * one, too. In a prefix, an operation that returned no earlier than the culprit may be taken for an open one. If its
 * result needs a call that is left out, it is taken for one that has none. */
#include "recheck/weak_axioms.h"

#include "spec/roles.h"

enum family { CELLS, KEYS, QUEUE, STACK, PQUEUE, UNKNOWN };

struct leaving {
    const struct object_view *v;
    const struct object_use *use;
    enum family family;
    const struct object_cut *cut;
    assay_call *left; /* the calls that are left out and may change something */
    uint32_t left_n;
    /* of the kept operation at hand: */
    const assay_call *x;
    bool swaps;       /* it compares the value, or may see a call that does */
    uint32_t *adders; /* of its result, as far as it may see them */
    uint32_t adder_n;
};

static enum family family_of(const struct object_use *use)
{
    const assay_spec *s = use->spec;
    if (spec_is(s, "register") || spec_is(s, "cas-register") || spec_is(s, "memory"))
        return CELLS;
    if (spec_is(s, "set") || spec_is(s, "multiset") || spec_is(s, "map"))
        return KEYS;
    if (use->setting.parameter.kind != ASSAY_NONE)
        return UNKNOWN;
    return spec_is(s, "queue") ? QUEUE : spec_is(s, "stack") ? STACK : spec_is(s, "pqueue") ? PQUEUE : UNKNOWN;
}

static bool is_collection(const struct leaving *l)
{
    return l->family == QUEUE || l->family == STACK || l->family == PQUEUE;
}

static bool before(const struct leaving *l, const assay_call *a, const assay_call *b)
{
    return object_before(l->v, a->operation, b->operation);
}

/* ---- the kept operation at hand ---- */

static void take_seen(struct leaving *l, const assay_call *z)
{
    if (z->operation != l->x->operation && before(l, l->x, z))
        return;
    l->swaps |= l->family == CELLS && z->method == REGISTER_CAS; /* the number of rmw, too */
    if (is_collection(l) && z->method == COLLECTION_ADD && assay_value_same(z->args[0], l->x->result))
        l->adders[l->adder_n++] = z->operation;
}

static void turn_to(struct leaving *l, const assay_call *x)
{
    l->x = x;
    l->swaps = false;
    l->adder_n = 0;
    for (uint32_t i = 0; i < l->cut->n; i++)
        take_seen(l, &l->cut->calls[i]);
    for (uint32_t i = 0; i < l->left_n; i++)
        take_seen(l, &l->left[i]);
}

/* ---- does it need y? ---- */

static bool same_key(const struct leaving *l, const assay_call *y)
{
    const struct objects *o = &l->v->objects;
    bool keyed = objects_method(o, l->x->operation)->key == 0 && objects_method(o, y->operation)->key == 0;
    return !keyed || assay_value_same(l->x->args[0], y->args[0]);
}

static bool is_initial(const struct leaving *l, assay_value w)
{
    for (size_t i = 0; i < l->use->setting.init_count; i++)
        if (assay_value_same(l->use->setting.init[i].value, w))
            return true;
    return false;
}

/* y adds, and x got a value. */
static bool is_in_the_way(const struct leaving *l, const assay_call *y)
{
    if (l->family == PQUEUE)
        return l->x->result.kind != ASSAY_INT || y->args[0].integer >= l->x->result.integer;
    if (l->family == STACK && is_initial(l, l->x->result))
        return true;
    for (uint32_t i = 0; i < l->adder_n; i++)
        if (!(l->family == QUEUE ? object_before(l->v, l->adders[i], y->operation)
                                 : object_before(l->v, y->operation, l->adders[i])))
            return true;
    return false;
}

static bool needs(const struct leaving *l, const assay_call *y)
{
    bool told = l->x->result.kind != ASSAY_NONE;
    if (before(l, l->x, y))
        return false;
    if (l->family == UNKNOWN || l->swaps)
        return told || spec_may_block(l->use->spec);
    if (!told)
        return false;
    switch (l->family) {
    case CELLS: return same_key(l, y) && assay_value_same(y->args[y->arg_count - 1], l->x->result);
    case KEYS: return same_key(l, y);
    default: break;
    }
    if (l->x->method == COLLECTION_ADD)
        return false;
    if (y->method != COLLECTION_ADD)
        return true;
    return !assay_value_same(l->x->result, assay_word("empty")) && is_in_the_way(l, y);
}

/* The first call left out that the operation at hand needs, or NULL. */
static const assay_call *needed(const struct leaving *l)
{
    for (uint32_t i = 0; i < l->left_n; i++) {
        budget_tick(l->v->x->budget);
        if (needs(l, &l->left[i]))
            return &l->left[i];
    }
    return NULL;
}

/* ---- the cut ---- */

static bool may_be_open(const struct object_view *v, uint32_t op)
{
    const struct evidence *ev = &v->x->line->evidence;
    return ev->prefix && op != ev->culprit && v->x->h->ret[op] >= v->x->h->ret[ev->culprit];
}

bool recheck_weak_cut(const struct object_view *v, struct object_cut *cut, const uint32_t *left, uint32_t n)
{
    struct recheck *x = v->x;
    struct leaving l = {.v = v, .use = cut->parts->use, .family = family_of(cut->parts->use), .cut = cut};
    l.left = mem_new(x->mem, assay_call, n + 1);
    l.adders = mem_new(x->mem, uint32_t, (size_t)n + cut->n + 1);
    for (uint32_t i = 0; i < n; i++) {
        assay_call call = object_call(v, left[i]);
        if (!spec_is_observer(l.use->spec, &call))
            l.left[l.left_n++] = call;
    }
    for (uint32_t i = 0; i < cut->n && l.left_n; i++) {
        turn_to(&l, &cut->calls[i]);
        const assay_call *y = needed(&l);
        if (y && may_be_open(v, cut->ops[i])) {
            cut->pending[i] = true;
            cut->calls[i].result = (assay_value){0};
            y = needed(&l);
        }
        if (y)
            return refuse(x, "%s cannot be left out: %s may depend on it", operation_text(x, y->operation),
                          operation_text(x, cut->ops[i]));
    }
    mem_free(x->mem, l.left);
    mem_free(x->mem, l.adders);
    return true;
}
