/* SPDX-License-Identifier: Apache-2.0 */
#include "object/lifetimes.h"

#include "online/fault.h"
#include "spec/roles.h"

enum { EMPTY_CALL = LIFETIMES_FAULT, EMPTY_RETURN }; /* kinds of entries that are not handed on */
#define ASIDE ID_NONE /* look.own: it has no entries in the line, and the scan does not see it */

/* ---- lives and looks ---- */

static uint32_t new_life(struct lifetimes *l, struct value value)
{
    uint32_t at = l->free_life;
    if (at == ID_NONE) {
        at = l->all.n;
        vec_reserve(l->mem, &l->all, 1);
        l->all.n++;
    } else {
        l->free_life = l->all.at[at].place;
    }
    l->all.at[at] = (struct life){.value = value, .refs = 1};
    l->lifetimes_n++;
    return at;
}

void life_drop(struct lifetimes *l, uint32_t life)
{
    struct life *v = life_at(l, life);
    if (--v->refs)
        return;
    v->place = l->free_life;
    l->free_life = life;
    l->lifetimes_n--;
}

static uint32_t new_look(struct lifetimes *l, const struct online_op *op, uint32_t life)
{
    struct look look = {.op = *op, .life = life};
    if (!l->free_looks.n) {
        vec_push(l->mem, &l->looks, look);
        return l->looks.n - 1;
    }
    uint32_t at = vec_pop(&l->free_looks);
    l->looks.at[at] = look;
    return at;
}

static uint32_t bind(struct lifetimes *l, struct value value)
{
    uint32_t *at = value_table_at(l->mem, &l->bound, value);
    if (*at == ID_NONE)
        *at = new_life(l, value);
    return *at;
}

static void unbind_if_over(struct lifetimes *l, uint32_t life)
{
    struct life *v = life_at(l, life);
    if (v->open || !v->adds || v->adds != v->removes)
        return;
    l->recent[l->recent_n++ % LIFETIMES_RECENT] = *v;
    value_table_drop(l->mem, &l->bound, v->value);
    life_drop(l, life);
}

static void wait_in_line(struct lifetimes *l, uint32_t kind, uint32_t at)
{
    ring_push(l->mem, &l->line, ((struct lifetimes_entry){kind, at}));
}

/* ---- critical intervals ---- */

static void end_critical(struct lifetimes *l, struct life *v)
{
    if (!(v->flags & LIFE_COUNTED))
        return;
    v->flags &= ~(uint32_t)LIFE_COUNTED;
    if (--l->depth == 0) {
        l->zeros++;
        l->waiting = 0;
    }
    if (l->waiting || l->watched)
        vec_push(l->mem, &l->gone, *v);
    else
        vec_clear(&l->gone); /* nobody will ask */
}

static void look_for_nothing(struct lifetimes *l, struct look *look)
{
    if (!l->depth)
        return;
    look->zeros = l->zeros;
    l->waiting++;
}

static bool found_nothing(struct lifetimes *l, struct look *look)
{
    if (!look->zeros || look->zeros != l->zeros)
        return true;
    l->waiting--;
    l->wrong = LIFETIMES_NOT_EMPTY;
    l->wrong_op = look->op;
    return false;
}

/* ---- events as they are shown ---- */

static void give_up(struct lifetimes *l, struct life *v)
{
    v->flags |= LIFE_GIVEN_UP;
    end_critical(l, v);
    l->weakened = "a value was added again before it was certain to have been removed";
}

static void comes_in(struct lifetimes *l, uint32_t life)
{
    struct life *v = life_at(l, life);
    if (v->flags & LIFE_IN)
        return;
    v->flags |= LIFE_IN;
    wait_in_line(l, LIFETIMES_COMES_IN, life_hold(l, life));
}

static uint32_t call_add(struct lifetimes *l, struct scan_op *o)
{
    uint32_t life = bind(l, o->op.arg);
    struct life *v = life_at(l, life);
    bool had_one = v->flags & LIFE_ADDED, given_up = v->flags & LIFE_GIVEN_UP;
    o->mark = life + 1;
    v->open++;
    v->adds++;
    if (given_up)
        return ID_NONE;
    if (had_one) {
        give_up(l, v);
        return life;
    }
    v->flags |= LIFE_ADDED;
    v->add = (struct span){o->op.called, o->op.returned};
    v->due++;
    wait_in_line(l, LIFETIMES_ADD_CALL, life_hold(l, life));
    return ID_NONE;
}

