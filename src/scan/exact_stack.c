/* SPDX-License-Identifier: Apache-2.0 */
/* The online checker `exact-stack`: linearizability of a stack whose values are distinct, in memory for live values
 * only.
 *
 * stack_row.h has the theory. lifetimes.h follows the lifetime of each value, and checks operations that found the
 * stack empty. This file tells the row where a value begins to cover, where it ends to cover, and where its pop
 * returns. Then it asks the row for a core.
 *
 * fast_stack.c remains beside it. Peeling also places each push and pop, round by round, and so finds a witness. The
 * row keeps the least level between two marks only, and forgets what was popped. */
#include "scan/stack_peeks.h"

#include "spec/roles.h"

enum { KEPT = 256 }; /* popped values that are kept for reports */

static struct stay *stay_of(struct stack *s, uint32_t lifetime)
{
    while (s->stays.n <= lifetime)
        vec_push(s->mem, &s->stays, (struct stay){0});
    if (!(lifetime_at(&s->lifetimes, lifetime)->flags & LIFETIME_SHOWN))
        s->stays.at[lifetime] = (struct stay){0};
    return &s->stays.at[lifetime];
}

/* ---- cores ---- */

/* Is there no core, after levels of the gaps from .. to-1 were raised, or the lifetime got a new peek? */
static bool is_fine(struct stack *s, uint64_t from, uint64_t to, uint32_t lifetime, const struct online_op *op)
{
    vec_clear(&s->caught);
    s->core = row_core(&s->row);
    if (s->core == ROW_NEVER && s->peeked.n)
        s->core = peeks_core(s, from, to, lifetime);
    if (s->core == ROW_NEVER)
        return true;
    s->last = *op;
    return false;
}

static void keep_for_a_while(struct stack *s, uint32_t lifetime)
{
    ring_push(s->mem, &s->gone, lifetime_hold(&s->lifetimes, lifetime));
    if (s->gone.n <= KEPT)
        return;
    lifetime_drop(&s->lifetimes, ring_front(&s->gone));
    ring_drop(&s->gone);
}

/* ---- events ---- */

static void covers(struct stack *s, uint32_t lifetime, struct stay *x)
{
    if (!(lifetime_at(&s->lifetimes, lifetime)->flags & LIFETIME_COUNTED))
        return;
    x->r = s->now;
    row_push(&s->row, lifetime, x->c, s->now);
}

static void ends(struct stack *s, struct stay *x)
{
    if (!x->r)
        return;
    x->q = s->now;
    row_call_pop(&s->row, x->r, s->now);
}

static bool is_popped(struct stack *s, uint32_t lifetime, struct stay *x, const struct online_op *op)
{
    if (!x->r)
        return true;
    x->t = s->now;
    row_pop(&s->row, x->r, x->q);
    peeks_forget(s, lifetime);
    peeks_raise(s, x->r, x->q, x->r);
    keep_for_a_while(s, lifetime);
    return is_fine(s, x->r, x->q, ID_NONE, op);
}

static void begin_peek(struct stack *s, uint32_t lifetime, const struct online_op *op)
{
    struct open_peek p = {lifetime, op->called, s->now + 1};
    vec_push(s->mem, &s->open_peeks, p);
    row_mark(&s->row, p.at);
}

static bool end_peek(struct stack *s, uint32_t lifetime, const struct stay *x, const struct online_op *op)
{
    uint32_t i = 0;
    while (s->open_peeks.at[i].called != op->called)
        i++;
    uint64_t at = s->open_peeks.at[i].at;
    s->open_peeks.at[i] = vec_pop(&s->open_peeks);
    bool fine = true;
    if (x->r && !x->t && peeks_add(s, lifetime, op, at))
        fine = is_fine(s, s->now, s->now, lifetime, op);
    row_leave(&s->row, at, at);
    return fine;
}

static bool pass(void *state, const struct lifetimes_event *e)
{
    struct stack *s = state;
    const struct online_op *op = e->observation == ID_NONE ? NULL : &s->lifetimes.observations.at[e->observation].op;
    struct stay *x = stay_of(s, e->lifetime);
    s->now += 2;
    switch (e->kind) {
    case LIFETIMES_ADD_CALL: x->c = s->now; return true;
    case LIFETIMES_COMES_IN: covers(s, e->lifetime, x); return true;
    case LIFETIMES_OBSERVATION_CALL:
        if (e->last)
            ends(s, x);
        if (op->method == COLLECTION_PEEK)
            begin_peek(s, e->lifetime, op);
        return true;
    case LIFETIMES_OBSERVATION_RETURN:
        return op->method == COLLECTION_PEEK ? end_peek(s, e->lifetime, x, op) : is_popped(s, e->lifetime, x, op);
    }
    return false;
}

