/* SPDX-License-Identifier: Apache-2.0 */
/* The derivation of a contradiction that saturate_matched.c found, from the last facts back to the facts of real time.
 * A fact is a path of orders of real time and of derived orders, which are older than the fact that it explains.
 * Derived orders are explained in turn, and printed in the order in which they were found. If a fact rested on
 * operations that have been forgotten, the text says so. */
#include "theory/saturate_matched_private.h"

struct explaining {
    struct matched *p;
    struct online_fault *out;
    struct mem *mem;
    uint32_t *place; /* of each node in out->ops, or ID_NONE */
    bool *needed;    /* of each fact */
    uint32_t *list, *queue, *from,
        *by; /* active nodes; search: the node before each node, and the fact (ID_NONE: real time) */
    uint32_t n;
};

static void name_node(struct explaining *x, uint32_t node)
{
    if (x->place[node] == ID_NONE) {
        x->place[node] = x->out->ops.n;
        vec_push(x->mem, &x->out->ops, x->p->op[node]);
    }
    text_printf(&x->out->why, "{%u}", (unsigned)x->place[node]);
}

static bool real_time(const struct matched *p, uint32_t a, uint32_t b)
{
    return p->op[a].returned < p->op[b].called;
}

/* Searches a shortest path of facts below `limit`; false: there is none any more. Afterwards `from` leads back. */
static bool find_path(struct explaining *x, uint32_t a, uint32_t b, uint32_t limit)
{
    struct matched *p = x->p;
    for (uint32_t i = 0; i < x->n; i++)
        x->from[x->list[i]] = ID_NONE;
    uint32_t head = 0, tail = 0;
    x->queue[tail++] = a;
    x->from[a] = a;
    while (head < tail && x->from[b] == ID_NONE) {
        uint32_t node = x->queue[head++];
        for (uint32_t i = 0; i < limit; i++) {
            const struct fact *r = &p->facts.at[i];
            if (r->from == node && bitset_has(p->active, r->to) && x->from[r->to] == ID_NONE) {
                x->from[r->to] = node;
                x->by[r->to] = i;
                x->queue[tail++] = r->to;
            }
        }
        for (uint32_t i = 0; i < x->n; i++) {
            uint32_t to = x->list[i];
            if (x->from[to] == ID_NONE && real_time(p, node, to)) {
                x->from[to] = node;
                x->by[to] = ID_NONE;
                x->queue[tail++] = to;
            }
        }
    }
    return x->from[b] != ID_NONE;
}

static void need_fact(struct explaining *x, uint32_t a, uint32_t b, uint32_t limit)
{
    if (!find_path(x, a, b, limit))
        return;
    for (uint32_t node = b; node != a; node = x->from[node])
        if (x->by[node] != ID_NONE)
            x->needed[x->by[node]] = true;
}

static void say_fact(struct explaining *x, uint32_t a, uint32_t b, uint32_t limit)
{
    struct text *t = &x->out->why;
    name_node(x, a);
    if (real_time(x->p, a, b)) {
        text_puts(t, " returned before ");
        name_node(x, b);
        text_puts(t, " was called");
        return;
    }
    text_puts(t, " comes before ");
    if (find_path(x, a, b, limit)) {
        uint32_t n = 0; /* turned around in the queue, which is free again */
        for (uint32_t node = x->from[b]; node != a; node = x->from[node])
            x->queue[n++] = node;
        while (n) {
            name_node(x, x->queue[--n]);
            text_puts(t, " before ");
        }
    }
    name_node(x, b);
}

/* The literals of a clause but `but` are false: the premises of that are needed, or printed. */
static void premises(struct explaining *x, const struct fact *r, uint32_t but, uint32_t limit, bool say)
{
    struct matched *p = x->p;
    const struct rule *rule = &p->rules[r->rule];
    for (uint32_t l = 0; l < rule->n; l++) {
        uint32_t from, to;
        matched_ends(p, &rule->at[l], r->finder, r->free, &from, &to);
        if (l == but)
            continue;
        if (say)
            text_puts(&x->out->why, ", and ");
        if (bitset_has(p->active, from)) {
            (say ? say_fact : need_fact)(x, to, from, limit);
        } else if (say) {
            text_puts(&x->out->why, "what ");
            name_node(x, r->free);
            text_puts(&x->out->why, " put there was not taken before ");
            name_node(x, to);
        }
    }
}

