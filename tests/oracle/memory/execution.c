/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/execution.h"

#include "oracle/memory/history.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>
#include <string.h>

int var_of(const struct execution *x, int a)
{
    return a < x->inits ? a : x->h->ops[x->op[a]].var;
}

bool node_writes(const struct execution *x, int a)
{
    return a < x->inits || writes(&x->h->ops[x->op[a]]);
}

int value_of(const struct execution *x, int a) /* written */
{
    return a < x->inits ? x->h->vars[a].init : x->h->ops[x->op[a]].val;
}

bool same_var(const struct execution *x, int a, int b)
{
    return var_of(x, a) == var_of(x, b);
}

bool rival_writes(const struct execution *x, int a, int b)
{
    return a != b && node_writes(x, a) && node_writes(x, b) && same_var(x, a, b);
}

rel pairs_of_writes(const struct execution *x, const rel *r)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int b = 0; b < x->n; b++)
            if (has(r, a, b) && node_writes(x, a) && node_writes(x, b) && same_var(x, a, b))
                put(&out, a, b);
    return out;
}

rel rw(const struct execution *x, const rel *r)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int w = 0; w < x->n && x->source[a] >= 0; w++)
            if (w != a && rival_writes(x, x->source[a], w) && has(r, x->source[a], w))
                put(&out, a, w);
    return out;
}

static bool external(const struct execution *x, int read)
{
    int s = x->source[read];
    return s >= x->inits && x->h->ops[x->op[s]].thread != x->h->ops[x->op[read]].thread;
}

rel cf(const struct execution *x, const rel *r, bool external_only)
{
    rel out = {{0}};
    for (int a = 0; a < x->n; a++)
        for (int w = 0; w < x->n && x->source[a] >= 0; w++)
            if (rival_writes(x, w, x->source[a]) && has(r, w, a) && (!external_only || external(x, a)))
                put(&out, w, x->source[a]);
    return out;
}

/* In any thread */
static bool fence_between(const struct history *h, const struct order *o, int a, int b)
{
    for (int i = 0; i < h->n; i++)
        if (h->ops[i].kind == FENCE && precedes(o, a, i) && precedes(o, i, b))
            return true;
    return false;
}

static void order_pair(struct execution *x, const struct order *o, int a, int b)
{
    const struct op *p = &x->h->ops[x->op[a]], *q = &x->h->ops[x->op[b]];
    if (!precedes(o, x->op[a], x->op[b]))
        return;
    bool fenced = fence_between(x->h, o, x->op[a], x->op[b]);
    put(&x->po, a, b);
    if (fenced || !(p->kind == WRITE && q->kind == READ))
        put(&x->ppo, a, b);
    if (fenced || !(p->kind == WRITE && (q->kind == READ || (q->kind == WRITE && p->var != q->var))))
        put(&x->pso, a, b);
    if (p->var == q->var)
        put(&x->loc, a, b);
}

static void orders(struct execution *x)
{
    for (int a = 0; a < x->inits; a++)
        for (int b = x->inits; b < x->n; b++) {
            put(&x->po, a, b);
            if (node_writes(x, b)) {
                put(&x->ppo, a, b);
                put(&x->pso, a, b);
            }
            if (same_var(x, a, b))
                put(&x->loc, a, b);
        }
    struct order o = program_order(x->h, x->h->po_after);
    for (int a = x->inits; a < x->n; a++)
        for (int b = x->inits; b < x->n; b++)
            order_pair(x, &o, a, b);
    closure(&x->ppo, x->n); /* an rmw is ordered with all before and after it, hence these with each other */
    closure(&x->pso, x->n);
}

void sources_to_relations(struct execution *x)
{
    memset(&x->wr, 0, sizeof x->wr);
    memset(&x->wr_e, 0, sizeof x->wr_e);
    for (int a = x->inits; a < x->n; a++)
        if (x->source[a] >= 0) {
            put(&x->wr, x->source[a], a);
            if (external(x, a))
                put(&x->wr_e, x->source[a], a);
        }
}

struct execution take_part(const struct history *h, int set)
{
    struct execution x = {.h = h, .n = h->var_count, .inits = h->var_count};
    for (int v = 0; v < h->var_count; v++)
        x.op[v] = NOTHING;
    for (int i = 0, p = 0; i < h->n; i++) {
        bool left_out = h->ops[i].pending;
        if (left_out && writes(&h->ops[i]))
            left_out = !(set >> p++ & 1);
        if (!left_out && h->ops[i].kind != FENCE)
            x.op[x.n++] = i;
    }
    orders(&x);
    return x;
}
