/* SPDX-License-Identifier: Apache-2.0 */
/* The rest is made a sketch again, and each cut is made of the sketch: a transaction with all reads of its values, a key,
 * a read. */
#include "cross/transactions/shrunk.h"

#include "evidence/evidence.h"

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

static void drop_access(struct tx *t, uint8_t i)
{
    memmove(&t->access[i], &t->access[i + 1], (size_t)(t->n - i - 1) * sizeof t->access[0]);
    t->n--;
}

/* The accesses that are left, with their lines; false: they are not some of those there were. */
static bool keep_accesses(struct tx *t, const assay_history *small, uint32_t op, const assay_history *h, uint32_t from)
{
    uint32_t n = history_arity(small, op) / 3, all = t->n, found = 0;
    for (uint32_t j = 0; j < all; j++) {
        if (found < n && same_access(small, op, found, h, from, j))
            found++;
        else
            drop_access(t, (uint8_t)found);
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

/* ---- cuts ---- */

static bool shows(const struct tx_sketch *s, const struct tx_access *a, int value)
{
    if (!s->is_list[a->key])
        return a->value == value;
    for (uint8_t i = 0; i < a->length && a->value != UNKNOWN_VALUE; i++)
        if (a->list[i] == value)
            return true;
    return false;
}

static bool reads_value_of(const struct tx_sketch *s, const struct tx_access *a, const struct tx *t)
{
    for (uint8_t i = 0; i < t->n; i++)
        if (a->kind == 'r' && t->access[i].kind != 'r' && t->access[i].key == a->key && shows(s, a, t->access[i].value))
            return true;
    return false;
}

static struct tx_sketch without_empty(struct tx_sketch s)
{
    for (uint8_t t = s.n; t--;)
        if (!s.tx[t].n)
            sketch_forget(&s, t);
    return s;
}

static struct tx_sketch without_transaction(struct tx_sketch s, uint8_t gone)
{
    for (uint8_t t = 0; t < s.n; t++)
        for (uint8_t i = s.tx[t].n; i--;)
            if (t != gone && reads_value_of(&s, &s.tx[t].access[i], &s.tx[gone]))
                drop_access(&s.tx[t], i);
    sketch_forget(&s, gone);
    return without_empty(s);
}

static struct tx_sketch without_key(struct tx_sketch s, uint8_t key)
{
    for (uint8_t t = 0; t < s.n; t++)
        for (uint8_t i = s.tx[t].n; i--;)
            if (s.tx[t].access[i].key == key)
                drop_access(&s.tx[t], i);
    return without_empty(s);
}

static struct tx_sketch without_read(struct tx_sketch s, uint8_t t, uint8_t i)
{
    drop_access(&s.tx[t], i);
    return without_empty(s);
}

/* ---- judging ---- */

static bool violates(const struct tx_sketch *s, const char *model)
{
    assay_error e = {0};
    if (!s->n)
        return false;
    assay_history *h = sketch_history(s);
    assay_options options = {ASSAY_OPTIONS_INIT, .skew = s->skew};
    assay_result *r = assay_check(h, model, &options, &e); /* without times some models do not apply */
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION;
    assay_result_free(r);
    assay_history_free(h);
    return yes;
}

static bool uses(const struct tx_sketch *s, uint8_t key)
{
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].key == key)
                return true;
    return false;
}

/* NULL: none of the cuts leaves a violation. */
static const char *can_be_cut(const struct tx_sketch *s, const char *model)
{
    for (uint8_t t = 0; t < s->n; t++) {
        struct tx_sketch smaller = without_transaction(*s, t);
        if (violates(&smaller, model))
            return "shrinking leaves a transaction that can be cut";
        for (uint8_t i = 0; i < s->tx[t].n; i++) {
            if (s->tx[t].access[i].kind != 'r')
                continue;
            smaller = without_read(*s, t, i);
            if (violates(&smaller, model))
                return "shrinking leaves a read that can be cut";
        }
    }
    for (uint8_t key = 0; key < MOST_KEYS; key++) {
        struct tx_sketch smaller = uses(s, key) ? without_key(*s, key) : (struct tx_sketch){.n = 0};
        if (violates(&smaller, model))
            return "shrinking leaves a key that can be cut";
    }
    return NULL;
}

bool shrinks_well(const struct tx_sketch *s, const assay_history *h, const assay_result *r, const char **why)
{
    uint32_t kept[MOST_TXNS];
    assay_error e = {0};
    struct tx_sketch rest;
    const char *model = assay_result_model(r);
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    *why = NULL;
    if (!small)
        *why = "shrinking fails";
    else if (!sketch_of(s, h, small, kept, &rest))
        *why = "shrinking changes accesses or their lines";
    else if (!violates(&rest, model))
        *why = "shrinking leaves no violation";
    else
        *why = can_be_cut(&rest, model);
    assay_history_free(small);
    return !*why;
}
