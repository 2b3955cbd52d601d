/* SPDX-License-Identifier: Apache-2.0 */
/* The uses of a checker's past (journal.h). Another checker takes over when the scan comes to its limits. And the
 * return that completed a contradiction is found. */
#include "scan/holdback.h"

#include "scan/fault.h"

/* ---- the journal ---- */

/* By this step all shown events have been judged, and no operation that is open had been called. */
static uint64_t judged_up_to(const struct holdback *l)
{
    uint64_t step = l->scan->judged ? l->scan->judged(l->state) : ONLINE_NEVER;
    for (uint32_t i = 0; i < l->waiting.n; i++) {
        uint64_t called = l->records.all.at[ring_at(&l->waiting, i) / 2].op.called;
        step = called < step ? called : step;
    }
    return step;
}

void holdback_make_room(struct holdback *l)
{
    /* the rule for distinct values does not hold later, nor does the scan know the values when it is over */
    journal_prune(&l->journal, judged_up_to(l), l->weak || l->over ? &scan_jit : l->scan, l->state);
}

static void add(struct past *p, const struct scan_op *o, uint32_t slot)
{
    past_add(p, &(struct past_op){.op = o->op, .arity = o->arity, .slot = slot, .args = o->args});
}

/* All operations: those that are open, which keep their slots, those that never return, and those of the journal. */
static struct past past_of(const struct holdback *l)
{
    struct past p = {.mem = l->mem};
    for (uint32_t slot = 0; slot < l->open.n; slot++)
        if (l->open.at[slot] != ID_NONE)
            add(&p, &l->records.all.at[l->open.at[slot]], slot);
    for (uint32_t i = 0; i < l->dead.n; i++)
        add(&p, &l->records.all.at[l->dead.at[i]], l->open.n + i);
    for (uint32_t i = 0; i < l->journal.ops.n; i++)
        add(&p, journal_op(&l->journal, i), l->open.n + l->dead.n + i);
    for (uint32_t i = 0; i < l->journal.init.n; i++)
        vec_push(l->mem, &p.init, l->journal.init.at[i]);
    past_sort(&p);
    return p;
}

/* ---- taking over ---- */

void holdback_begin_anew(struct holdback *l)
{
    l->setup.setting.init_count = 0;
    journal_clear(&l->journal);
    if (!l->weak)
        return;
    if (l->jit)
        holdback_close(l->jit);
    l->jit = NULL;
    l->weak = false;
    l->scan->close(l->state);
    l->state = l->scan->open(&l->setup);
}

struct holdback *holdback_open_jit(const struct holdback *l, const struct past *p)
{
    struct online_setup bounded = past_setup(p, &l->setup);
    bounded.most = bounded.most ? bounded.most : JIT_FEW;
    return holdback_open_apart(&scan_jit, &bounded);
}

/* Opens the other checker, and shows it the whole past. */
static void show_to_jit(struct holdback *l, const struct past *p)
{
    l->jit = holdback_open_jit(l, p);
    bool fine = past_show(p, ONLINE_NEVER, NULL, l->jit);
    for (uint32_t i = 0; i < l->dead.n && fine; i++)
        fine = holdback_died(l->jit, l->open.n + i);
    l->by_jit = !fine;
}

bool holdback_hand_over(struct holdback *l)
{
    l->weak = true;
    if (l->scan == &scan_jit || !l->journal.complete || !l->setup.spec->create || scan_jit.declines(&l->setup)) {
        l->missed = l->scan->weakened(l->state);
        return true;
    }
    struct past p = past_of(l);
    show_to_jit(l, &p);
    past_free(&p);
    return !l->by_jit;
}

void holdback_drop_jit(struct holdback *l)
{
    l->missed = l->left_out ? "a call never returned, and the linearizations with it became too many to follow"
                            : "values repeat, and their linearizations became too many to follow";
    holdback_close(l->jit);
    l->jit = NULL;
}

/* ---- the return that completes a contradiction ---- */

static bool names_one_of(const struct scan *scan, const struct online_fault *f, struct value v)
{
    for (uint32_t i = 0; i < f->ops.n; i++)
        if (value_same(scan->names(&f->ops.at[i]), v))
            return true;
    return false;
}

static const struct past_op *find(const struct past *p, uint64_t called)
{
    for (uint32_t i = 0; i < p->ops.n; i++)
        if (p->ops.at[i].op.called == called)
            return &p->ops.at[i];
    return NULL;
}

/* The part of the past about the values that a report names: their operations, and open operations that could have
 * returned one of these values. To leave out all operations of a value keeps a linearizable history linearizable. So a
 * violation of this part is a violation of the whole. */
