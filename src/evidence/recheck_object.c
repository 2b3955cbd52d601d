/* SPDX-License-Identifier: Apache-2.0 */
/* Evidence about objects.
 *
 * Consistent: one order per part. Each completed operation stands in exactly one order, together with the other
 * operations of its part and no others; each order is a legal sequence of the object with the results recorded, and
 * nothing in it happens before what stands earlier. That the parts may be judged one by one is the locality of
 * linearizability. For weak consistency the part is the whole object, and results are another matter (recheck_weak.c).
 * Violation: a cut of one part. That the cut is allowed is checked here, call by call, against what the specification
 * says of them; that it has no linearization, by a search (recheck_search.c,
 * recheck_weak_search.c). */
#include "evidence/recheck_object.h"

#include "evidence/recheck_weak.h"

#include <string.h>

/* ---- the view ---- */

bool object_same_part(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    uint32_t object = v->objects.of ? v->objects.of[a] : 0;
    if (object != (v->objects.of ? v->objects.of[b] : 0))
        return false;
    if (!v->keyed[object])
        return true;
    int key_a = objects_method(&v->objects, a)->key, key_b = objects_method(&v->objects, b)->key;
    return key_a >= 0 && key_b >= 0 &&
           value_same(history_arg(h, a, (uint32_t)key_a), history_arg(h, b, (uint32_t)key_b));
}

/* Is one time earlier than another by more than twice the skew? The clocks of both may be wrong. */
static bool surely_earlier(const struct object_view *v, int64_t a, int64_t b)
{
    return a < b && (uint64_t)b - (uint64_t)a > 2 * (uint64_t)v->x->line->skew;
}

static bool returned_before(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    return !history_pending(h, a) && surely_earlier(v, h->ret[a], h->call[b]);
}

bool object_before(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    if (h->thread[a] == h->thread[b])
        return v->index[a] < v->index[b];
    if (!v->real_time)
        return false;
    return h->call ? returned_before(v, a, b)
                   : v->past[(size_t)b * h->threads.n + h->thread[a]] > v->index[a];
}

assay_call object_call(const struct object_view *v, uint32_t op)
{
    const history *h = v->x->h;
    assay_value *args = mem_new(v->x->mem, assay_value, h->arity[op] + 1u);
    for (uint32_t i = 0; i < h->arity[op]; i++)
        args[i] = value_public(h, history_arg(h, op, i));
    return (assay_call){.method = objects_method(&v->objects, op)->id,
                        .arg_count = h->arity[op],
                        .args = args,
                        .result = value_public(h, history_result(h, op)),
                        .operation = op,
                        .thread = h->thread[op]};
}

/* Closes what is recorded by `after`: again and again, until nothing is new. */
static void close_past(struct object_view *v, const struct groups *by)
{
    const history *h = v->x->h;
    uint32_t k = h->threads.n;
    v->past = mem_new_zero(v->x->mem, uint32_t, mem_product(h->n, k));
    for (uint32_t o = 0; o < h->n; o++) {
        v->past[(size_t)o * k + h->thread[o]] = v->index[o];
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++) {
            uint32_t *known = &v->past[(size_t)o * k + h->after.at[i].thread];
            *known = *known > h->after.at[i].count ? *known : h->after.at[i].count;
        }
    }
    for (bool again = true; again;) {
        again = false;
        for (uint32_t o = 0; o < h->n; o++)
            for (uint32_t t = 0; t < k; t++) {
                uint32_t count = v->past[(size_t)o * k + t];
                budget_tick(v->x->budget);
                if (!count)
                    continue;
                const uint32_t *theirs = v->past + (size_t)by->list[by->at[t] + count - 1] * k;
                for (uint32_t u = 0; u < k; u++)
                    if (theirs[u] > v->past[(size_t)o * k + u]) {
                        v->past[(size_t)o * k + u] = theirs[u];
                        again = true;
                    }
            }
    }
}