/* The value is left out from now on. */
static void give_up(void *state, uint32_t lifetime)
{
    struct stack *s = state;
    struct stay *x = stay_of(s, lifetime);
    peeks_forget(s, lifetime);
    for (uint32_t i = s->open_peeks.n; i-- > 0;)
        if (s->open_peeks.at[i].lifetime == lifetime) {
            row_leave(&s->row, s->open_peeks.at[i].at, s->open_peeks.at[i].at);
            s->open_peeks.at[i] = vec_pop(&s->open_peeks);
        }
    if (!x->r || x->t)
        return;
    row_leave(&s->row, x->r, x->q ? x->q : x->r);
    x->r = 0;
}

/* ---- the scan ---- */

static void explain(void *state, struct online_fault *out, struct mem *m)
{
    stack_explain_core(state, out, m);
}

static const struct lifetimes_scan lifetimes_scan = {pass, give_up, explain};

static void *open(const struct online_setup *setup)
{
    struct stack *s = mem_new_zero(setup->mem, struct stack, 1);
    s->mem = setup->mem;
    s->core = ROW_NEVER;
    row_open(&s->row, s->mem);
    lifetimes_open(&s->lifetimes, &lifetimes_scan, setup);
    return s;
}

static void close(void *state)
{
    struct stack *s = state;
    peeks_close(s);
    row_close(&s->row);
    lifetimes_close(&s->lifetimes);
    vec_free(s->mem, &s->stays);
    vec_free(s->mem, &s->open_peeks);
    ring_free(s->mem, &s->gone);
    mem_free(s->mem, s);
}

static void each_value(void *state, void (*visit)(void *arg, struct value v), void *arg)
{
    struct stack *s = state;
    lifetimes_each_value(&s->lifetimes, visit, arg);
    visit(arg, s->last.result);
}

static uint64_t live(const void *state)
{
    const struct stack *s = state;
    return lifetimes_count(&s->lifetimes) + s->peeked.n;
}

static void image_peeks(struct image *x, struct mem *m, struct peeked *p)
{
    image_plain(x, &p->lifetime);
    image_plain(x, &p->first);
    image_plain(x, &p->last);
    uint32_t n = image_count(x, p->peeks.n, sizeof(struct online_op));
    while (x->loads && p->peeks.n < n)
        vec_push(m, &p->peeks, ((struct peek){.to = 0}));
    for (uint32_t i = 0; i < n; i++) {
        image_plain(x, &p->peeks.at[i].op);
        image_plain(x, &p->peeks.at[i].to);
        image_vec(x, m, &p->peeks.at[i].parts);
    }
}

static void image(void *state, struct image *x)
{
    struct stack *s = state;
    lifetimes_image(&s->lifetimes, x);
    image_vec(x, s->mem, &s->stays);
    image_plain(x, &s->now);
    image_vec(x, s->mem, &s->row.marks);
    image_vec(x, s->mem, &s->open_peeks);
    uint32_t n = image_count(x, s->peeked.n, sizeof(uint64_t));
    while (x->loads && s->peeked.n < n)
        vec_push(s->mem, &s->peeked, ((struct peeked){.lifetime = 0}));
    for (uint32_t i = 0; i < n; i++)
        image_peeks(x, s->mem, &s->peeked.at[i]);
    image_ring(x, s->mem, &s->gone);
}

/* There is no `each_held` for the journal: a popped value may order values that are still there. Let x be on top of a,
 * and let b be pushed when x is there and the push of a has not returned. Then b is above a. */
static const struct scan scan = {
    .object = &spec_stack,
    .open = open,
    .close = close,
    .each_value = each_value,
    .live = live,
    .image = image,
    LIFETIMES_SCAN,
};

HOLDBACK_MEMBER(exact_stack, "exact-stack", "stacks whose values are distinct: do the times they were there nest?",
                scan);
