/* SPDX-License-Identifier: Apache-2.0 */
/* Shows events to a scan once everything about earlier calls is known (scan.h has the idea and the invariant).
 *
 * Events wait in a ring, in the order they came. The first of them is shown if it is a return, or the call of an
 * operation that has returned. So a call is shown after all earlier events, and the scan sees the events in the order
 * of the stream. A record is used again once its return has been shown. Nothing is allocated but when the ring or the
 * records grow, which doubles them.
 *
 * Where the scan comes to its limits (values that repeat), a checker of all linearizations takes over: `jit`, of the
 * same kind. It is shown the past from the journal, and then every event. The scan goes on beside it, since it is still
 * sound, and remains alone if the linearizations become too many. When the object is empty and nothing is open, the
 * scan begins anew, and is exact again.
 *
 * Operations that never return: their callers died, or the input ended. The scan says which of these it can take as
 * returning after all others; the rest is left out. To leave out an operation that has no effect on others changes
 * nothing. To leave out another one is right as long as the scan accepts the rest, since the operation may not have
 * happened. When the scan does not, and the operation had been called by then, all linearizations decide, with the
 * operation among them (holdback_past.c). Where they are too many, or the past is not known, nothing is certain. */
#include "scan/holdback.h"

#include "spec/spec.h"

#include <string.h>

enum { RETURN = 1 }; /* entries of the ring are twice a record's number, and one more for its return */

const char *holdback_declines(const struct scan *scan, const struct online_setup *s)
{
    if (scan->object && s->spec != scan->object)
        return "it is for another object";
    return scan->declines ? scan->declines(s) : NULL;
}

bool holdback_attaches(const struct scan *scan, const struct online_setup *s)
{
    return scan->attaches && scan->attaches(s);
}

bool holdback_saves(const struct scan *scan, const struct online_setup *s)
{
    return scan->image && (!scan->saves || scan->saves(s));
}

void *holdback_open_apart(const struct scan *scan, const struct online_setup *s)
{
    struct holdback *l = mem_new_zero(s->mem, struct holdback, 1);
    l->scan = scan;
    l->setup = *s;
    l->mem = s->mem;
    l->state = scan->open(s);
    journal_open(&l->journal, s, &l->records);
    return l;
}

void *holdback_open(const struct scan *scan, const struct online_setup *s)
{
    struct holdback *l = holdback_open_apart(scan, s);
    l->has_journal = true;
    l->journal.complete = !s->attached; /* the operations before are not in it */
    return l;
}

void holdback_close(void *state)
{
    struct holdback *l = state;
    l->scan->close(l->state);
    if (l->jit)
        holdback_close(l->jit);
    journal_close(&l->journal);
    records_free(l->mem, &l->records);
    vec_free(l->mem, &l->open);
    vec_free(l->mem, &l->dead);
    ring_free(l->mem, &l->waiting);
    mem_free(l->mem, l);
}

static void keep_args(struct holdback *l, struct scan_op *o, const struct value *args)
{
    if (o->room < o->arity) {
        o->args = mem_resize(l->mem, o->args, mem_product(o->arity, sizeof *args));
        o->room = o->arity;
    }
    memcpy(o->args, args, o->arity * sizeof *args);
}

void holdback_call(void *state, uint32_t slot, uint64_t step, unsigned method, const struct value *args, uint32_t arity)
{
    struct holdback *l = state;
    uint32_t r = records_new(l->mem, &l->records, l->has_journal ? 2 : 1);
    struct scan_op *o = &l->records.all.at[r];
    o->op = (struct online_op){.called = step, .returned = ONLINE_NEVER, .method = method};
    o->mark = 0;
    o->dead = false;
    o->arity = arity;
    if (arity)
        o->op.arg = args[0];
    if (arity > 1)
        keep_args(l, o, args);
    while (l->open.n <= slot)
        vec_push(l->mem, &l->open, ID_NONE);
    l->open.at[slot] = r;
    l->now = step;
    l->live++;
    ring_push(l->mem, &l->waiting, 2 * r);
    if (l->jit)
        holdback_call(l->jit, slot, step, method, args, arity);
}

