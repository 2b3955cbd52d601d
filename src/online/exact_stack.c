/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-stack`: linearizability of a stack whose values are distinct, in memory for what is live.
 *
 * stack_row.h has the theory. This file follows what becomes of each value: it says when it begins and ends to cover, and which
 * operations that found nothing have a gap.
 *
 * Found empty. The first gap that no value covers is the best one: the later one might turn out to be covered by
 * more, when a peek tells that a value stayed longer than its pop's call let one think.
 *
 * Values need to differ only while they are on the stack. Once one is pushed that may be there, it is left out, all its
 * copies, until none is left; that is sound, since to leave out all operations of a value keeps a linearizable history
 * linearizable. Numbers are still compared. A peek that was called during the pop of one copy may belong to the next one if that
 * is pushed before the peek returns; so if it moves the end of a value, what is found by then is held back
 * until the peek returns, and is forgotten with all else if it does belong there. */
#include "online/stack_peeks.h"

#include "spec/roles.h"

enum { KEPT = 256 }; /* lives that are over */

/* ---- lives ---- */

static uint32_t new_life(struct stack *s, struct value v)
{
    uint32_t id;
    if (s->unused.n) {
        id = vec_pop(&s->unused);
    } else {
        id = s->lives.n;
        vec_reserve(s->mem, &s->lives, 1);
        s->lives.n++;
    }
    s->lives.at[id] = (struct life){.value = v};
    return id;
}

static uint32_t life_of(struct stack *s, struct value v)
{
    uint32_t *id = value_table_at(s->mem, &s->of_value, v);
    if (*id == ID_NONE)
        *id = new_life(s, v);
    return *id;
}

/* Nobody can meet it any more if its operations have returned and it is gone. */
static void end_if_over(struct stack *s, uint32_t id)
{
    const struct life *x = &s->lives.at[id];
    if (x->open || x->pushes != x->pops)
        return;
    value_table_drop(s->mem, &s->of_value, x->value);
    ring_push(s->mem, &s->over, id);
    if (s->over.n > KEPT) {
        vec_push(s->mem, &s->unused, ring_front(&s->over));
        ring_drop(&s->over);
    }
}

/* ---- verdicts ---- */

static bool refute(struct stack *s, enum stack_fault kind, const struct online_op *op, uint64_t now)
{
    if (!s->held)
        stack_note(s, kind, op, now);
    return false;
}

static bool refute_cover(struct stack *s, enum stack_fault kind, const struct online_op *op, uint64_t from, uint64_t to,
                         uint64_t now)
{
    if (s->held)
        return now < s->doubt;
    stack_note(s, kind, op, now);
    stack_note_cover(s, from, to, kind == STACK_CORE);
    s->held = now < s->doubt;
    return s->held;
}

/* After levels of the gaps first .. last-1 were raised, or peeks of the life are new. */
static bool check_core(struct stack *s, const struct online_op *op, uint64_t first, uint64_t last, uint32_t life,
                       uint64_t now)
{
    uint64_t from = row_core(&s->row);
    vec_clear(&s->caught);
    if (from == ROW_NEVER && s->peeked.n)
        from = peeks_core(s, first, last, life);
    return from == ROW_NEVER || refute_cover(s, STACK_CORE, op, from, now, now);
}

/* ---- covering ---- */

static void give_gap(struct stack *s, uint64_t now)
{
    for (uint32_t i = 0; i < s->empties.n; i++)
        if (!s->empties.at[i].gap)
            s->empties.at[i].gap = now;
}

static void stop_covering(struct stack *s, uint64_t now)
{
    if (--s->covering == 0)
        give_gap(s, now);
}

/* It has been pushed, as the return of op tells. */
static void has_been_pushed(struct stack *s, uint32_t id, const struct online_op *op, uint64_t now)
{
    struct life *x = &s->lives.at[id];
    x->r = now;
    x->first = *op;
    if (x->q) { /* its pop has been called, but a peek may still tell that it covers */
        x->q = now;
        row_mark(&s->row, id, now);
    } else {
        s->covering++;
        row_push(&s->row, id, x->c, now);
    }
}

/* Those that found nothing where x covers, as it turns out. */
static bool deny_gaps(struct stack *s, uint64_t from, uint64_t now)
{
    for (uint32_t i = 0; i < s->empties.n; i++)
        if (s->empties.at[i].gap >= from)
            s->empties.at[i].gap = s->covering ? 0 : now;
    if (s->last_empty.gap < from)
        return true;
    const struct online_op *op = &s->last_empty.op;
    return refute_cover(s, STACK_NOT_EMPTY, op, stack_position(s, op->called), stack_position(s, op->returned), now);
}

/* A peek tells that x covers up to now. */
static bool extend(struct stack *s, uint32_t id, const struct online_op *op, uint64_t now)
{
    struct life *x = &s->lives.at[id];
    uint64_t q = x->q, until = stack_position(s, op->returned);
    x->q = now;
    x->last = *op;
    if (!x->r)
        return true;
    x->doubt = x->doubt > until ? x->doubt : until;
    s->doubt = s->doubt > until ? s->doubt : until;
    row_extend(&s->row, x->r, q, x->c);
    peeks_raise(s, q, now, x->c);
    bool fine = deny_gaps(s, q, now) && check_core(s, op, q, now, ID_NONE, now);
    row_mark(&s->row, id, now);
    return fine;
}

static void weaken(struct stack *s)
{
    if (!s->weakened.n)
        text_puts(&s->weakened, "a value was pushed that was on the stack already");
}

static void leave_out(struct stack *s, uint32_t id, uint64_t now)
{
    struct life *x = &s->lives.at[id];
    if (x->left_out)
        return;
    x->left_out = true;
    peeks_forget(s, id);
    if (!x->r || x->over)
        return;
    row_leave(&s->row, x->r, x->q ? x->q : x->r);
    if (!x->q)
        stop_covering(s, now);
}

/* Nothing is known any more but how often each value was pushed and popped. */
static void forget_all(struct stack *s)
{
    peeks_close(s);
    row_close(&s->row);
    row_open(&s->row, s->mem);
    for (uint32_t i = 0; i < s->lives.n; i++)
        s->lives.at[i].left_out = true;
    s->covering = 0;
    s->last_empty.gap = 0;
    for (uint32_t i = 0; i < s->empties.n; i++)
        s->empties.at[i].gap = stack_position(s, s->empties.at[i].op.called);
    s->held = false;
}

/* ---- operations ---- */

static void call_push(struct stack *s, struct scan_op *o, uint64_t now)
{
    o->mark = life_of(s, o->op.arg);
    struct life *x = &s->lives.at[o->mark];
    x->open++;
    if (x->pushes++) {
        weaken(s);
        if (now < x->doubt)
            forget_all(s);
        else
            leave_out(s, o->mark, now);
    }
    x->c = now;
    x->push = o->op;
}

static void call_pop(struct stack *s, struct scan_op *o, uint64_t now)
{
    o->mark = life_of(s, o->op.result);
    struct life *x = &s->lives.at[o->mark];
    x->open++;
    if (x->left_out)
        return;
    if (x->pop.called) {
        leave_out(s, o->mark, now);
        return;
    }
    x->pop = x->last = o->op;
    x->q = now;
    if (!x->r)
        return;
    row_call_pop(&s->row, x->r, now);
    stop_covering(s, now);
}

static bool call_peek(struct stack *s, struct scan_op *o, uint64_t now)
{
    o->mark = life_of(s, o->op.result);
    struct life *x = &s->lives.at[o->mark];
    x->open++;
    bool fine = x->left_out || x->over || !x->pop.called || extend(s, o->mark, &o->op, now);
    row_mark(&s->row, ID_NONE, now + 1);
    return fine;
}

static bool return_push(struct stack *s, const struct scan_op *o, uint64_t now)
{
    struct life *x = &s->lives.at[o->mark];
    x->open--;
    x->push.returned = o->op.returned;
    if (!x->left_out && !x->r && !x->over)
        has_been_pushed(s, o->mark, &o->op, now);
    end_if_over(s, o->mark);
    return true;
}

static bool return_pop(struct stack *s, const struct scan_op *o, uint64_t now)
{
    struct life *x = &s->lives.at[o->mark];
    x->open--;
    if (++x->pops > x->pushes)
        return refute(s, x->pushes ? STACK_POPPED_TWICE : STACK_NEVER_PUSHED, &o->op, now);
    bool fine = true;
    if (!x->left_out) {
        x->over = true;
        x->t = now;
        if (x->r) {
            row_pop(&s->row, x->r, x->q);
            peeks_forget(s, o->mark);
            peeks_raise(s, x->r, x->q, x->r);
            fine = check_core(s, &o->op, x->r, x->q, ID_NONE, now);
        }
    }
    end_if_over(s, o->mark);
    return fine;
}

static bool note_peek(struct stack *s, const struct scan_op *o, uint64_t now)
{
    struct life *x = &s->lives.at[o->mark];
    if (x->over)
        return o->op.called <= x->pop.returned || refute(s, STACK_SEEN_AFTER, &o->op, now);
    if (!x->r)
        has_been_pushed(s, o->mark, &o->op, now);
    peeks_add(s, o->mark, &o->op, stack_position(s, o->op.called) + 1, now);
    return !x->peeked || check_core(s, &o->op, now, now, o->mark, now);
}

static void unmark(struct stack *s, const struct scan_op *o)
{
    uint64_t at = stack_position(s, o->op.called) + 1;
    if (s->row.marks.at[row_find(&s->row, at)].at == at) /* not if all was forgotten */
        row_leave(&s->row, at, at);
}

static bool return_peek(struct stack *s, const struct scan_op *o, uint64_t now)
{
    struct life *x = &s->lives.at[o->mark];
    x->open--;
    if (!x->pushes)
        return refute(s, STACK_NEVER_PUSHED, &o->op, now);
    bool fine = x->left_out || note_peek(s, o, now);
    unmark(s, o);
    end_if_over(s, o->mark);
    return fine;
}

static void call_empty(struct stack *s, struct scan_op *o, uint64_t now)
{
    struct stack_empty e = {o->op, s->covering ? 0 : now};
    vec_push(s->mem, &s->empties, e);
}

static bool return_empty(struct stack *s, const struct scan_op *o, uint64_t now)
{
    uint32_t i = 0;
    while (s->empties.at[i].op.called != o->op.called)
        i++;
    struct stack_empty e = s->empties.at[i];
    s->empties.at[i] = vec_pop(&s->empties);
    if (!e.gap)
        return refute_cover(s, STACK_NOT_EMPTY, &o->op, stack_position(s, o->op.called), now, now);
    if (e.gap > s->last_empty.gap)
        s->last_empty = e;
    return true;
}

/* ---- the scan ---- */

static void *open_stack(const struct online_setup *setup)
{
    struct stack *s = mem_new_zero(setup->mem, struct stack, 1);
    s->mem = setup->mem;
    s->weakened = text_in(s->mem);
    row_open(&s->row, s->mem);
    uint64_t now = 0;
    for (size_t i = 0; i < setup->setting->init_count; i++) {
        struct online_op push = {.method = COLLECTION_ADD, .arg = online_value(setup->setting->init[i].value)};
        struct scan_op o = {.op = push};
        call_push(s, &o, now += 2);
        return_push(s, &o, now += 2);
    }
    s->before = now;
    return s;
}

static void close_stack(void *state)
{
    struct stack *s = state;
    row_close(&s->row);
    peeks_close(s);
    value_table_free(s->mem, &s->of_value);
    vec_free(s->mem, &s->lives);
    vec_free(s->mem, &s->unused);
    ring_free(s->mem, &s->over);
    vec_free(s->mem, &s->empties);
    vec_free(s->mem, &s->fault.lives);
    mem_free(s->mem, s->weakened.at);
    mem_free(s->mem, s);
}

static bool doubt_is_over(const struct stack *s, uint64_t now)
{
    return s->held && now >= s->doubt;
}

static bool call_stack(void *state, struct scan_op *o)
{
    struct stack *s = state;
    uint64_t now = stack_position(s, o->op.called);
    if (o->op.method == COLLECTION_ADD)
        call_push(s, o, now);
    else if (online_is(o->op.result, ONLINE_EMPTY))
        call_empty(s, o, now);
    else if (o->op.method == COLLECTION_REMOVE)
        call_pop(s, o, now);
    else if (!call_peek(s, o, now))
        return false;
    return !doubt_is_over(s, now);
}

static bool return_stack(void *state, struct scan_op *o)
{
    struct stack *s = state;
    if (o->op.returned == ONLINE_NEVER) /* a push at the end of the input, which covers nothing */
        return true;
    uint64_t now = stack_position(s, o->op.returned);
    bool fine = o->op.method == COLLECTION_ADD             ? return_push(s, o, now)
                : online_is(o->op.result, ONLINE_EMPTY)    ? return_empty(s, o, now)
                : o->op.method == COLLECTION_REMOVE        ? return_pop(s, o, now)
                                                           : return_peek(s, o, now);
    return fine && !doubt_is_over(s, now);
}

/* One that nobody met covers nothing, and has no effect; the others must have happened. */
static bool take_pending(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == COLLECTION_ADD;
}

static bool matters(void *state, const struct online_op *op)
{
    (void)state;
    return op->method != COLLECTION_PEEK;
}

static void explain_stack(void *state, struct online_fault *out, struct mem *m)
{
    stack_explain(state, out, m);
}

static void visit_op(const struct online_op *op, void (*visit)(void *arg, struct value v), void *arg)
{
    visit(arg, op->arg);
    visit(arg, op->result);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct stack *s = state;
    for (uint32_t i = 0; i < s->lives.n; i++)
        visit(arg, s->lives.at[i].value);
    for (uint32_t i = 0; i < s->fault.lives.n; i++)
        visit(arg, s->fault.lives.at[i].value);
    visit_op(&s->fault.culprit, visit, arg);
}

static uint64_t live(const void *state)
{
    const struct stack *s = state;
    return s->lives.n - s->unused.n;
}

static const char *weakened(const void *state)
{
    const struct stack *s = state;
    return s->weakened.n ? s->weakened.at : NULL;
}

static const struct scan scan_stack = {
    .object = "stack",
    .open = open_stack,
    .close = close_stack,
    .call = call_stack,
    .ret = return_stack,
    .pending = take_pending,
    .matters = matters,
    .explain = explain_stack,
    .each_value = each_value,
    .live = live,
    .weakened = weakened,
};

LAG_MEMBER(exact_stack, "exact-stack", "stacks with distinct values: exact, in memory for what is live", scan_stack);