/* Is it a front that one add cannot explain? */
static bool is_extra(const struct life *v, bool peeks)
{
    return v->flags & (peeks ? LIFE_REMOVED : LIFE_REMOVING);
}

static void call_front(struct lifetimes *l, struct scan_op *o)
{
    uint32_t life = bind(l, o->op.result);
    struct life *v = life_at(l, life);
    bool peeks = o->op.method == COLLECTION_PEEK;
    uint32_t look = new_look(l, &o->op, life);
    struct span span = {o->op.called, o->op.returned};
    v->open++;
    o->mark = look + 1;
    if (v->flags & LIFE_GIVEN_UP || is_extra(v, peeks)) {
        l->looks.at[look].own = ASIDE;
        if (!peeks && (!v->extra.called || span.returned < v->extra.returned))
            v->extra = span;
        return;
    }
    v->last = span;
    v->flags = (v->flags & ~(uint32_t)LIFE_LAST_PEEKS) | (peeks ? LIFE_LAST_PEEKS : 0);
    if (!peeks) {
        v->remove = span;
        v->flags |= LIFE_REMOVING;
    }
    if (v->flags & LIFE_REMOVING && span.returned > v->until)
        v->until = span.returned;
    v->due++;
    life_hold(l, life);
    wait_in_line(l, LIFETIMES_LOOK_CALL, look);
}

uint32_t lifetimes_call(struct lifetimes *l, struct scan_op *o)
{
    l->now = o->op.called;
    if (o->op.method == COLLECTION_ADD)
        return call_add(l, o);
    if (!online_is(o->op.result, ONLINE_EMPTY)) {
        call_front(l, o);
        return ID_NONE;
    }
    uint32_t look = new_look(l, &o->op, ID_NONE);
    o->mark = look + 1;
    wait_in_line(l, EMPTY_CALL, look);
    return ID_NONE;
}

static void return_add(struct lifetimes *l, const struct scan_op *o)
{
    if (!o->mark)
        return;
    uint32_t life = o->mark - 1;
    life_at(l, life)->open--;
    if (!(life_at(l, life)->flags & LIFE_GIVEN_UP))
        comes_in(l, life);
    unbind_if_over(l, life);
}

static bool blame(struct lifetimes *l, enum lifetimes_wrong wrong, const struct life *v, const struct online_op *op)
{
    l->wrong = wrong;
    l->wrong_life = *v;
    l->wrong_op = *op;
    return false;
}

static bool return_front(struct lifetimes *l, const struct scan_op *o)
{
    uint32_t look = o->mark - 1, life = l->looks.at[look].life;
    struct life *v = life_at(l, life);
    bool aside = l->looks.at[look].own == ASIDE, peeks = o->op.method == COLLECTION_PEEK;
    v->open--;
    if (!v->adds)
        return blame(l, LIFETIMES_UNKNOWN, v, &o->op);
    if (!peeks && ++v->removes > v->adds)
        return blame(l, LIFETIMES_TWICE, v, &o->op);
    bool given_up = v->flags & LIFE_GIVEN_UP;
    if (peeks && aside && !given_up)
        return blame(l, LIFETIMES_SEEN_AFTER, v, &o->op);
    if (!peeks)
        v->flags |= LIFE_REMOVED;
    if (aside) {
        vec_push(l->mem, &l->free_looks, look);
    } else {
        if (!given_up)
            comes_in(l, life);
        wait_in_line(l, LIFETIMES_LOOK_RETURN, look);
        life_hold(l, life);
    }
    unbind_if_over(l, life);
    return true;
}

bool lifetimes_ret(struct lifetimes *l, struct scan_op *o)
{
    if (o->op.returned == ONLINE_NEVER)
        return true;
    l->now = o->op.returned;
    if (o->op.method == COLLECTION_ADD)
        return_add(l, o);
    else if (online_is(o->op.result, ONLINE_EMPTY))
        wait_in_line(l, EMPTY_RETURN, o->mark - 1);
    else
        return return_front(l, o);
    return true;
}