static bool look(struct object_view *v, const assay_spec *own)
{
    struct recheck *x = v->x;
    const history *h = x->h;
    size_t length = strcspn(x->line->object, "("); /* what is in parentheses is its parameter */
    bool is_own = own && strlen(own->name) == length && memcmp(own->name, x->line->object, length) == 0;
    struct object_choice choice = {x->line->object[0] ? x->line->object : NULL, is_own ? own : NULL};
    if (!objects_of(h, choice, x->mem, &v->objects, x->error))
        return false;
    bool local = x->conditions & COND_LIN, timed = history_times(h) != TIMES_NONE;
    v->real_time = local || ((x->conditions & COND_WEAK) && timed);
    if (local && h->n && !timed)
        return refuse(x, "the history has no real time");
    if (!local && v->objects.n > 1)
        return refuse(x, "the history has several objects");
    if ((x->line->model->needs & NEED_NO_MEMORY) && objects_all(&v->objects, &spec_memory))
        return refuse(x, "%s says nothing of a memory", x->line->model->name);
    if (h->final.n)
        return refuse(x, "the history has @final values");
    v->keyed = mem_new(x->mem, bool, v->objects.n);
    memset(v->keyed, local, v->objects.n * sizeof *v->keyed);
    v->index = mem_new(x->mem, uint32_t, h->n + 1);
    struct groups by = history_by_thread(h, x->mem);
    for (uint32_t t = 0; t < h->threads.n; t++)
        for (uint32_t i = by.at[t]; i < by.at[t + 1]; i++)
            v->index[by.list[i]] = i - by.at[t];
    for (uint32_t o = 0; o < h->n; o++)
        if (objects_method(&v->objects, o)->key == ASSAY_NO_KEY)
            v->keyed[v->objects.of ? v->objects.of[o] : 0] = false;
    if (v->real_time && history_times(h) == TIMES_AFTER)
        close_past(v, &by);
    return true;
}

/* ---- consistent ---- */

/* Nothing happens before what stands earlier. With times it is enough to compare each return with the latest call so
 * far; program order and recorded knowledge are compared thread by thread. */
static bool order_respected(const struct object_view *v, const uint32_t *ops, uint32_t n)
{
    const history *h = v->x->h;
    uint32_t k = h->threads.n, *last = mem_new(v->x->mem, uint32_t, k + 1), latest = ID_NONE;
    memset(last, 0xFF, (k + 1) * sizeof *last);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t op = ops[i], wrong = ID_NONE, *mine = &last[h->thread[op]];
        if (*mine != ID_NONE && v->index[*mine] > v->index[op])
            wrong = *mine;
        if (h->call && v->real_time && latest != ID_NONE && returned_before(v, op, latest))
            wrong = latest;
        for (uint32_t t = 0; v->past && t < k; t++)
            if (last[t] != ID_NONE && object_before(v, op, last[t]))
                wrong = last[t];
        if (wrong != ID_NONE)
            return refuse(v->x, "the order has %s before %s, which happens before it",
                          operation_text(v->x, wrong), operation_text(v->x, op));
        *mine = op;
        if (h->call && (latest == ID_NONE || h->call[op] > h->call[latest]))
            latest = op;
    }
    mem_free(v->x->mem, last);
    return true;
}

static bool legal(const struct object_view *v, const uint32_t *ops, uint32_t n)
{
    struct recheck *x = v->x;
    const struct object_use *use = objects_use(&v->objects, ops[0]);
    const assay_method *first = objects_method(&v->objects, ops[0]);
    struct value key = {0};
    if (v->keyed[use - v->objects.at])
        key = history_arg(x->h, ops[0], (uint32_t)first->key);
    void *state = use->spec->create(&use->setting, value_public(x->h, key), (assay_memory *)x->mem);
    for (uint32_t i = 0; i < n; i++) {
        assay_call call = object_call(v, ops[i]);
        assay_value answer = {0};
        assay_saved saved;
        assay_effect effect = ASSAY_BLOCKED;
        bool fits = false;
        unsigned choices = use->spec->choices ? use->spec->choices(state, &call) : 1;
        if (choices > 1)
            return refuse(x, "recheck cannot replay an object whose calls have several outcomes");
        effect = use->spec->step(state, &call, 0, &answer, &saved);
        fits = call.result.kind == ASSAY_NONE || assay_value_same(call.result, answer);
        if (effect == ASSAY_BLOCKED || !fits)
            return refuse(x, "in the order, %s is not what the object does", operation_text(x, ops[i]));
        mem_free(x->mem, (void *)call.args);
    }
    use->spec->destroy(state, (assay_memory *)x->mem);
    return true;
}

/* An exchanger's order has partners side by side: two that give each other what they return, and overlap. */
static bool partners(const struct object_view *v, uint32_t a, uint32_t b)
{
    assay_call left = object_call(v, a), right = object_call(v, b);
    bool fits = left.result.kind == ASSAY_NONE || assay_value_same(left.result, right.args[0]);
    fits &= right.result.kind == ASSAY_NONE || assay_value_same(right.result, left.args[0]);
    return fits && !object_before(v, a, b) && !object_before(v, b, a);
}

static bool exchanged(const struct object_view *v, const uint32_t *ops, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        assay_call call = object_call(v, ops[i]);
        bool alone = call.result.kind == ASSAY_WORD && assay_value_same(call.result, assay_word("null"));
        if (alone)
            continue;
        if (i + 1 == n || !partners(v, ops[i], ops[i + 1]))
            return refuse(v->x, "in the order, %s has no partner beside it", operation_text(v->x, ops[i]));
        i++;
    }
    return true;
}

