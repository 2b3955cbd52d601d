/* SPDX-License-Identifier: Apache-2.0 */
/* The record of the sessions of a store: changed, and written as a history. */
#include "base/hash.h"
#include "collect/generate/sessions.h"

#include <stdio.h>

/* ---- mutation ---- */

/* The versions that a read may show instead of the one it saw: from .. to, without `seen`. */
struct choice {
    uint32_t from, to, seen;
};

static struct choice choices(const struct sessions *x, const struct store_access *a)
{
    uint32_t n = x->store.keys.at[a->key].versions.n;
    uint64_t distance = x->c->values[DISTANCE] ? x->c->values[DISTANCE] : n;
    return (struct choice){a->seen > distance ? a->seen - (uint32_t)distance : 0,
                           n - a->seen > distance ? a->seen + (uint32_t)distance : n, a->seen};
}

static bool is_external_read(const struct store_access *a)
{
    return a->kind == STORE_READ && !a->own && !a->dirty;
}

/* A list that ends within the appends of one transaction is moved to their end. */
static uint32_t whole(const struct store_key *key, uint32_t n)
{
    while (key->list && n && n < key->versions.n && key->versions.at[n].commit == key->versions.at[n - 1].commit)
        n++;
    return n;
}

static void show(const struct sessions *x, struct store_access *a, uint32_t version)
{
    const struct store_key *key = &x->store.keys.at[a->key];
    a->seen = whole(key, version);
    a->value = key->list ? a->seen : a->seen ? key->versions.at[a->seen - 1].value : 0;
}

/* Of the reads that have a choice, some at random: each with the probability needed / left, as in access_mutate. */
void sessions_mutate(struct sessions *x)
{
    uint64_t needed = x->c->values[MUTATE], left = 0;
    for (int counting = 1; needed && counting >= 0; counting--)
        for (uint32_t id = 0; id < x->all.n; id++) {
            struct store_transaction t = sessions_transaction(x, id);
            for (uint32_t i = 0; i < t.n && x->all.at[id].outcome == OUTCOME_COMMITTED; i++) {
                struct choice c = choices(x, &t.at[i]);
                if (!is_external_read(&t.at[i]) || c.from == c.to)
                    continue;
                if (counting) {
                    left++;
                } else if (rng_below(&x->rng, (uint32_t)left--) < needed) {
                    uint32_t version = c.from + rng_below(&x->rng, c.to - c.from);
                    show(x, &t.at[i], version + (version >= c.seen));
                    needed--;
                }
            }
        }
}

/* ---- the history ---- */

struct writer {
    const struct sessions *x;
    char (*keys)[12];
    VEC(assay_value) args, elements;
};

static void add_element(struct writer *w, uint32_t value)
{
    vec_push(w->x->c->mem, &w->elements, assay_int(value));
}

/* The elements of a list, as the transaction read it: those that were there, and its own behind them. The latter are
 * linked from the last one. */
static void add_list(struct writer *w, struct store_transaction t, const struct store_access *a)
{
    const struct store_key *key = &w->x->store.keys.at[a->key];
    uint32_t own = 0;
    for (uint32_t i = 0; i < a->value; i++)
        add_element(w, key->versions.at[i].value);
    if (a->dirty && !a->own)
        add_element(w, a->dirty);
    for (uint32_t i = a->own; i; i = t.at[i - 1].own)
        own++;
    for (uint32_t i = a->own, n = w->elements.n + own; i; i = t.at[i - 1].own) {
        vec_reserve(w->x->c->mem, &w->elements, own);
        w->elements.at[--n] = assay_int(t.at[i - 1].value);
    }
    w->elements.n += own;
}

/* The k-th write of a register writes k; with --values a value of few. 0 is the initial value. */
static assay_value register_value(const struct sessions *x, const struct store_access *a)
{
    uint64_t few = x->c->values[VALUES];
    if (!few || !a->value || x->store.keys.at[a->key].list)
        return assay_int(a->value);
    return assay_int((int64_t)(1 + hash_join(a->key, a->value) % few));
}

/* A list refers to its elements, which may still move: the number of the first one stands for the address until all
 * are there. */
static assay_value value_of(struct writer *w, struct store_transaction t, const struct store_access *a)
{
    if (a->kind != STORE_READ || !w->x->store.keys.at[a->key].list)
        return register_value(w->x, a);
    uint32_t first = w->elements.n;
    add_list(w, t, a);
    return (assay_value){.kind = ASSAY_LIST, .integer = first, .length = w->elements.n - first};
}

static void fill_arguments(struct writer *w, struct store_transaction t, bool unknown)
{
    static const char *const kinds[] = {"r", "w", "append"};
    struct mem *m = w->x->c->mem;
    vec_clear(&w->args);
    vec_clear(&w->elements);
    vec_reserve(m, &w->elements, 1); /* an empty list has an address, too */
    for (uint32_t i = 0; i < t.n; i++) {
        const struct store_access *a = &t.at[i];
        bool hidden = unknown && a->kind == STORE_READ;
        vec_push(m, &w->args, assay_word(kinds[a->kind]));
        vec_push(m, &w->args, assay_word(w->keys[a->key]));
        vec_push(m, &w->args, hidden ? (assay_value){0} : value_of(w, t, a));
    }
    for (uint32_t i = 2; i < w->args.n; i += 3)
        if (w->args.at[i].kind == ASSAY_LIST)
            w->args.at[i] = assay_list(w->elements.at + w->args.at[i].integer, w->args.at[i].length);
}

void sessions_emit(const struct sessions *x)
{
    struct writer w = {.x = x};
    w.keys = mem_alloc(x->c->mem, (size_t)x->store.keys.n * sizeof *w.keys);
    for (uint32_t i = 0; i < x->store.keys.n; i++)
        snprintf(w.keys[i], sizeof *w.keys, "x%u", i);
    for (uint32_t i = 0; i < x->ended.n; i++) {
        const struct transaction *o = &x->all.at[x->ended.at[i]];
        char session[12];
        snprintf(session, sizeof session, "t%u", o->session);
        fill_arguments(&w, sessions_transaction(x, x->ended.at[i]), o->outcome == OUTCOME_UNKNOWN);
        assay_operation op = {.thread = session,
                              .method = "txn",
                              .args = w.args.at,
                              .arg_count = w.args.n,
                              .pending = o->outcome == OUTCOME_UNKNOWN,
                              .timed = x->c->values[TIMES],
                              .call_time = o->called,
                              .return_time = o->returned};
        if (o->outcome == OUTCOME_ABORTED)
            op.result = assay_word("abort");
        x->c->sink->operation(x->c->sink, &op);
    }
}
