/* SPDX-License-Identifier: Apache-2.0 */
/* The rest is made a sketch again, and each cut is made of the sketch. */
#include "cross/transactions/shrunk.h"

#include "cross/transactions/cuts.h"
#include "evidence/evidence.h"
#include "support/evidence_line.h"

#include <stdlib.h>
#include <string.h>

/* ---- the rest as a sketch ---- */

static bool same_access(const assay_history *a, uint32_t op, uint32_t i, const assay_history *b, uint32_t from,
                        uint32_t j)
{
    for (uint32_t v = 0; v < 3; v++)
        if (!value_same(history_arg(a, op, 3 * i + v), history_arg(b, from, 3 * j + v)))
            return false;
    return history_access_line(a, op, i) == history_access_line(b, from, j);
}

/* The accesses that are left, with their lines; false: they are not some of those there were. */
static bool keep_accesses(struct tx *t, const assay_history *small, uint32_t op, const assay_history *h, uint32_t from)
{
    uint32_t n = history_arity(small, op) / 3, all = t->n, found = 0;
    for (uint32_t j = 0; j < all; j++) {
        if (found < n && same_access(small, op, found, h, from, j))
            found++;
        else
            sketch_drop_access(t, (uint8_t)found);
    }
    return found == n && n && history_line(small, op) == history_line(h, from);
}

static uint8_t session_of(const assay_history *h, uint32_t thread)
{
    return (uint8_t)atoi(history_text(h, h->threads.at[thread].name) + 1);
}

static void keep_knowledge(struct tx *t, const assay_history *small, uint32_t op)
{
    memset(t->after, 0, sizeof t->after);
    for (uint32_t i = small->after_at[op]; i < small->after_at[op + 1]; i++) {
        struct after known = small->after.at[i];
        uint8_t *count = &t->after[session_of(small, known.thread)];
        *count = known.count > *count ? (uint8_t)known.count : *count;
    }
}

static bool sketch_of(const struct tx_sketch *s, const assay_history *h, const assay_history *small,
                      const uint32_t *kept, struct tx_sketch *out)
{
    *out = *s;
    out->n = (uint8_t)small->n;
    for (uint32_t op = 0; op < small->n; op++) {
        out->tx[op] = s->tx[kept[op]];
        if (!keep_accesses(&out->tx[op], small, op, h, kept[op]))
            return false;
        if (small->after_at)
            keep_knowledge(&out->tx[op], small, op);
    }
    return true;
}

/* ---- judging ---- */

/* With the pattern. */
static bool violates(const struct tx_sketch *s, const char *model, const char *pattern)
{
    assay_error e = {0};
    if (!s->n)
        return false;
    assay_history *h = sketch_history(s);
    assay_options options = {ASSAY_OPTIONS_INIT, .skew = s->skew};
    assay_result *r = assay_check(h, model, &options, &e); /* without times some models do not apply */
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION && strcmp(assay_result_pattern(r), pattern) == 0;
    assay_result_free(r);
    assay_history_free(h);
    return yes;
}

/* What can still be cut, or NULL: no cut leaves such a violation. */
static const char *can_be_cut(const struct tx_sketch *s, const char *model, const char *pattern)
{
    struct tx_sketch less;
    const char *what;
    for (unsigned i = 0; (what = cut_sketch(s, i, &less)); i++)
        if (violates(&less, model, pattern))
            return what;
    return NULL;
}

static bool is_proved(const assay_history *h, const char *model, int64_t skew)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .skew = skew};
    assay_result *r = assay_check(h, model, &options, &e);
    char *line = r ? evidence_line(r) : NULL;
    bool proved = line && assay_result_verdict(r) == ASSAY_VIOLATION && assay_recheck(h, line, NULL, &e);
    free(line);
    assay_result_free(r);
    return proved;
}

bool shrinks_well(const struct tx_sketch *s, const assay_history *h, const assay_result *r, const char **why)
{
    uint32_t kept[MOST_TXNS];
    assay_error e = {0};
    struct tx_sketch rest;
    const char *model = assay_result_model(r), *pattern = assay_result_pattern(r);
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    *why = NULL;
    if (!small)
        *why = "shrinking fails";
    else if (!sketch_of(s, h, small, kept, &rest))
        *why = "shrinking changes accesses or their lines";
    else if (!violates(&rest, model, pattern))
        *why = "shrinking leaves no violation of the pattern";
    else if (!is_proved(small, model, s->skew))
        *why = "the proof of what shrinking leaves is refused";
    else if (can_be_cut(&rest, model, pattern))
        *why = "shrinking leaves a cut to be made";
    assay_history_free(small);
    return !*why;
}
