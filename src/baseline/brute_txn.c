/* SPDX-License-Identifier: Apache-2.0 */
#include "baseline/brute_txn.h"

#include <string.h>

static bool is(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

struct brute_value brute_list(const history *h, struct value v, struct mem *m)
{
    const struct list_value *l = h->lists.all.at[v.bits];
    struct brute_value out = {mem_new(m, struct value, l->length), l->length, true};
    for (; l->before; l = l->before)
        out.at[l->length - 1] = l->last;
    return out;
}

/* ---- accesses ---- */

/* The number of the key. It is looked for among all accesses before this one. */
static uint32_t key_of(const struct brute_history *b, uint32_t op, uint32_t i)
{
    const history *h = b->h;
    struct value key = history_arg(h, op, 3 * i + 1);
    for (uint32_t o = 0; o <= op; o++)
        for (uint32_t k = 0; k < (o < op ? history_arity(h, o) / 3 : i); k++)
            if (value_same(history_arg(h, o, 3 * k + 1), key))
                return b->txn[o].access[k].key;
    return b->keys;
}

static void read_txn(struct brute_history *b, uint32_t op, struct mem *m)
{
    const history *h = b->h;
    struct brute_txn *t = &b->txn[op];
    t->n = history_arity(h, op) / 3;
    t->access = mem_new(m, struct brute_access, t->n);
    t->unknown = history_pending(h, op);
    t->aborted = !t->unknown && is(h, history_result(h, op), "abort");
    for (uint32_t i = 0; i < t->n; i++) {
        struct value kind = history_arg(h, op, 3 * i), v = history_arg(h, op, 3 * i + 2);
        uint32_t key = key_of(b, op, i);
        b->keys += key == b->keys;
        t->access[i] = (struct brute_access){is(h, kind, "r")   ? BRUTE_READ
                                             : is(h, kind, "w") ? BRUTE_WRITE
                                                                : BRUTE_APPEND,
                                             key, v};
        if (is(h, v, "?"))
            t->access[i].value.kind = ASSAY_NONE;
    }
}

/* ---- initial values ---- */

static struct value bound(const history *h, struct value key)
{
    struct value v = {0, ASSAY_INT, 0};
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].key.kind == ASSAY_NONE)
            v = h->init.at[i].value;
    for (uint32_t i = 0; i < h->init.n; i++)
        if (value_same(h->init.at[i].key, key))
            v = h->init.at[i].value;
    return v;
}

static void find_initial(struct brute_history *b, struct mem *m)
{
    const history *h = b->h;
    b->initial = mem_new_zero(m, struct brute_value, b->keys);
    b->writers = mem_new_zero(m, txn_set, b->keys);
    for (uint32_t op = 0; op < b->n; op++)
        for (uint32_t i = 0; i < b->txn[op].n; i++) {
            const struct brute_access *a = &b->txn[op].access[i];
            struct brute_value *v = &b->initial[a->key];
            v->list |= a->kind == BRUTE_APPEND || (a->kind == BRUTE_READ && a->value.kind == ASSAY_LIST);
            if (a->kind != BRUTE_READ)
                b->writers[a->key] |= brute_just(op);
        }
    for (uint32_t op = 0; op < b->n; op++)
        for (uint32_t i = 0; i < b->txn[op].n; i++) {
            struct brute_value *v = &b->initial[b->txn[op].access[i].key];
            struct value first = bound(h, history_arg(h, op, 3 * i + 1));
            if (v->at)
                continue;
            if (v->list && first.kind == ASSAY_LIST)
                *v = brute_list(h, first, m);
            v->at = v->at ? v->at : mem_new(m, struct value, 1);
            if (!v->list) {
                v->at[0] = first;
                v->n = 1;
            }
        }
}

/* ---- base order ---- */

/* All operations, so that it can be closed; then the unknown and the aborted ones are taken out. */
static void order(struct brute_history *b, enum base base, int64_t skew)
{
    const history *h = b->h;
    bool before[BRUTE_TRANSACTIONS][BRUTE_TRANSACTIONS] = {0};
    for (uint32_t o = 0; o < b->n; o++)
        for (uint32_t p = 0; p < b->n; p++) {
            before[p][o] = base != BASE_NONE && p < o && h->thread[p] == h->thread[o];
            if (base == BASE_REALTIME && h->call && !b->txn[p].unknown && h->ret[p] < history_widened(h->call[o], skew))
                before[p][o] = true;
        }
    for (uint32_t o = 0; base == BASE_REALTIME && h->after_at && o < b->n; o++)
        for (uint32_t i = h->after_at[o]; i < h->after_at[o + 1]; i++)
            for (uint32_t p = 0, count = 0; p < b->n && count < h->after.at[i].count; p++)
                if (h->thread[p] == h->after.at[i].thread) {
                    before[p][o] = true;
                    count++;
                }
    for (uint32_t k = 0; k < b->n; k++)
        for (uint32_t p = 0; p < b->n; p++)
            for (uint32_t o = 0; o < b->n; o++)
                before[p][o] |= before[p][k] && before[k][o];
    for (uint32_t o = 0; o < b->n; o++)
        for (uint32_t p = 0; p < b->n; p++)
            if (before[p][o] && !b->txn[p].unknown && !b->txn[p].aborted)
                b->before[o] |= brute_just(p);
}

void brute_read(struct brute_history *b, struct job *job)
{
    *b = (struct brute_history){.h = job->h, .n = job->h->n};
    if (b->n > BRUTE_TRANSACTIONS) {
        error_set(job->error, ASSAY_ERROR_NOT_APPLICABLE, "the engine brute takes at most %d transactions",
                  BRUTE_TRANSACTIONS);
        escape_raise(ESCAPE_ERROR);
    }
    for (uint32_t op = 0; op < b->n; op++)
        read_txn(b, op, job->mem);
    find_initial(b, job->mem);
    order(b, job->model->base, job->out->skew);
}