/* ---- events as they leave the line ---- */

/* A call leaves the line. False: it must wait, because it is not known yet whether those that were called later belong
 * to this life, nor which is the last. */
static bool pass_call(struct lifetimes *l, struct life *v, uint64_t step, struct lifetimes_event *e)
{
    bool removing = v->flags & LIFE_REMOVING;
    if (removing && step >= v->remove.called && v->until > l->now)
        return false;
    v->due--;
    e->last = removing && v->flags & LIFE_ADDED && !v->due;
    if (e->last) {
        v->flags |= LIFE_PAST;
        end_critical(l, v);
    }
    return true;
}

static void pass_coming_in(struct lifetimes *l, struct life *v)
{
    if (v->flags & LIFE_PAST)
        return;
    v->flags |= LIFE_COUNTED;
    l->depth++;
}

static void pass_return(struct life *v, const struct look *look, struct lifetimes_event *e)
{
    e->first = !(v->flags & LIFE_SEEN);
    if (!e->first)
        return;
    v->first = (struct span){look->op.called, look->op.returned};
    v->flags |= LIFE_SEEN | (look->op.method == COLLECTION_PEEK ? LIFE_FIRST_PEEKS : 0);
}

/* Of those that found nothing; true if it is a violation. */
static bool pass_nothing(struct lifetimes *l, struct lifetimes_entry entry)
{
    struct look *look = &l->looks.at[entry.at];
    if (entry.kind == EMPTY_CALL) {
        look_for_nothing(l, look);
        return false;
    }
    bool fine = found_nothing(l, look);
    vec_push(l->mem, &l->free_looks, entry.at);
    return !fine;
}

/* False: the first of the line must wait. e->kind is LIFETIMES_FAULT if there is a violation; e->life is ID_NONE if the
 * scan need not see it. */
static bool pass(struct lifetimes *l, struct lifetimes_event *e)
{
    struct lifetimes_entry entry = ring_front(&l->line);
    *e = (struct lifetimes_event){.kind = (enum lifetimes_kind)entry.kind, .life = ID_NONE, .look = ID_NONE};
    if (entry.kind >= EMPTY_CALL) {
        e->kind = pass_nothing(l, entry) ? LIFETIMES_FAULT : LIFETIMES_COMES_IN;
        ring_drop(&l->line);
        return true;
    }
    bool of_look = entry.kind == LIFETIMES_LOOK_CALL || entry.kind == LIFETIMES_LOOK_RETURN;
    uint32_t life = of_look ? l->looks.at[entry.at].life : entry.at;
    struct life *v = life_at(l, life);
    if (!(v->flags & LIFE_GIVEN_UP)) {
        if (entry.kind == LIFETIMES_COMES_IN)
            pass_coming_in(l, v);
        else if (entry.kind == LIFETIMES_LOOK_RETURN)
            pass_return(v, &l->looks.at[entry.at], e);
        else if (!pass_call(l, v, of_look ? l->looks.at[entry.at].op.called : v->add.called, e))
            return false;
        e->life = life;
        e->look = of_look ? entry.at : ID_NONE;
    }
    if (entry.kind == LIFETIMES_LOOK_RETURN)
        vec_push(l->mem, &l->free_looks, entry.at);
    ring_drop(&l->line);
    if (e->life == ID_NONE)
        life_drop(l, life);
    else
        l->handed = life;
    return true;
}

bool lifetimes_next(struct lifetimes *l, struct lifetimes_event *e)
{
    if (l->handed != ID_NONE) {
        life_drop(l, l->handed);
        l->handed = ID_NONE;
    }
    while (l->line.n && pass(l, e))
        if (e->life != ID_NONE || e->kind == LIFETIMES_FAULT)
            return true;
    return false;
}

/* ---- opening and closing ---- */

void lifetimes_open(struct lifetimes *l, const struct online_setup *s)
{
    *l = (struct lifetimes){.mem = s->mem, .free_life = ID_NONE, .handed = ID_NONE, .zeros = 1};
    for (size_t i = 0; i < s->setting.init_count; i++) {
        struct scan_op o = {.op = {.method = COLLECTION_ADD, .arg = online_value(s->setting.init[i].value)}};
        lifetimes_call(l, &o);
        lifetimes_ret(l, &o);
    }
}