/* May the operation, which never returns, be shown? */
static bool taken(struct holdback *l, const struct online_op *op)
{
    if (l->scan->pending && l->scan->pending(l->state, op))
        return true;
    if (!l->left_out && (!l->scan->matters || l->scan->matters(l->state, op)))
        l->left_out = op->called;
    return false;
}

/* Shows the first event; false for a violation. */
static bool show(struct holdback *l)
{
    uint32_t entry = ring_front(&l->waiting);
    struct scan_op *o = &l->records.all.at[entry / 2];
    ring_drop(&l->waiting);
    budget_tick(l->setup.budget);
    if (!(entry & RETURN))
        return l->over || (o->dead && !taken(l, &o->op)) || l->scan->call(l->state, o);
    bool fine = l->over || l->scan->ret(l->state, o);
    l->live--;
    records_release(l->mem, &l->records, entry / 2);
    return fine;
}

static bool ready(const struct holdback *l)
{
    uint32_t entry = ring_front(&l->waiting);
    const struct scan_op *o = &l->records.all.at[entry / 2];
    return entry & RETURN || o->op.returned != ONLINE_NEVER || o->dead;
}

static bool scan_is_weak(const struct holdback *l)
{
    return l->scan->weakened && l->scan->weakened(l->state);
}

/* An operation has returned, and is not shown yet. */
static void note(struct holdback *l, uint32_t record)
{
    if (journal_is_full(&l->journal))
        holdback_make_room(l);
    journal_add(&l->journal, record);
}

/* After all that could be shown has been; false: a violation. */
static bool take_stock(struct holdback *l)
{
    if (!l->over && !l->weak && scan_is_weak(l) && !holdback_hand_over(l))
        return false;
    if (l->jit && holdback_weakened(l->jit)) {
        holdback_drop_jit(l);
        l->doubt = l->over ? l->left_out : 0;
        l->missed = l->doubt ? NULL : l->missed;
    }
    if (!l->over && !l->waiting.n && l->scan->is_empty && l->scan->is_empty(l->state))
        holdback_begin_anew(l);
    return !l->doubt;
}

/* Shows all that can be shown; false for a violation, or a doubt. */
static bool catch_up(struct holdback *l)
{
    while (l->waiting.n && ready(l))
        if (!show(l) && (!l->left_out || !holdback_resolve(l)))
            return false;
    return true;
}

bool holdback_ret(void *state, uint32_t slot, uint64_t step, struct value result)
{
    struct holdback *l = state;
    uint32_t r = l->open.at[slot];
    l->open.at[slot] = ID_NONE;
    l->records.all.at[r].op.returned = step;
    l->records.all.at[r].op.result = result;
    l->now = step;
    ring_push(l->mem, &l->waiting, 2 * r + RETURN);
    if (l->has_journal)
        note(l, r);
    bool had_jit = l->jit; /* a later one was shown this return, among all the past */
    if (!catch_up(l))
        return false;
    if (had_jit && !holdback_ret(l->jit, slot, step, result)) {
        l->by_jit = true;
        return false;
    }
    return !l->has_journal || take_stock(l);
}

/* ---- calls that never return ---- */

bool holdback_died(void *state, uint32_t slot)
{
    struct holdback *l = state;
    uint32_t r = l->open.at[slot];
    l->open.at[slot] = ID_NONE;
    l->records.all.at[r].dead = true;
    vec_push(l->mem, &l->dead, r);
    bool had_jit = l->jit;
    if (!catch_up(l))
        return false;
    if (had_jit && !holdback_died(l->jit, slot)) {
        l->by_jit = true;
        return false;
    }
    return !l->has_journal || take_stock(l);
}

uint64_t holdback_doubt(const void *state)
{
    return ((const struct holdback *)state)->doubt;
}

uint64_t holdback_waiting(const void *state)
{
    return ((const struct holdback *)state)->waiting.n;
}