static uint32_t concluded(const struct matched *p, const struct fact *r)
{
    for (uint32_t l = 0; l < p->rules[r->rule].n; l++) {
        uint32_t from, to;
        matched_ends(p, &p->rules[r->rule].at[l], r->finder, r->free, &from, &to);
        if (from == r->from && to == r->to)
            return l;
    }
    return ID_NONE;
}

static void need_premises(struct explaining *x, const struct fact *r, uint32_t limit)
{
    if (r->rule < RULE_MOST)
        premises(x, r, concluded(x->p, r), limit, false);
}

static void say_derivation(struct explaining *x, uint32_t i)
{
    const struct fact *r = &x->p->facts.at[i];
    struct text *t = &x->out->why;
    name_node(x, r->from);
    text_puts(t, " comes before ");
    name_node(x, r->to);
    if (r->rule == FACT_FORGOTTEN) {
        text_puts(t, ", because of operations that have been forgotten since");
    } else if (r->rule == FACT_FOUND) {
        text_puts(t, ", which found its value");
    } else if (r->rule == FACT_SEEN) {
        text_puts(t, ", which took what it saw");
    } else {
        text_printf(t, ", because %s", x->p->rules[r->rule].axiom->says);
        premises(x, r, concluded(x->p, r), i, true);
    }
    text_char(t, '\n');
}

static void say_contradiction(struct explaining *x)
{
    struct matched *p = x->p;
    const struct fact *c = &p->conflict;
    struct text *t = &x->out->why;
    if (c->rule < RULE_MOST) {
        text_printf(t, "But %s", p->rules[c->rule].axiom->says);
        premises(x, c, ID_NONE, p->facts.n, true);
    } else {
        text_puts(t, "But ");
        name_node(x, c->from);
        text_puts(t, " must come before ");
        name_node(x, c->to);
        text_puts(t, ", and ");
        say_fact(x, c->to, c->from, p->facts.n);
    }
    text_char(t, '\n');
}

static void explain_order(struct explaining *x)
{
    struct matched *p = x->p;
    uint32_t nodes = PLANES * p->cap;
    uint32_t **tables[] = {&x->place, &x->list, &x->queue, &x->from, &x->by};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        *tables[i] = mem_new(p->mem, uint32_t, nodes);
    x->needed = mem_new_zero(p->mem, bool, p->facts.n + 1);
    for (uint32_t i = 0; i < nodes; i++) {
        x->place[i] = ID_NONE;
        if (bitset_has(p->active, i))
            x->list[x->n++] = i;
    }
    if (p->conflict.rule < RULE_MOST)
        premises(x, &p->conflict, ID_NONE, p->facts.n, false);
    else
        need_fact(x, p->conflict.to, p->conflict.from, p->facts.n);
    for (uint32_t i = p->facts.n; i-- > 0;)
        if (x->needed[i])
            need_premises(x, &p->facts.at[i], i);
    for (uint32_t i = 0; i < p->facts.n; i++)
        if (x->needed[i])
            say_derivation(x, i);
    say_contradiction(x);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        mem_free(p->mem, *tables[i]);
    mem_free(p->mem, x->needed);
}

void matched_explain(void *state, struct online_fault *out, struct mem *m)
{
    struct matched *p = state;
    struct explaining x = {.p = p, .out = out, .mem = m};
    out->step = p->fault_step;
    out->why = text_in(m);
    if (p->fault == FAULT_ORDER) {
        explain_order(&x);
        return;
    }
    vec_push(m, &out->ops, p->culprit);
    if (p->fault == FAULT_TWICE) {
        vec_push(m, &out->ops, p->op[p->twin]);
        text_puts(&out->why, "{1} has taken what {0} took\n");
    } else if (p->fault == FAULT_IMPOSSIBLE) {
        text_puts(&out->why, "{0} cannot return this\n");
    } else {
        text_puts(&out->why, "what {0} found had not been put there, or was gone\n");
    }
}