void lifetimes_close(struct lifetimes *l)
{
    vec_free(l->mem, &l->all);
    vec_free(l->mem, &l->looks);
    vec_free(l->mem, &l->free_looks);
    vec_free(l->mem, &l->gone);
    ring_free(l->mem, &l->line);
    value_table_free(l->mem, &l->bound);
}

/* ---- hooks ---- */

/* An add may be shown: without a return it hinders nobody. A remove may have taken one of several values. */
bool lifetimes_pending(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == COLLECTION_ADD;
}

bool lifetimes_matters(void *state, const struct online_op *op)
{
    (void)state;
    return op->method == COLLECTION_REMOVE;
}

void lifetimes_each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    const struct lifetimes *l = state;
    for (uint32_t i = 0; i < l->all.n; i++)
        if (l->all.at[i].refs)
            visit(arg, l->all.at[i].value);
    for (uint32_t i = 0; i < l->gone.n; i++)
        visit(arg, l->gone.at[i].value);
    for (uint32_t i = 0; i < LIFETIMES_RECENT && i < l->recent_n; i++)
        visit(arg, l->recent[i].value);
    visit(arg, l->wrong_life.value);
}

uint64_t lifetimes_count(const void *state)
{
    const struct lifetimes *l = state;
    return (uint64_t)l->lifetimes_n + l->looks.n - l->free_looks.n + l->gone.n;
}

const char *lifetimes_weakened(const void *state)
{
    return ((const struct lifetimes *)state)->weakened;
}

struct value lifetimes_names(const struct online_op *op)
{
    if (op->method == COLLECTION_ADD)
        return op->arg;
    return online_is(op->result, ONLINE_EMPTY) ? (struct value){0} : op->result;
}

void lifetimes_each_held(const void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    value_table_each(&((const struct lifetimes *)state)->bound, visit, arg);
}

uint64_t lifetimes_judged(const void *state)
{
    const struct lifetimes *l = state;
    if (!l->line.n)
        return ONLINE_NEVER;
    struct lifetimes_entry first = ring_front(&l->line);
    bool of_life = first.kind == LIFETIMES_ADD_CALL || first.kind == LIFETIMES_COMES_IN;
    return of_life ? l->all.at[first.at].add.called : l->looks.at[first.at].op.called;
}

bool lifetimes_are_none(const void *state)
{
    const struct lifetimes *l = state;
    return !l->bound.n && !l->line.n;
}

/* ---- reports ---- */

unsigned life_add_op(const struct life *v, struct online_fault *out, struct mem *m)
{
    struct online_op op = {v->add.called, v->add.returned, COLLECTION_ADD, v->value, {0}};
    return fault_op(out, m, &op);
}

static unsigned front_op(const struct life *v, struct span s, bool peeks, struct online_fault *out, struct mem *m)
{
    struct online_op op = {s.called, s.returned, peeks ? COLLECTION_PEEK : COLLECTION_REMOVE, {0}, v->value};
    return fault_op(out, m, &op);
}

unsigned life_first_op(const struct life *v, struct online_fault *out, struct mem *m)
{
    return front_op(v, v->first, v->flags & LIFE_FIRST_PEEKS, out, m);
}

unsigned life_last_op(const struct life *v, struct online_fault *out, struct mem *m)
{
    return front_op(v, v->last, v->flags & LIFE_LAST_PEEKS, out, m);
}

static uint64_t came_in(const struct life *v)
{
    return v->flags & LIFE_SEEN && v->first.returned < v->add.returned ? v->first.returned : v->add.returned;
}

/* The step up to which the value was there; ONLINE_NEVER: it is. */
static uint64_t stayed(const struct life *v)
{
    if (v->flags & LIFE_COUNTED)
        return ONLINE_NEVER;
    return v->last.called > v->add.called ? v->last.called : v->add.called;
}

