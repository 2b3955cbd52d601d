/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/cuts.h"

#include "oracle/finding.h"
#include "oracle/memory/across.h"
#include "oracle/memory/build.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/draw.h"
#include "oracle/memory/history.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Do declared last values count? */
static bool uses_finals(int m)
{
    return m == SC || m == TSO || m == PSO;
}

static bool may_read_from(const struct op *reader, const struct op *writer)
{
    return reads(reader) && writes(writer) && reader->var == writer->var && reader->old == writer->val;
}

/* Of each operation: can it have taken effect? A pending rmw did not, if nothing that can have wrote its old value. */
static void find_possible(const struct history *h, bool *possible)
{
    for (int i = 0; i < h->n; i++) {
        const struct op *o = &h->ops[i];
        possible[i] = !o->pending || o->kind != RMW || o->old == h->vars[o->var].init;
    }
    for (int round = 0; round < h->n; round++)
        for (int i = 0; i < h->n; i++)
            for (int w = 0; w < h->n; w++)
                possible[i] |= possible[w] && may_read_from(&h->ops[i], &h->ops[w]);
}

/* Does a kept read lack a write that it may have read from? */
static bool lacks_source(const struct history *h, const bool *keep, int i)
{
    bool possible[MAX_OPS];
    find_possible(h, possible);
    for (int w = 0; w < h->n && keep[i]; w++)
        if (!keep[w] && possible[w] && w != i && may_read_from(&h->ops[i], &h->ops[w]))
            return true;
    return false;
}

static bool lacks_final(const struct history *h, const bool *keep)
{
    bool possible[MAX_OPS];
    find_possible(h, possible);
    for (int w = 0; w < h->n; w++)
        if (!keep[w] && possible[w] && writes(&h->ops[w]) && h->vars[h->ops[w].var].final == h->ops[w].val)
            return true;
    return false;
}

/* Operation i goes, with all that may have read what it wrote, and so on. False: a final value needs one of them. */
static bool cut(struct history *h, int i, bool finals)
{
    bool keep[MAX_OPS];
    memset(keep, true, sizeof keep);
    keep[i] = false;
    for (bool again = true; again;) {
        again = false;
        for (int r = 0; r < h->n; r++)
            if (lacks_source(h, keep, r)) {
                keep[r] = false;
                again = true;
            }
    }
    if (finals && lacks_final(h, keep))
        return false;
    keep_only(h, keep);
    return true;
}

static void cuts_keep_it_consistent(const struct history *h, const char *text, const bool ok[MODELS])
{
    for (int i = 0; i < 2 * h->n; i++) {
        struct history rest = *h;
        bool finals = i < h->n, still[MODELS];
        if (!cut(&rest, i % h->n, finals))
            continue;
        oracle(&rest, still);
        counts.cuts++;
        for (int m = 0; m < MODELS; m++)
            if (ok[m] && !still[m] && (finals || !uses_finals(m)))
                finding(text, "%s holds, but not without operation %d and its readers", model_names[m], i % h->n);
    }
}

/* ---- what shrinking leaves ---- */

static bool violates(const struct history *h, int m)
{
    bool ok[MODELS];
    oracle(h, ok);
    return !ok[m];
}

static bool is_closed(const struct history *h, const bool *keep, int m)
{
    for (int i = 0; i < h->n; i++)
        if (lacks_source(h, keep, i))
            return false;
    return !uses_finals(m) || !lacks_final(h, keep);
}

static bool has_pattern(const struct history *h, int m, const char *pattern)
{
    assay_error e = {0};
    assay_history *a = build(h, &e);
    assay_result *r = a ? assay_check(a, model_names[m], NULL, &e) : NULL;
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION && strcmp(assay_result_pattern(r), pattern) == 0;
    assay_result_free(r);
    assay_history_free(a);
    return yes;
}

static void check_rest(const struct history *h, const bool *keep, const assay_history *small, const char *text, int m,
                       const char *pattern)
{
    struct history rest = *h;
    assay_error e = {0};
    keep_only(&rest, keep);
    assay_result *r = assay_check(small, model_names[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, &e);
    if (!r || assay_result_verdict(r) != ASSAY_VIOLATION || !violates(&rest, m))
        finding(text, "%s: shrunk to %d operations, which are no violation", model_names[m], rest.n);
    else if (strcmp(assay_result_pattern(r), pattern) != 0)
        finding(text, "%s: %s has become %s by shrinking", model_names[m], pattern, assay_result_pattern(r));
    else
        confirm(&(struct question){.history = small, .text = text, .model = model_names[m]}, r);
    assay_result_free(r);
    if (!is_closed(h, keep, m))
        finding(text, "%s: shrunk to %d operations by a cut that is not allowed", model_names[m], rest.n);
    for (int i = 0; i < rest.n; i++) {
        struct history less = rest;
        if (cut(&less, i, uses_finals(m)) && violates(&less, m) && has_pattern(&less, m, pattern))
            finding(text, "%s: shrunk to %d operations, of which number %d can go", model_names[m], rest.n, i);
    }
}

static void shrinks_well(const struct history *h, const assay_history *a, const assay_result *r, const char *text,
                         int m)
{
    uint32_t kept[MAX_OPS];
    bool keep[MAX_OPS] = {false};
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    counts.shrunk++;
    for (uint32_t i = 0; small && i < assay_history_size(small); i++) {
        keep[kept[i]] = true;
        if (assay_history_operation(small, i).line != assay_history_operation(a, kept[i]).line)
            finding(text, "%s: shrinking changes a line", model_names[m]);
    }
    if (small)
        check_rest(h, keep, small, text, m, assay_result_pattern(r));
    else
        finding(text, "%s: it cannot be shrunk: %s", model_names[m], e.message);
    assay_history_free(small);
}

/* ---- histories ---- */

/* Any of all small histories: each operation is of any kind, with values of which some are written often. */
static void draw_any(struct history *h)
{
    *h = (struct history){.n = 2 + below(4), .threads = 2, .var_count = 2, .default_init = NOTHING};
    for (int v = 0; v < h->var_count; v++)
        h->vars[v] = (struct var){.name = v, .final = chance(25) ? below(3) : NOTHING};
    for (int i = 0; i < h->n; i++)
        h->ops[i] = (struct op){.kind = chance(10) ? FENCE : (enum kind)below(3),
                                .thread = below(2),
                                .var = below(2),
                                .old = below(3),
                                .val = below(3)};
    make_pending(h, 10);
}

static void draw(struct history *h)
{
    switch (below(3)) {
    case 0: draw_any(h); return;
    case 1: draw_across(h); return;
    default: draw_small(h); return;
    }
}

void check_cuts(void)
{
    struct history h;
    bool ok[MODELS];
    do
        draw(&h);
    while (effort(&h) > 300);
    char *text = history_text(&h, (struct style){.thread = "t%d"});
    assay_history *a = parse(text, "hist");
    oracle(&h, ok);
    cuts_keep_it_consistent(&h, text, ok);
    for (int m = 0; a && m < MODELS; m++) {
        assay_error e = {0};
        assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
        assay_result *r = ok[m] || by_logic(&h, m) ? NULL : assay_check(a, model_names[m], &o, &e);
        if (r)
            shrinks_well(&h, a, r, text, m);
        assay_result_free(r);
    }
    assay_history_free(a);
    free(text);
}
