/* SPDX-License-Identifier: Apache-2.0 */
/* Report of a stack that does not nest: the values of a small core, and the operations that make it a core
 * (stack_row.h).
 *
 * Values that are known to be on the stack have marks in the row. Values popped not long ago have been kept. The last A
 * that makes a core with these values is taken. From A on, values are chosen that reach as far as possible, one after
 * another. If the core rests on peeks, the A that was found is taken, and values that cover these peeks are chosen as
 * well. */
#include "scan/fault.h"
#include "scan/stack.h"
#include "spec/roles.h"

struct chosen {
    uint32_t lifetime;
    const struct peek *peek; /* the peek that makes it belong to the core; NULL: its push or pop does */
};

struct core {
    const struct stack *s;
    struct mem *m;
    uint64_t from;
    VEC(uint32_t) pool; /* lifetimes that may belong to the core */
    VEC(struct chosen) chosen;
};

static const struct stay *stay(const struct core *c, uint32_t lifetime)
{
    return &c->s->stays.at[lifetime];
}

static bool is_caught(const struct core *c, uint32_t lifetime)
{
    for (uint32_t i = 0; i < c->s->caught.n; i++)
        if (c->s->caught.at[i] == lifetime)
            return true;
    return false;
}

static bool belongs(const struct core *c, uint32_t lifetime)
{
    const struct stay *x = stay(c, lifetime);
    return x->r >= c->from && (x->t || x->c >= c->from || is_caught(c, lifetime));
}

static uint64_t end_of(const struct core *c, uint32_t lifetime)
{
    const struct stay *x = stay(c, lifetime);
    return x->q ? x->q : ROW_NEVER;
}

/* The value that reaches furthest among the values of the core that cover the gap, or ID_NONE. */
static uint32_t cover_of(const struct core *c, uint64_t gap, uint32_t except)
{
    uint32_t best = ID_NONE;
    for (uint32_t i = 0; i < c->pool.n; i++) {
        uint32_t lifetime = c->pool.at[i];
        if (lifetime == except || !belongs(c, lifetime) || stay(c, lifetime)->r > gap || end_of(c, lifetime) <= gap)
            continue;
        if (best == ID_NONE || end_of(c, lifetime) > end_of(c, best))
            best = lifetime;
    }
    return best;
}

static void choose(struct core *c, uint32_t lifetime)
{
    for (uint32_t i = 0; i < c->chosen.n; i++)
        if (c->chosen.at[i].lifetime == lifetime)
            return;
    struct chosen x = {lifetime, NULL};
    vec_push(c->m, &c->chosen, x);
}

/* Chooses values, except one, that cover the gaps from .. to-1. False: some of them are no longer kept. */
static bool choose_cover(struct core *c, uint64_t from, uint64_t to, uint32_t except)
{
    while (from < to) {
        uint32_t lifetime = cover_of(c, from, except);
        if (lifetime == ID_NONE)
            return false;
        choose(c, lifetime);
        from = end_of(c, lifetime);
    }
    return true;
}

static bool choose_from(struct core *c, uint64_t from)
{
    vec_clear(&c->chosen);
    c->from = from;
    return choose_cover(c, from, c->s->now, ID_NONE);
}

/* ---- peeks ---- */

static bool is_covered(const struct core *c, const struct peek *p, uint32_t lifetime)
{
    for (uint64_t reach = p->parts.at[0].at; reach < p->to;) {
        uint32_t other = cover_of(c, reach, lifetime);
        if (other == ID_NONE)
            return false;
        reach = end_of(c, other);
    }
    return true;
}

static const struct peek *covered_peek(const struct core *c, uint32_t lifetime)
{
    uint32_t i = 0;
    while (c->s->peeked.at[i].lifetime != lifetime)
        i++;
    const struct peeked *x = &c->s->peeked.at[i];
    for (uint32_t k = 0; k < x->peeks.n; k++)
        if (is_covered(c, &x->peeks.at[k], lifetime))
            return &x->peeks.at[k];
    return NULL;
}

/* For each chosen value that needs it, chooses a peek and values that cover the peek. False: a peek was not found. */
static bool choose_for_peeks(struct core *c)
{
    bool whole = true;
    for (uint32_t i = 0; i < c->chosen.n; i++) {
        uint32_t lifetime = c->chosen.at[i].lifetime;
        const struct stay *x = stay(c, lifetime);
        if (x->t || x->c >= c->from)
            continue;
        const struct peek *p = covered_peek(c, lifetime);
        c->chosen.at[i].peek = p;
        if (p)
            choose_cover(c, p->parts.at[0].at, p->to, lifetime);
        else
            whole = false;
    }
    return whole;
}

