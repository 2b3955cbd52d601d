/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/oracle.h"

#include "oracle/memory/execution.h"
#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool final_fits(const struct execution *x, int v, int last)
{
    return x->h->vars[v].final == NOTHING || x->h->vars[v].final == value_of(x, last);
}

bool each_store_order(const struct execution *x, int v, uint64_t placed, int last, const rel *ww, visit *f,
                      void *context)
{
    if (v == x->inits)
        return f(x, ww, context);
    bool complete = true;
    for (int w = x->inits; w < x->n; w++) {
        if (var_of(x, w) != v || !node_writes(x, w) || placed >> w & 1)
            continue;
        complete = false;
        rel longer = *ww;
        uint64_t before = placed | (uint64_t)1 << v;
        for (int a = 0; a < x->n; a++)
            if (before >> a & 1)
                put(&longer, a, w);
        if (each_store_order(x, v, placed | (uint64_t)1 << w, w, &longer, f, context))
            return true;
    }
    return complete && final_fits(x, v, last) && each_store_order(x, v + 1, 0, v + 1, ww, f, context);
}

static bool judge_order(const struct execution *x, const rel *ww, void *context)
{
    bool *ok = context, loc = fits(x, &x->loc, &x->wr, ww);
    ok[SC] = ok[SC] || fits(x, &x->po, &x->wr, ww);
    ok[TSO] = ok[TSO] || (loc && fits(x, &x->ppo, &x->wr_e, ww));
    ok[PSO] = ok[PSO] || (loc && fits(x, &x->pso, &x->wr_e, ww));
    return ok[SC] && ok[TSO] && ok[PSO];
}

static void judge(struct execution *x, bool ok[MODELS])
{
    sources_to_relations(x);
    rel co = causal(x, &x->po, &x->wr), ww = {{0}}, st;
    bool cc = is_cc(x, &co);
    ok[CC] = ok[CC] || cc;
    ok[CCV] = ok[CCV] || (cc && is_ccv(x, &co));
    ok[CM] = ok[CM] || (cc && is_cm(x, &co));
    ok[CCM] = ok[CCM] || is_ccm(x, &co);
    ok[WCCM] = ok[WCCM] || is_wccm(x);
    ok[WSC] = ok[WSC] || saturated(x, &x->po, &x->wr, &x->po, &x->wr, &st);
    ok[WTSO] = ok[WTSO] || saturated(x, &x->ppo, &x->wr_e, &x->loc, &x->wr, &st);
    each_store_order(x, 0, 0, 0, &ww, judge_order, ok);
}

static void each_source(struct execution *x, int a, bool ok[MODELS])
{
    while (a < x->n && (a < x->inits || !reads(&x->h->ops[x->op[a]])))
        x->source[a++] = NOTHING;
    if (a == x->n) {
        judge(x, ok);
        return;
    }
    for (int w = 0; w < x->n; w++)
        if (w != a && node_writes(x, w) && same_var(x, a, w) && value_of(x, w) == x->h->ops[x->op[a]].old) {
            x->source[a] = w;
            each_source(x, a + 1, ok);
        }
}

void oracle(const struct history *h, bool ok[MODELS])
{
    int count = 0;
    memset(ok, 0, MODELS * sizeof *ok);
    for (int i = 0; i < h->n; i++)
        count += h->ops[i].pending && writes(&h->ops[i]);
    for (int set = 0; set < 1 << count; set++) {
        struct execution x = take_part(h, set);
        each_source(&x, 0, ok);
    }
}

double effort(const struct history *h)
{
    double e = 1;
    for (int i = 0; i < h->n; i++) {
        int sources = h->ops[i].kind != FENCE && h->vars[h->ops[i].var].init == h->ops[i].old, rank = 1;
        for (int j = 0; j < h->n; j++)
            if (writes(&h->ops[j]) && h->ops[j].var == h->ops[i].var) {
                sources += h->ops[j].val == h->ops[i].old;
                rank += j < i;
            }
        if (reads(&h->ops[i]) && sources > 1)
            e *= sources;
        if (writes(&h->ops[i]))
            e *= rank * (h->ops[i].pending ? 2 : 1);
    }
    return e;
}