/* The order holds operations of one part. */
static bool one_part(const struct object_view *v, const uint32_t *ops, uint32_t n, bool *placed)
{
    struct recheck *x = v->x;
    for (uint32_t i = 0; i < n; i++) {
        if (ops[i] >= x->h->n)
            return refuse(x, "the order names operation %u, but the history has only %u", ops[i], x->h->n);
        if (placed[ops[i]])
            return refuse(x, "%s is placed twice", operation_text(x, ops[i]));
        placed[ops[i]] = true;
        if (!object_counts(v, ops[i]) || !object_same_part(v, ops[0], ops[i]))
            return refuse(x, "the order mixes %s and %s, which are of different objects or keys",
                          operation_text(x, ops[0]), operation_text(x, ops[i]));
    }
    return true;
}

/* Two orders of one part would be two objects where there is one. */
static bool parts_differ(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    struct mem *m = v->x->mem;
    struct idmap *seen = mem_new_zero(m, struct idmap, 4 * (size_t)v->objects.n);
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        uint32_t op = ev->ops.at[ev->orders.at[i].at], object = v->objects.of ? v->objects.of[op] : 0;
        struct value key = {0};
        if (v->keyed[object])
            key = history_arg(v->x->h, op, (uint32_t)objects_method(&v->objects, op)->key);
        uint32_t *at = idmap_at(m, &seen[4 * object + key.kind], (uint64_t)key.bits);
        if (*at != ID_NONE)
            return refuse(v->x, "two orders are about the same object or key: that of %s", operation_text(v->x, op));
        *at = i;
    }
    return true;
}

static bool consistent(const struct object_view *v)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    bool *placed = mem_new_zero(x->mem, bool, x->h->n + 1), weak = x->conditions & COND_WEAK;
    for (uint32_t i = 0; i < ev->orders.n; i++) {
        const struct order *o = &ev->orders.at[i];
        const uint32_t *ops = ev->ops.at + o->at;
        if (!o->count || o->thread != ASSAY_NO_THREAD)
            return refuse(x, "an order of an object is of the whole part, and not empty");
        if (!one_part(v, ops, o->count, placed) || !order_respected(v, ops, o->count))
            return false;
        bool sequential = objects_use(&v->objects, ops[0])->spec->create;
        if (!weak && !(sequential ? legal : exchanged)(v, ops, o->count))
            return false;
    }
    for (uint32_t o = 0; o < x->h->n; o++)
        if (!placed[o] && !history_pending(x->h, o) && object_counts(v, o))
            return refuse(x, "no order has %s", operation_text(x, o));
    return parts_differ(v) && (!weak || recheck_visible(v));
}

/* ---- violation ---- */

/* The values whose calls were left out. */
struct left_out {
    const struct object_view *v;
    VEC(assay_value) values;
    struct idmap seen[ASSAY_STRING + 1];
};

static bool is_left_out(const struct left_out *l, assay_value value)
{
    return idmap_get(&l->seen[value.kind], (uint64_t)value.integer) != ID_NONE;
}

static bool leave_out(struct left_out *l, const assay_spec *spec, const assay_call *call)
{
    assay_value value = {0};
    /* Whoever sees a call executes it anew, with another result perhaps; so that it changed nothing when it was recorded
     * is not enough, nor that the other calls of its value go, too. */
    if ((l->v->x->conditions & COND_WEAK) && !spec_looks(spec, call))
        return refuse(l->v->x, "%s cannot be left out: others may see it", operation_text(l->v->x, call->operation));
    switch (spec->cut ? spec->cut(call, &value) : ASSAY_CUT_NEVER) {
    case ASSAY_CUT_NEVER:
        return refuse(l->v->x, "%s cannot be left out", operation_text(l->v->x, call->operation));
    case ASSAY_CUT_ALONE: return true;
    case ASSAY_CUT_WITH_VALUE: break;
    }
    uint32_t *at = idmap_at(l->v->x->mem, &l->seen[value.kind], (uint64_t)value.integer);
    if (*at == ID_NONE) {
        *at = l->values.n;
        vec_push(l->v->x->mem, &l->values, value);
    }
    return true;
}

static bool may_stay(const struct left_out *l, const assay_spec *spec, const assay_call *call)
{
    assay_value value = {0};
    if (spec->cut)
        spec->cut(call, &value);
    if (value.kind == ASSAY_NONE || !is_left_out(l, value))
        return true;
    return refuse(l->v->x, "%s is kept, but another call of its value is not",
                  operation_text(l->v->x, call->operation));
}

