/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/spelling.h"
#include "oracle/transactions/write.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGS = 3 * 64, MOST_ELEMENTS = 64 };

static bool set_initial(assay_history *a, const struct history *h, const struct spelling *s, int k, assay_error *e)
{
    const struct key *key = &h->keys[k];
    struct text t = {0};
    bool needed = key->list ? key->init_length > 0 : !is_zero(s, key->init), ok = true;
    say_key(&t, s, k, HIST);
    say(&t, "=");
    if (!key->list)
        say_value(&t, s, key->init, HIST);
    for (int i = 0; i < key->init_length; i++) {
        say(&t, i ? " " : "[");
        say_value(&t, s, h->cells[key->init + i], HIST);
    }
    say(&t, key->list ? "]" : "");
    if (needed)
        ok = assay_history_set(a, "init", t.bytes, e);
    free(t.bytes);
    return ok;
}

static bool add_operation(assay_history *a, const struct history *h, const struct spelling *s, int u, assay_error *e)
{
    const struct txn *x = &h->txns[u];
    assay_value args[MOST_ARGS], elements[MOST_ARGS / 3][MOST_ELEMENTS];
    char names[MOST_ARGS / 3][24], session[24];
    for (int i = 0; i < x->count; i++) {
        const struct access *c = access_of(h, u, i);
        args[3 * i] = assay_word(c->kind == READ ? "r" : c->kind == WRITE ? "w" : "append");
        args[3 * i + 1] = key_value(s, c->key, names[i]);
        for (int k = 0; k < c->length; k++)
            elements[i][k] = value_value(s, h->cells[c->list + k]);
        if (c->kind == READ && c->unknown)
            args[3 * i + 2] = (assay_value){0};
        else if (c->kind == READ && h->keys[c->key].list)
            args[3 * i + 2] = assay_list(elements[i], (size_t)c->length);
        else
            args[3 * i + 2] = value_value(s, c->value);
    }
    assay_operation op = {.thread = session_name(s, x->session, session),
                          .method = "txn",
                          .args = args,
                          .arg_count = 3 * (size_t)x->count,
                          .result = x->outcome == ABORTED ? assay_word("abort") : (assay_value){0},
                          .pending = x->outcome == MAYBE,
                          .timed = h->timing == TIMED,
                          .call_time = x->begin,
                          .return_time = x->end};
    return assay_history_add(a, &op, e) != ASSAY_NO_OPERATION;
}

assay_history *build_history(const struct history *h, const struct spelling *s, assay_error *e)
{
    if (h->timing == KNOWLEDGE)
        return NULL;
    assay_history *a = assay_history_new();
    bool ok = a != NULL;
    for (int k = 0; ok && k < h->key_count; k++)
        ok = set_initial(a, h, s, k, e);
    for (int u = 0; ok && u < h->n; u++)
        ok = add_operation(a, h, s, u, e);
    if (ok)
        return a;
    assay_history_free(a);
    return NULL;
}