static struct past named_part(const struct holdback *l, const struct online_fault *f, const struct past *p)
{
    struct past part = {.mem = p->mem};
    uint32_t behind = l->open.n + l->dead.n + l->journal.ops.n;
    for (uint32_t i = 0; i < p->init.n; i++)
        if (names_one_of(l->scan, f, value_internal(p->init.at[i].value)))
            vec_push(p->mem, &part.init, p->init.at[i]);
    for (uint32_t i = 0; i < p->ops.n; i++) {
        struct past_op o = p->ops.at[i];
        o.foreign = !names_one_of(l->scan, f, l->scan->names(&o.op));
        if (!o.foreign || o.op.arg.kind == ASSAY_NONE)
            past_add(&part, &o);
    }
    if (!l->journal.complete) /* the report knows more */
        for (uint32_t i = 0; i < f->ops.n; i++) {
            const struct online_op *op = &f->ops.at[i];
            if (op->called && !find(&part, op->called)) /* 0: it stands for an initial value */
                past_add(&part, &(struct past_op){.op = *op, .arity = op->arg.kind != ASSAY_NONE, .slot = behind + i});
        }
    past_sort(&part);
    return part;
}

static void mark_suspects(struct past *p, const struct online_fault *f)
{
    for (uint32_t i = 0; i < p->ops.n; i++)
        for (uint32_t k = 0; k < f->ops.n; k++)
            p->ops.at[i].suspect |= p->ops.at[i].op.called == f->ops.at[k].called;
}

/* Puts a sentence before the last one, if the operation is none of those that the report names. */
static void say_completes(struct online_fault *f, const struct online_op *op, struct mem *m)
{
    struct text why = text_in(m);
    size_t last = f->why.n ? f->why.n - 1 : 0;
    uint32_t named = f->ops.n;
    unsigned at = fault_op(f, m, op);
    if (at < named)
        return;
    while (last && f->why.at[last - 1] != '\n')
        last--;
    text_add(&why, f->why.at, last);
    text_printf(&why, "while {%u} was open, it could still have returned something that explains the others\n", at);
    text_add(&why, f->why.at + last, f->why.n - last);
    f->why = why;
}

/* The step that completes the contradiction, as far as the journal tells. */
static uint64_t completing_step(struct holdback *l, const struct online_fault *f, bool *exact)
{
    bool complete = l->journal.complete;
    *exact = false;
    if (!complete && (l->weak || !l->scan->names))
        return l->now;
    struct past all = past_of(l), part = {.mem = l->mem};
    mark_suspects(&all, f);
    if (l->scan->names)
        part = named_part(l, f, &all);
    struct past_case c = {.all = complete ? &all : &part,
                          .part = complete && l->scan->names ? &part : NULL,
                          .scan = l->scan,
                          .setup = l->setup,
                          .fault = f,
                          .last = l->now};
    c.setup.most = l->scan == &scan_jit ? PAST_FEW : PAST_FEWER;
    uint64_t step = past_completes(&c, exact);
    past_free(&all);
    past_free(&part);
    return step;
}

void holdback_complete(struct holdback *l, struct online_fault *f, struct mem *m)
{
    bool exact;
    f->step = completing_step(l, f, &exact);
    for (uint32_t i = 0; exact && i < l->journal.ops.n; i++)
        if (journal_op(&l->journal, i)->op.returned == f->step)
            say_completes(f, &journal_op(&l->journal, i)->op, m);
    journal_clear(&l->journal); /* its values must not be taken for the contents of the object */
}

/* ---- a contradiction that a call which never returned may explain ---- */

/* Is the part about the values that the scan's report names a violation, whatever the dead calls did? A dead call that
 * took another value is one that did not happen, as far as the part goes. */
static bool is_violated(struct holdback *l, const struct past *all)
{
    struct online_fault f = {.why = text_in(l->mem)};
    if (!l->scan->names)
        return false;
    l->scan->explain(l->state, &f, l->mem);
    struct past part = named_part(l, &f, all);
    struct holdback *jit = holdback_open_jit(l, &part);
    bool violated = !past_show(&part, l->now, NULL, jit) || holdback_finish(jit) == ONLINE_VIOLATION;
    holdback_close(jit);
    past_free(&part);
    vec_free(l->mem, &f.ops);
    mem_free(l->mem, f.why.at);
    return violated;
}

bool holdback_resolve(struct holdback *l)
{
    bool can = !l->jit && l->journal.complete && l->setup.spec->create && !scan_jit.declines(&l->setup);
    if (l->scan->certain && l->scan->certain(l->state))
        return false;
    struct past all = past_of(l);
    bool violated = can && is_violated(l, &all);
    l->over = l->jit;
    if (can && !violated) {
        show_to_jit(l, &all);
        l->over = !l->by_jit && !holdback_weakened(l->jit);
        if (!l->by_jit && !l->over)
            holdback_drop_jit(l);
    }
    past_free(&all);
    l->doubt = l->over || l->by_jit || violated ? 0 : l->left_out;
    if (l->doubt)
        l->missed = NULL; /* the call is to blame */
    return l->over;
}