/* Initial values that were left out are left out of the initial state, too. */
static assay_setting remaining(const struct left_out *l, const assay_setting *s)
{
    assay_binding *init = mem_new(l->v->x->mem, assay_binding, s->init_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < s->init_count; i++)
        if (s->init[i].key.kind != ASSAY_NONE || !is_left_out(l, s->init[i].value))
            init[n++] = s->init[i];
    return (assay_setting){s->parameter, init, n};
}

/* In the prefix that ends with the culprit's return: has it been called, has it returned? What is open then need not
 * have taken effect; if it has, its result is the one that it returned later, since a linearization of the whole history,
 * up to the last operation that had returned, says so. */
static bool in_prefix(const struct object_view *v, uint32_t op, bool *pending)
{
    const history *h = v->x->h;
    const struct evidence *ev = &v->x->line->evidence;
    *pending = history_pending(h, op);
    if (!ev->prefix)
        return true;
    int64_t end = h->ret[ev->culprit];
    if (op != ev->culprit && surely_earlier(v, end, h->call[op]))
        return false;
    if (op != ev->culprit && !*pending)
        *pending = h->ret[op] > end || (h->ret[op] == end && op > ev->culprit);
    return true;
}

static bool take_cut(const struct object_view *v, struct object_cut *cut)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    const history *h = x->h;
    struct left_out left = {.v = v};
    bool *kept = mem_new_zero(x->mem, bool, h->n + 1);
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        if (ev->kept.at[i] >= h->n)
            return refuse(x, "the cut names operation %u, but the history has only %u", ev->kept.at[i], h->n);
        kept[ev->kept.at[i]] = true;
    }
    cut->ops = mem_new(x->mem, uint32_t, h->n + 1);
    cut->calls = mem_new(x->mem, assay_call, h->n + 1);
    cut->pending = mem_new(x->mem, bool, h->n + 1);
    for (uint32_t op = 0; op < h->n; op++) {
        bool pending;
        if (!object_counts(v, op) || !object_same_part(v, ev->culprit, op) || !in_prefix(v, op, &pending))
            continue;
        assay_call call = object_call(v, op);
        if (ev->kept.n && !kept[op]) {
            if (!leave_out(&left, cut->object->spec, &call))
                return false;
            continue;
        }
        cut->ops[cut->n] = op;
        cut->pending[cut->n] = pending;
        cut->calls[cut->n++] = call;
    }
    for (uint32_t i = 0; i < cut->n; i++)
        if (!may_stay(&left, cut->object->spec, &cut->calls[i]))
            return false;
    cut->setting = remaining(&left, &cut->object->setting);
    return true;
}

static bool violation(const struct object_view *v, bool *searched)
{
    struct recheck *x = v->x;
    const struct evidence *ev = &x->line->evidence;
    if (pattern_proof(ev->pattern) != PROOF_PART)
        return refuse(x, "the pattern %s says nothing about an object", pattern_name(ev->pattern));
    bool weak = x->conditions & COND_WEAK;
    if (weak != (ev->pattern == PATTERN_NoVisibility))
        return refuse(x, "the model %s does not forbid a %s", x->line->model->name, pattern_name(ev->pattern));
    if (ev->culprit >= x->h->n || !object_counts(v, ev->culprit))
        return refuse(x, "the culprit is not an operation of an object");
    if (ev->prefix && (!x->h->call || !v->real_time || history_pending(x->h, ev->culprit)))
        return refuse(x, "a prefix ends with the return of an operation, in real time");
    const struct object_use *use = objects_use(&v->objects, ev->culprit);
    struct object_cut cut = {.object = use};
    if (v->keyed[use - v->objects.at])
        cut.key = value_public(x->h, history_arg(x->h, ev->culprit,
                                                 (uint32_t)objects_method(&v->objects, ev->culprit)->key));
    if (!take_cut(v, &cut))
        return false;
    *searched = true;
    switch (weak                ? recheck_weak_search(v, &cut)
            : use->spec->create ? object_search(v, &cut)
                                : object_match(v, &cut)) {
    case 0: return true;
    case 1: return refuse(x, "what the evidence keeps of the history has %s",
                          weak ? "an explanation" : "a linearization");
    default: return refuse(x, "that there is no linearization could not be confirmed: the search was too long");
    }
}

bool recheck_object(struct recheck *x, const assay_spec *own, bool *searched)
{
    struct object_view v = {.x = x};
    if (!look(&v, own))
        return false;
    return x->line->verdict == ASSAY_CONSISTENT ? consistent(&v) : violation(&v, searched);
}