static void say_there(const struct life *v, uint64_t until, struct online_fault *out, struct mem *m)
{
    bool seen = came_in(v) < v->add.returned;
    unsigned add = life_add_op(v, out, m), from = seen ? life_first_op(v, out, m) : add;
    text_printf(&out->why, "the value of {%u} was there from the return of {%u} on", add, from);
    if (until == ONLINE_NEVER)
        text_printf(&out->why, ", and nobody has removed it by the return of {0}\n");
    else
        text_printf(&out->why, ", at least to the call of {%u}\n", life_last_op(v, out, m));
}

static const struct life *reaches_furthest(const struct lifetimes *l, uint64_t reach, lifetimes_filter counts, const void *arg)
{
    const struct life *best = NULL;
    uint64_t furthest = reach;
    for (uint32_t i = 0; i < l->gone.n + l->all.n; i++) {
        const struct life *v = i < l->gone.n ? &l->gone.at[i] : &l->all.at[i - l->gone.n];
        bool candidate = (i < l->gone.n || (v->refs && v->flags & LIFE_COUNTED)) && (!counts || counts(arg, v));
        if (!candidate || came_in(v) > reach || stayed(v) <= furthest)
            continue;
        best = v;
        furthest = stayed(v);
    }
    return best;
}

void lifetimes_explain_cover(const struct lifetimes *l, uint64_t from, uint64_t to, lifetimes_filter counts, const void *arg,
                         struct online_fault *out, struct mem *m)
{
    for (uint64_t reach = from; reach < to;) {
        const struct life *v = reaches_furthest(l, reach, counts, arg);
        if (!v)
            break;
        reach = stayed(v);
        say_there(v, reach > to ? ONLINE_NEVER : reach, out, m);
    }
}

static void explain_empty(const struct lifetimes *l, unsigned nothing, struct online_fault *out, struct mem *m)
{
    lifetimes_explain_cover(l, l->wrong_op.called, l->wrong_op.returned, NULL, NULL, out, m);
    text_printf(&out->why, "{%u} found nothing, but at every moment from its call to its return something was there\n",
                nothing);
}

/* A front of a value that is not bound. */
static void explain_unknown(const struct lifetimes *l, unsigned op, struct online_fault *out, struct mem *m)
{
    for (uint32_t i = 0; i < LIFETIMES_RECENT && i < l->recent_n; i++) {
        const struct life *v = &l->recent[i];
        if (!value_same(v->value, l->wrong_op.result) || v->flags & LIFE_GIVEN_UP)
            continue;
        unsigned remove = front_op(v, v->remove, false, out, m), add = life_add_op(v, out, m);
        text_printf(&out->why, "{%u} removed the value of {%u} and returned before {%u} was called\n", remove, add, op);
        text_printf(&out->why, "nobody had added it again when {%u} returned it\n", op);
        return;
    }
    text_printf(&out->why, "{%u} returned a value that nobody had added, or that was removed long before\n", op);
}

void lifetimes_explain(struct lifetimes *l, struct online_fault *out, struct mem *m)
{
    const struct life *v = &l->wrong_life;
    unsigned op = fault_op(out, m, &l->wrong_op);
    out->step = l->wrong_op.returned;
    switch (l->wrong) {
    case LIFETIMES_UNKNOWN: explain_unknown(l, op, out, m); break;
    case LIFETIMES_TWICE:
        if (v->adds == 1) {
            bool is_first = v->remove.called == l->wrong_op.called;
            unsigned add = life_add_op(v, out, m), other = front_op(v, is_first ? v->extra : v->remove, false, out, m);
            text_printf(&out->why, "{%u} and {%u} both returned the value of {%u}\n", other, op, add);
        }
        text_printf(&out->why, "when {%u} returned, the value had been removed more often than it had been added\n",
                    op);
        break;
    case LIFETIMES_SEEN_AFTER: {
        bool is_first = v->remove.returned < l->wrong_op.called;
        unsigned remove = front_op(v, is_first ? v->remove : v->extra, false, out, m), add = life_add_op(v, out, m);
        text_printf(&out->why, "{%u} removed the value of {%u} and returned before {%u} was called, which found it\n",
                    remove, add, op);
        break;
    }
    case LIFETIMES_NOT_EMPTY: explain_empty(l, op, out, m); break;
    }
}