const char *holdback_weakened(const void *state)
{
    const struct holdback *l = state;
    return l->has_journal ? l->missed : scan_is_weak(l) ? l->scan->weakened(l->state) : NULL;
}

/* Only the other checker judges. It may come to its limits by events that waited for operations which never
 * returned. */
static enum online_verdict finish_jit(struct holdback *l)
{
    enum online_verdict v = holdback_finish(l->jit);
    l->by_jit = v == ONLINE_VIOLATION;
    if (v != ONLINE_VIOLATION && holdback_weakened(l->jit))
        holdback_drop_jit(l);
    return v;
}

/* The scan came to its limits by the last events; without another checker the verdict is open. */
static enum online_verdict finish_otherwise(struct holdback *l)
{
    if (l->has_journal && !holdback_hand_over(l))
        return ONLINE_VIOLATION;
    return l->jit ? finish_jit(l) : ONLINE_OPEN;
}

/* The scan has met a contradiction that an operation it was not shown may explain. */
static enum online_verdict finish_in_doubt(struct holdback *l)
{
    if (!l->has_journal)
        return ONLINE_OPEN;
    if (!holdback_resolve(l))
        return l->doubt ? ONLINE_OPEN : ONLINE_VIOLATION;
    enum online_verdict v = finish_jit(l);
    if (l->jit || v == ONLINE_VIOLATION)
        return v;
    l->doubt = l->left_out;
    l->missed = NULL;
    return ONLINE_OPEN;
}

enum online_verdict holdback_finish(void *state)
{
    struct holdback *l = state;
    bool fine = true, was_exact = !scan_is_weak(l);
    VEC(uint32_t) shown = {0};
    if (l->jit)
        return finish_jit(l);
    while (l->waiting.n && fine) {
        uint32_t entry = ring_front(&l->waiting);
        if (ready(l)) {
            fine = show(l);
        } else if (taken(l, &l->records.all.at[entry / 2].op)) {
            fine = show(l);
            vec_push(l->mem, &shown, entry / 2);
        } else {
            ring_drop(&l->waiting);
        }
    }
    for (uint32_t i = 0; i < shown.n && fine; i++)
        fine = l->scan->ret(l->state, &l->records.all.at[shown.at[i]]);
    vec_free(l->mem, &shown);
    if (fine && was_exact && scan_is_weak(l)) /* by one of them */
        return finish_otherwise(l);
    return fine ? ONLINE_FINE : l->left_out ? finish_in_doubt(l) : ONLINE_VIOLATION;
}

void holdback_explain(void *state, struct online_fault *out, struct mem *m)
{
    struct holdback *l = state;
    if (l->by_jit)
        holdback_explain(l->jit, out, m);
    else
        l->scan->explain(l->state, out, m);
    if (l->has_journal)
        holdback_complete(l, out, m);
}

void holdback_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct holdback *l = state;
    for (uint32_t i = 0; i < l->waiting.n; i++) {
        const struct scan_op *o = &l->records.all.at[ring_at(&l->waiting, i) / 2];
        visit(arg, o->op.arg);
        visit(arg, o->op.result);
        for (uint32_t a = 1; a < o->arity; a++)
            visit(arg, o->args[a]);
    }
    for (uint32_t i = 0; i < l->dead.n; i++) {
        const struct scan_op *o = &l->records.all.at[l->dead.at[i]];
        for (uint32_t a = 0; a < o->arity; a++)
            visit(arg, scan_arg(o, a));
    }
    journal_each_text(&l->journal, visit, arg);
    if (l->jit)
        holdback_each_value(l->jit, visit, arg);
    l->scan->each_value(l->state, visit, arg);
}

bool holdback_names_all(const void *state)
{
    const struct holdback *l = state;
    return !l->over && (!l->scan->names_all || l->scan->names_all(l->state));
}

uint64_t holdback_live(const void *state)
{
    const struct holdback *l = state;
    return l->live + l->scan->live(l->state);
}
