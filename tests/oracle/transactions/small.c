/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/small.h"

#include "oracle/finding.h"
#include "oracle/transactions/compare.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/draw.h"
#include "oracle/transactions/elle.h"
#include "oracle/transactions/forge.h"
#include "oracle/transactions/notation.h"
#include "oracle/transactions/oracle.h"
#include "oracle/transactions/stream.h"
#include "oracle/transactions/write.h"
#include "support/chance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void in_form(char *text, const char *format, const bool ok[MODELS], bool strict)
{
    assay_history *a = text ? parse(text, format) : NULL;
    if (a) {
        compare_all(a, text, ok, strict, NULL);
        counts.forms++;
    }
    assay_history_free(a);
    free(text);
}

static void as_elle(const struct history *h)
{
    struct history *less = copy_history(h);
    bool json = chance(50), ok[MODELS];
    char *text = write_elle(less, json);
    if (text) {
        judge(less, ok);
        in_form(text, json ? "jsonl" : "edn", ok, true);
    }
    free_history(less);
}

static void in_other_forms(const struct history *h, const bool ok[MODELS])
{
    bool strict = h->timing != UNTIMED;
    struct spelling s = chance(30) ? plain_spelling() : draw_spelling();
    switch (below(7)) {
    case 0: in_form(write_lines(h, &s, NULL), "hist", ok, strict); break;
    case 1: in_form(write_blocks(h, &s), "hist", ok, strict); break;
    case 2: in_form(write_jsonl(h, &s), "jsonl", ok, strict); break;
    case 3: in_form(write_plume(h), "plume", ok, strict); break;
    case 4: in_form(write_dbcop(h), "dbcop", ok, strict); break;
    case 5: as_elle(h); break;
    default: {
        assay_error e = {0};
        assay_history *a = build_history(h, &s, &e);
        if (a) {
            compare_all(a, "built by calls", ok, strict, NULL);
            counts.forms++;
        } else if (e.code) {
            char *text = write_lines(h, &s, NULL);
            finding(text, "not built: %s", e.message);
            free(text);
        }
        assay_history_free(a);
    }
    }
}

static void check_grading(const assay_history *a, const char *text, const bool ok[MODELS], bool strict)
{
    int graded = compare_grading(a, text, model_names, MODELS, ok, NULL);
    counts.gradings++;
    if (graded != (strict ? MODELS : 2 * LEVELS))
        finding(text, "graded: %d models", graded);
}

/* A committed transaction that read something before it wrote could have gone wrong, beside another session. */
static void check_vacuous(const struct history *h, const assay_history *a, const char *text)
{
    bool may_fail = false, alone = true;
    for (int t = 0; t < h->n; t++) {
        alone &= h->txns[t].session == h->txns[0].session;
        for (int i = 0; i < h->txns[t].count && access_of(h, t, i)->kind == READ; i++)
            may_fail |= h->txns[t].outcome == COMMITTED && !access_of(h, t, i)->unknown;
    }
    assay_result *r = assay_check(a, "rc", NULL, NULL);
    const char *why = r ? assay_result_vacuous(r) : NULL;
    if (may_fail && !alone && why)
        finding(text, "vacuous: %s", why);
    assay_result_free(r);
}

/* Does each read that counts have its source in the part, as far as there is one at all? */
static bool closed(const struct history *h, const bool *keep)
{
    for (int t = 0; t < h->n; t++)
        for (int i = 0; keep[t] && i < h->txns[t].count; i++) {
            const struct access *a = access_of(h, t, i);
            if (a->kind != READ || a->unknown || h->txns[t].outcome == ABORTED)
                continue;
            for (int u = 0; u < h->n; u++)
                for (int k = 0; !keep[u] && k < h->txns[u].count; k++) {
                    const struct access *w = access_of(h, u, k);
                    bool read = w->kind == WRITE && w->value == a->value;
                    for (int c = 0; w->kind == APPEND && c < a->length; c++)
                        read |= h->cells[a->list + c] == w->value;
                    if (w->key == a->key && read)
                        return false;
                }
        }
    return true;
}

static bool same_value(assay_value a, assay_value b)
{
    if (a.kind != b.kind || a.kind != ASSAY_LIST)
        return a.kind == b.kind && (a.kind == ASSAY_INT ? a.integer == b.integer
                                                        : a.length == b.length && !memcmp(a.text, b.text, a.length));
    assay_value x = assay_list_last(a), y = assay_list_last(b);
    return same_value(x, y) && (x.kind == ASSAY_NONE || same_value(assay_list_before(a), assay_list_before(b)));
}

