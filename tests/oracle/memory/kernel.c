/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/kernel.h"

#include "oracle/finding.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/execution.h"
#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/relation.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct intersection {
    bool tso;
    rel common;
};

/* The intersection of all store orders of an sc or tso history with unique values and no pending writes */
static bool intersect(const struct execution *x, const rel *ww, void *context)
{
    struct intersection *i = context;
    if (i->tso ? fits(x, &x->ppo, &x->wr_e, ww) && fits(x, &x->loc, &x->wr, ww) : fits(x, &x->po, &x->wr, ww))
        for (int a = 0; a < x->n; a++)
            i->common.row[a] &= ww->row[a];
    return false;
}

/* What ccv orders: writes by causes, and by conflict */
static rel converged(const struct execution *x, const rel *co)
{
    rel order = pairs_of_writes(x, co), won = cf(x, co, false);
    merge(&order, &won);
    closure(&order, x->n);
    return order;
}

static void only_sources(struct execution *x)
{
    for (int a = 0; a < x->n; a++) {
        x->source[a] = NOTHING;
        for (int w = 0; a >= x->inits && reads(&x->h->ops[x->op[a]]) && w < x->n; w++)
            if (w != a && node_writes(x, w) && same_var(x, a, w) && value_of(x, w) == x->h->ops[x->op[a]].old)
                x->source[a] = w;
    }
    sources_to_relations(x);
}

void check_kernel(const struct history *h, const assay_history *a, const char *text, bool tso, bool fits_model)
{
    assay_error e = {0};
    const char *model = tso ? "tso" : "sc";
    assay_kernel *k = assay_kernel_of_model(a, model, NULL, &e);
    counts.kernels++;
    if (!k != !fits_model)
        finding(text, "kernel: %s, though %s is %s", k ? "there is one" : e.message, model, verdict_word(fits_model));
    if (!k || !fits_model) {
        assay_kernel_free(k);
        return;
    }
    struct execution x = take_part(h, 0);
    only_sources(&x);
    struct intersection all_orders = {.tso = tso};
    rel none = {{0}}, st, co = causal(&x, &x.po, &x.wr), ccv = converged(&x, &co);
    rel pww = tso ? wpww_of(&x) : pww_of(&x, &co);
    memset(&all_orders.common, 255, sizeof all_orders.common);
    each_store_order(&x, 0, 0, 0, &none, intersect, &all_orders);
    rel common = all_orders.common;
    saturated(&x, tso ? &x.ppo : &x.po, tso ? &x.wr_e : &x.wr, tso ? &x.loc : &x.po, &x.wr, &st);
    uint64_t forced = 0, all = 0, open = 0;
    for (int v = x.inits; v < x.n; v++)
        for (int w = x.inits; w < x.n; w++) {
            forced += rival_writes(&x, v, w) && has(&common, v, w);
            all += v < w && rival_writes(&x, v, w);
            open += v < w && rival_writes(&x, v, w) && !has(&st, v, w) && !has(&st, w, v);
        }
    bool rmws = false; /* whether rw from an rmw to a write counts as a pair of ccm or ccv is a matter of taste */
    for (int i = 0; i < h->n; i++)
        rmws = rmws || h->ops[i].kind == RMW;
    if (forced != assay_kernel_size(k) || all != assay_kernel_write_pairs(k) || open != assay_kernel_open_pairs(k))
        finding(text, "kernel: %d of %d pairs, %d open; the definition says %d of %d, %d open",
                (int)assay_kernel_size(k), (int)assay_kernel_write_pairs(k), (int)assay_kernel_open_pairs(k),
                (int)forced, (int)all, (int)open);
    for (size_t i = 0; i < assay_kernel_size(k); i++) {
        assay_kernel_pair p = assay_kernel_at(k, i);
        int v = 0, w = 0;
        for (int n = x.inits; n < x.n; n++) {
            v = x.op[n] == (int)p.first ? n : v;
            w = x.op[n] == (int)p.second ? n : w;
        }
        if (!has(&common, v, w) || has(&st, v, w) != p.saturated ||
            (!rmws && (has(&pww, v, w) != p.by_ccm || has(&ccv, v, w) != p.by_ccv)))
            finding(text, "kernel of %s: the pair %d, %d (wsc or wtso %d, ccm or wccm %d, ccv %d)", model, (int)p.first,
                    (int)p.second, p.saturated, p.by_ccm, p.by_ccv);
    }
    assay_kernel_free(k);
}