/* ---- choosing a core ---- */

static void fill_pool(struct core *c)
{
    const struct stack *s = c->s;
    for (uint32_t i = 0; i < s->gone.n; i++)
        vec_push(c->m, &c->pool, ring_at(&s->gone, i));
    for (uint32_t i = 0; i < s->row.marks.n; i++) {
        uint32_t lifetime = s->row.marks.at[i].lifetime;
        if (lifetime != ID_NONE && stay(c, lifetime)->r == s->row.marks.at[i].at && stay(c, lifetime)->r >= s->core)
            vec_push(c->m, &c->pool, lifetime);
    }
}

/* The last A before `below` that is the r of a value that has been popped, or 0. */
static uint64_t begin_before(const struct core *c, uint64_t below)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < c->s->gone.n; i++) {
        uint64_t r = stay(c, ring_at(&c->s->gone, i))->r;
        last = r < below && r > last ? r : last;
    }
    return last;
}

static bool choose_core(struct core *c)
{
    fill_pool(c);
    if (!c->s->caught.n)
        for (uint64_t from = begin_before(c, ROW_NEVER); from > c->s->core; from = begin_before(c, from))
            if (choose_from(c, from))
                return true;
    bool whole = choose_from(c, c->s->core);
    return choose_for_peeks(c) && whole;
}

/* ---- in words ---- */

static unsigned pop_op(const struct lifetime *v, struct online_fault *out, struct mem *m)
{
    struct online_op op = {v->remove.called, v->remove.returned, COLLECTION_REMOVE, {0}, v->value};
    return fault_op(out, m, &op);
}

/* The operation whose return proves that the value is on the stack. */
static unsigned first_op(const struct lifetime *v, struct online_fault *out, struct mem *m)
{
    bool seen = v->flags & LIFETIME_SEEN && v->first.returned < v->add.returned;
    return seen ? lifetime_first_op(v, out, m) : lifetime_add_op(v, out, m);
}

static void say_stay(const struct core *c, uint32_t lifetime, struct online_fault *out)
{
    const struct lifetime *v = &c->s->lifetimes.all.at[lifetime];
    unsigned push = lifetime_add_op(v, out, c->m);
    text_printf(&out->why, "the value of {%u} was there from the return of {%u} on", push, first_op(v, out, c->m));
    if (stay(c, lifetime)->q)
        text_printf(&out->why, ", at least to the call of {%u}\n", lifetime_last_op(v, out, c->m));
    else
        text_puts(&out->why, ", and still was when {0} returned\n");
}

/* Says that one of the chosen values was there at every moment from A on. */
static void say_time(const struct core *c, bool whole, struct online_fault *out)
{
    text_puts(&out->why, "one of them");
    if (!whole)
        text_puts(&out->why, ", or of those popped too long ago to be named,");
    text_puts(&out->why, " was there at every moment");
    if (whole)
        text_printf(&out->why, " from the return of {%u}",
                    first_op(&c->s->lifetimes.all.at[c->chosen.at[0].lifetime], out, c->m));
    text_puts(&out->why, " to the return of {0}\n");
}

static void say_why(const struct core *c, const struct chosen *x, struct online_fault *out)
{
    const struct lifetime *v = &c->s->lifetimes.all.at[x->lifetime];
    unsigned push = lifetime_add_op(v, out, c->m);
    if (x->peek)
        text_printf(&out->why, "{%u} found the value of {%u} on top, while at every moment another one was there\n",
                    fault_op(out, c->m, &x->peek->op), push);
    else if (stay(c, x->lifetime)->c >= c->from)
        text_printf(&out->why, "{%u} took effect in that time\n", push);
    else if (stay(c, x->lifetime)->t)
        text_printf(&out->why, "{%u} took effect in that time\n", pop_op(v, out, c->m));
}

void stack_explain_core(const struct stack *s, struct online_fault *out, struct mem *m)
{
    struct core c = {.s = s, .m = m};
    fault_op(out, m, &s->last);
    out->step = s->last.returned;
    out->pattern = "NotNested";
    bool whole = choose_core(&c);
    for (uint32_t i = 0; i < c.chosen.n; i++)
        say_stay(&c, c.chosen.at[i].lifetime, out);
    say_time(&c, whole, out);
    for (uint32_t i = 0; i < c.chosen.n; i++)
        say_why(&c, &c.chosen.at[i], out);
    text_puts(&out->why, "so each of these values was pushed, popped or found on top while another one was there: none "
                         "of them can have been the lowest\n");
    vec_free(m, &c.pool);
    vec_free(m, &c.chosen);
}
