/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/models.h"

#include "oracle/memory/execution.h"
#include "oracle/memory/relation.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

const char *const model_names[MODELS] = {"cc", "ccv", "cm", "ccm", "wsc", "sc", "wccm", "wtso", "tso", "pso"};

rel causal(const struct execution *x, const rel *pi, const rel *wr)
{
    rel co = *pi;
    merge(&co, wr);
    closure(&co, x->n);
    return co;
}

bool is_cc(const struct execution *x, const rel *co)
{
    rel after = rw(x, co);
    for (int r = 0; r < x->n; r++)
        for (int w = 0; w < x->n; w++)
            if (has(&after, r, w) && has(co, w, r))
                return false;
    return irreflexive(co, x->n);
}

bool is_ccv(const struct execution *x, const rel *co)
{
    rel g = cf(x, co, false);
    merge(&g, &x->po);
    merge(&g, &x->wr);
    return acyclic(g, x->n);
}

/* hb_o for program order pi and causal order co */
static rel hb_of(const struct execution *x, int o, const rel *pi, const rel *co)
{
    uint64_t past = (uint64_t)1 << o;
    for (int a = 0; a < x->n; a++)
        past |= (uint64_t)has(co, a, o) << a;
    rel hb = {{0}};
    for (int a = 0; a < x->n; a++)
        if (past >> a & 1)
            hb.row[a] = co->row[a] & past;
    for (bool more = true; more;) {
        more = false;
        closure(&hb, x->n);
        for (int r = 0; r < x->n; r++)
            for (int w = 0; w < x->n && x->source[r] >= 0 && (r == o || has(pi, r, o)); w++)
                if (has(&hb, w, r) && rival_writes(x, w, x->source[r]))
                    more |= put(&hb, w, x->source[r]);
    }
    return hb;
}

bool is_cm(const struct execution *x, const rel *co)
{
    for (int o = x->inits; o < x->n; o++) {
        rel hb = hb_of(x, o, &x->po, co);
        if (!irreflexive(&hb, x->n))
            return false;
    }
    return true;
}

static rel observed(const struct execution *x, const rel *pi, const rel *co)
{
    rel hb = {{0}};
    for (int o = 0; o < x->n; o++) {
        rel one = hb_of(x, o, pi, co);
        merge(&hb, &one);
    }
    closure(&hb, x->n);
    return hb;
}

bool fits(const struct execution *x, const rel *pi, const rel *wr, const rel *ww)
{
    rel g = rw(x, ww);
    merge(&g, pi);
    merge(&g, wr);
    merge(&g, ww);
    return acyclic(g, x->n);
}

rel pww_of(const struct execution *x, const rel *co)
{
    rel hb = observed(x, &x->po, co), pww = pairs_of_writes(x, &hb), won = cf(x, &hb, false);
    merge(&pww, &won);
    closure(&pww, x->n);
    return pww;
}

bool is_ccm(const struct execution *x, const rel *co)
{
    rel pww = pww_of(x, co);
    return fits(x, &x->po, &x->wr, &pww);
}

rel wpww_of(const struct execution *x)
{
    rel co1 = causal(x, &x->ppo, &x->wr_e), co2 = causal(x, &x->loc, &x->wr);
    rel hb1 = observed(x, &x->ppo, &co1), hb2 = observed(x, &x->loc, &co2), whb = hb1;
    merge(&whb, &hb2);
    closure(&whb, x->n);
    rel wpww = pairs_of_writes(x, &whb), won1 = cf(x, &hb1, true), won2 = cf(x, &hb2, true);
    merge(&wpww, &won1);
    merge(&wpww, &won2);
    closure(&wpww, x->n);
    return wpww;
}

bool is_wccm(const struct execution *x)
{
    rel wpww = wpww_of(x);
    return fits(x, &x->ppo, &x->wr_e, &wpww) && fits(x, &x->loc, &x->wr, &wpww);
}

bool saturated(const struct execution *x, const rel *pi1, const rel *wr1, const rel *pi2, const rel *wr2, rel *store)
{
    *store = (rel){{0}};
    for (;;) {
        rel st = *store, next = st, after = rw(x, &st);
        for (int side = 0; side < 2; side++) {
            rel hb = side ? *pi2 : *pi1;
            merge(&hb, side ? wr2 : wr1);
            merge(&hb, &st);
            merge(&hb, &after);
            closure(&hb, x->n);
            if (!irreflexive(&hb, x->n))
                return false;
            rel ww = pairs_of_writes(x, &hb), won = cf(x, &hb, false);
            merge(&next, &ww);
            merge(&next, &won);
        }
        closure(&next, x->n);
        if (!memcmp(&next, &st, sizeof st))
            return true;
        *store = next;
    }
}
