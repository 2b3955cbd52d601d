/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/related.h"

#include "support/load.h"

#include <stdlib.h>
#include <string.h>

static bool says(const assay_history *h, const char *model, int64_t skew, bool expected, struct judging *j)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .skew = skew};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r && e.code == ASSAY_ERROR_NOT_APPLICABLE) /* a thread that goes on after an unknown transaction */
        return true;
    bool fine = r && (assay_result_verdict(r) == ASSAY_CONSISTENT) == expected;
    if (!fine)
        snprintf(j->why, sizeof j->why, "%s differs from the model of transactions: %s", model,
                 r ? assay_verdict_name(assay_result_verdict(r)) : e.message);
    assay_result_free(r);
    return fine;
}

/* The operation of a memory that the transaction is, or a null character. */
static char operation(const struct tx *t)
{
    const struct tx_access *a = t->access;
    bool pair = t->n == 2 && a[0].kind == 'r' && a[1].kind == 'w' && a[0].key == a[1].key;
    return t->n == 1 ? a[0].kind : pair ? 'm' : 0;
}

/* Aborted ones are left out; of the unknown ones those that write and end their session are pending. */
static bool is_memory(const struct tx_sketch *s)
{
    for (uint8_t t = 0; t < s->n; t++) {
        const struct tx *x = &s->tx[t];
        char kind = operation(x);
        if (!kind || kind == 'a' || s->is_list[x->access[0].key] || x->access[0].value == UNKNOWN_VALUE)
            return false;
        for (uint8_t u = (uint8_t)(t + 1); u < s->n; u++)
            if (x->outcome == TX_UNKNOWN && s->tx[u].session == x->session && s->tx[u].outcome != TX_ABORTED)
                return false;
    }
    return true;
}

static char *memory_text(const struct tx_sketch *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    fputs("# @object memory\n", out);
    for (uint8_t t = 0; t < s->n; t++) {
        const struct tx *x = &s->tx[t];
        const struct tx_access *a = x->access;
        if (x->outcome == TX_ABORTED)
            continue;
        fprintf(out, "s%d: ", x->session);
        switch (operation(x)) {
        case 'r':
            if (x->outcome == TX_UNKNOWN)
                fprintf(out, "read(x%d) => ?\n", a->key);
            else
                fprintf(out, "read(x%d) => %d\n", a->key, a->value);
            continue;
        case 'w': fprintf(out, "write(x%d, %d)", a->key, a->value); break;
        default: fprintf(out, "rmw(x%d, %d, %d)", a->key, a->value, a[1].value); break;
        }
        fputs(x->outcome == TX_UNKNOWN ? " => ?\n" : "\n", out);
    }
    if (fclose(out) != 0)
        abort();
    return text;
}

static bool memory_agrees(const struct tx_sketch *s, bool ser, bool tcc, struct judging *j)
{
    char *text = memory_text(s);
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    bool fine = !h || (says(h, "sc", 0, ser, j) && says(h, "ccv", 0, tcc, j));
    if (j->counts)
        j->counts->memories += h != NULL;
    assay_history_free(h);
    free(text);
    return fine;
}

bool related_agree(const struct tx_sketch *s, const assay_history *h, bool ser, bool tcc, bool ser_strict,
                   struct judging *j)
{
    if (j->only)
        return true;
    if (is_memory(s) && !memory_agrees(s, ser, tcc, j))
        return false;
    if (!sketch_timed(s))
        return true;
    if (j->counts)
        j->counts->objects++;
    return says(h, "lin", s->skew, ser_strict, j);
}