/* Takes the accesses of transaction t away that the part has not. */
static void keep_accesses(struct history *h, int t, const assay_history *part, uint32_t op, const assay_history *a,
                          uint32_t from)
{
    int n = (int)(assay_history_operation(part, op).arg_count / 3), left = 0;
    struct txn *x = &h->txns[t];
    for (int i = 0, all = x->count; i < all; i++) {
        bool same = left < n;
        for (int k = 0; same && k < 3; k++)
            same = same_value(assay_history_arg(part, op, (size_t)(3 * left + k)),
                              assay_history_arg(a, from, (size_t)(3 * i + k)));
        if (same)
            h->accesses[x->first + left++] = h->accesses[x->first + i];
    }
    x->count = left;
}

/* A history that the library made can be written, read again, and has the same verdict. */
static void check_written(const assay_history *part, const char *text, int m, bool ok)
{
    static const char *const formats[] = {"hist", "jsonl"};
    const char *format = formats[below(2)];
    assay_error e = {0};
    char *bytes = written_as(part, format, &e);
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_history *again = bytes ? parse(bytes, format) : NULL;
    if (!bytes)
        finding(text, "a part is not written: %s", e.message);
    else if (again)
        compare(again, bytes, m, ok ? HOLDS : FAILS, &o, NULL);
    assay_history_free(again);
    free(bytes);
}

static void check_shrunk(const struct history *h, const assay_history *a, const char *text, const int *order, int m)
{
    uint32_t kept[MOST_TXNS];
    bool keep[MOST_TXNS] = {false}, ok[MODELS];
    assay_error e = {0};
    assay_result *r = assay_check(a, model_names[m], NULL, &e);
    assay_history *part = r ? assay_shrink(r, NULL, kept, &e) : NULL;
    if (!part) {
        finding(text, "%s: not shrunk: %s", model_names[m], e.message);
    } else {
        counts.shrunk++;
        struct history *whole = copy_history(h);
        for (uint32_t i = 0; i < assay_history_size(part); i++) {
            keep[order[kept[i]]] = true;
            keep_accesses(whole, order[kept[i]], part, i, a, kept[i]);
        }
        struct history *sub = sub_history(whole, keep);
        judge(sub, ok);
        if (ok[m])
            finding(text, "%s: the shrunk history of %d transactions satisfies the model", model_names[m], sub->n);
        else if (!closed(whole, keep))
            finding(text, "%s: the shrunk history of %d transactions lacks a source", model_names[m], sub->n);
        assay_options o = {ASSAY_OPTIONS_INIT, .evidence = true};
        compare(part, text, m, ok[m] ? HOLDS : FAILS, &o, NULL);
        check_written(part, text, m, ok[m]);
        free_history(sub);
        free_history(whole);
    }
    assay_history_free(part);
    assay_result_free(r);
}

static char *last_lines[MODELS]; /* proofs about the history before, which is often a neighbour */

void forget_proofs(void)
{
    for (int m = 0; m < MODELS; m++) {
        free(last_lines[m]);
        last_lines[m] = NULL;
    }
}

void check_small(const struct history *h, const struct small_options *o)
{
    struct spelling s = chance(50) ? plain_spelling() : draw_spelling();
    bool ok[MODELS], strict = h->timing != UNTIMED;
    int order[MOST_TXNS];
    char *lines[MODELS] = {NULL}, *text = write_lines(h, &s, order);
    judge(h, ok);
    counts.small++;
    assay_history *a = h->n ? parse(text, "hist") : NULL;
    if (a) {
        compare_all(a, text, ok, strict, lines);
        if (chance(o->engines))
            ask_engines(a, text, ok, strict);
        check_grading(a, text, ok, strict);
        check_vacuous(h, a, text);
        int m = below(strict ? MODELS : 2 * LEVELS);
        if (!ok[m])
            check_shrunk(h, a, text, order, m);
        struct truth truth = {a, text, model_names, MODELS, ok};
        forge_proofs(&truth, lines, o->forge, forge_once_of_transactions);
        transplant_proofs(&truth, last_lines);
        in_other_forms(h, ok);
        if (h->timing != KNOWLEDGE)
            check_stream(h, ok);
    }
    forget_proofs();
    memcpy(last_lines, lines, sizeof lines);
    assay_history_free(a);
    free(text);
}

static struct history *draw_parts(void)
{
    if (chance(60))
        return draw_history();
    if (chance(40)) {
        struct history *h = draw_choices(4 + below(5), 3 + below(16));
        if (chance(20))
            draw_times(h);
        return h;
    }
    struct history *h = read_notation(gadgets[below(GADGETS)]);
    struct history *other = read_notation(gadgets[below(GADGETS)]);
    if (chance(70) && h->n + other->n <= 8)
        add_history(h, other, chance(50) ? h->session_count : below(h->session_count));
    free_history(other);
    if (chance(40))
        draw_times(h);
    return h;
}

void small_family(const struct small_options *o)
{
    struct history *h = draw_parts();
    check_small(h, o);
    for (int i = below(3); i > 0; i--) {
        disturb(h);
        check_small(h, o);
    }
    free_history(h);
}
