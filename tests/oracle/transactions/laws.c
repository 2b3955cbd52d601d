/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/laws.h"

#include "oracle/finding.h"
#include "oracle/transactions/compare.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/draw.h"
#include "oracle/transactions/oracle.h"
#include "oracle/transactions/write.h"
#include "support/chance.h"

#include <stdlib.h>
#include <string.h>

/* -1: there is no verdict. lin may decline a thread that goes on after an unknown outcome. */
static int holds(const assay_history *a, const char *model, const char *object, const char *text)
{
    assay_options o = {ASSAY_OPTIONS_INIT, .object = object};
    assay_error e = {0};
    assay_result *r = assay_check(a, model, &o, &e);
    int v = r ? assay_result_verdict(r) == ASSAY_CONSISTENT : -1;
    if (v < 0 && !(object && e.code == ASSAY_ERROR_NOT_APPLICABLE && strstr(e.message, "outcome is unknown")))
        finding(text, "%s: %s", model, e.message);
    assay_result_free(r);
    return v;
}

static void lin_is_strict(const struct history *h, const bool ok[MODELS])
{
    struct spelling s = plain_spelling();
    char *text = write_lines(h, &s, NULL);
    assay_history *a = parse(text, "hist");
    int v = a ? holds(a, "lin", "multi-register", text) : -1;
    counts.laws++;
    if (v >= 0 && v != ok[model_of(SER, STRICT)])
        finding(text, "lin and ser-strict differ: lin %s", v ? "holds" : "fails");
    assay_history_free(a);
    free(text);
}

static bool read_by_others(const struct history *h, int t)
{
    for (int i = 0; i < h->txns[t].count; i++) {
        const struct access *w = access_of(h, t, i);
        for (int u = 0; w->kind != READ && u < h->n; u++)
            for (int k = 0; u != t && k < h->txns[u].count; k++) {
                const struct access *a = access_of(h, u, k);
                bool read = a->kind == READ && a->key == w->key && !a->unknown;
                if (read && w->kind == WRITE && a->value == w->value)
                    return true;
                for (int c = 0; read && w->kind == APPEND && c < a->length; c++)
                    if (h->cells[a->list + c] == w->value)
                        return true;
            }
    }
    return false;
}

static void without_unread(const struct history *h, const bool ok[MODELS])
{
    bool keep[MOST_TXNS], less[MODELS];
    int t = below(h->n);
    struct spelling s = plain_spelling();
    if (read_by_others(h, t))
        return;
    for (int u = 0; u < h->n; u++)
        keep[u] = u != t;
    struct history *part = sub_history(h, keep);
    char *text = write_lines(part, &s, NULL);
    judge(part, less);
    assay_history *a = part->n ? parse(text, "hist") : NULL;
    counts.laws++;
    for (int m = 0; m < MODELS; m++)
        if (ok[m] && !less[m])
            finding(text, "%s holds, but not without a transaction that nobody reads from", model_names[m]);
    if (a)
        compare_all(a, text, less, h->timing != UNTIMED, NULL);
    assay_history_free(a);
    free(text);
    free_history(part);
}

/* The first access of each transaction, as a history of a memory and as one of transactions */
static void single_accesses(const struct history *h)
{
    struct text memory = {0}, txns = {0};
    struct spelling s = plain_spelling();
    for (int t = 0; t < h->n; t++) {
        const struct access *a = h->txns[t].count ? access_of(h, t, 0) : NULL;
        if (!a || h->keys[a->key].list || h->keys[a->key].init != INITIAL || a->unknown)
            continue;
        const char *form = a->kind == READ ? "r" : "w";
        say_session(&memory, &s, h->txns[t].session);
        say_session(&txns, &s, h->txns[t].session);
        say(&memory, a->kind == READ ? ": read(k%d) => %d\n" : ": write(k%d, %d)\n", a->key, a->value);
        say(&txns, ": txn(%s k%d %d)\n", form, a->key, a->value);
    }
    assay_history *a = memory.bytes ? parse(memory.bytes, "hist") : NULL, *b = a ? parse(txns.bytes, "hist") : NULL;
    if (a && b) {
        counts.laws++;
        if (holds(a, "sc", NULL, memory.bytes) != holds(b, "ser", NULL, txns.bytes))
            finding(txns.bytes, "single accesses: ser is not sc");
        if (holds(a, "ccv", NULL, memory.bytes) != holds(b, "tcc", NULL, txns.bytes))
            finding(txns.bytes, "single accesses: tcc is not ccv");
    }
    assay_history_free(a);
    assay_history_free(b);
    free(memory.bytes);
    free(txns.bytes);
}

void check_laws_of(const struct history *h)
{
    bool ok[MODELS];
    judge(h, ok);
    if (h->timing != UNTIMED)
        lin_is_strict(h, ok);
    without_unread(h, ok);
    single_accesses(h);
}

void check_laws(void)
{
    struct history *h = draw_history();
    check_laws_of(h);
    free_history(h);
}
