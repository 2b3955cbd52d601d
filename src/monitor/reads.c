/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/reads.h"

enum { ALL_WRITTEN = UINT32_MAX - 1, BY_NO_OPERATION = UINT32_MAX - 1 };

static uint64_t pair(uint32_t key, uint32_t value)
{
    return (uint64_t)key << 32 | value;
}

/* ---- writes ---- */

static void note_writes(struct reads *x, uint32_t op)
{
    for (uint32_t at = x->h->values_at[op]; at + 1 < x->h->values_at[op + 1]; at += 3) {
        if (reads_is_read(x, at))
            continue;
        uint32_t key = value_id(x->mem, &x->keys, history_value(x->h, at + 1));
        uint32_t value = value_id(x->mem, &x->values, history_value(x->h, at + 2));
        *idmap_at(x->mem, &x->written, pair(key, value)) = op;
    }
}

static uint32_t writer(const struct reads *x, uint32_t key, struct value v)
{
    uint32_t value = value_id_find(&x->values, v);
    return value == ID_NONE ? ID_NONE : idmap_get(&x->written, pair(key, value));
}

/* ---- the transactions that count ---- */

struct counting {
    struct reads *x;
    VEC(uint32_t) waiting; /* their reads have not been looked at */
    struct idmap seen;     /* key, number of a list */
};

static void read_from(struct counting *c, uint32_t key, struct value v)
{
    uint32_t op = writer(c->x, key, v);
    if (op == ID_NONE || c->x->counts[op] || !history_pending(c->x->h, op))
        return;
    c->x->counts[op] = true;
    vec_push(c->x->mem, &c->waiting, op);
}

static void count_reads(struct counting *c, uint32_t op)
{
    struct reads *x = c->x;
    for (uint32_t at = x->h->values_at[op]; at + 1 < x->h->values_at[op + 1]; at += 3) {
        struct value v = history_value(x->h, at + 2);
        if (!reads_is_read(x, at) || v.kind == ASSAY_NONE)
            continue;
        uint32_t key = value_id(x->mem, &x->keys, history_value(x->h, at + 1));
        if (v.kind != ASSAY_LIST) {
            read_from(c, key, v);
            continue;
        }
        for (const struct list_value *l = x->h->lists.all.at[v.bits]; l->before; l = l->before) {
            uint32_t *seen = idmap_at(x->mem, &c->seen, pair(key, l->id));
            if (*seen != ID_NONE)
                break;
            *seen = 0;
            read_from(c, key, l->last);
        }
    }
}

void reads_begin(struct reads *x, const history *h, struct mem *m)
{
    *x = (struct reads){.h = h,
                        .mem = m,
                        .word_read = names_find(&h->names, "r", 1),
                        .word_abort = names_find(&h->names, "abort", 5),
                        .counts = mem_new_zero(m, bool, (size_t)h->n + 1)};
    struct counting c = {.x = x};
    for (uint32_t op = 0; op < h->n; op++)
        note_writes(x, op);
    for (uint32_t op = 0; op < h->n; op++) {
        struct value result = history_result(h, op);
        bool aborted = result.kind == ASSAY_WORD && (uint32_t)result.bits == x->word_abort;
        if (history_pending(h, op) || aborted)
            continue;
        x->counts[op] = true;
        count_reads(&c, op);
    }
    while (c.waiting.n)
        count_reads(&c, vec_pop(&c.waiting));
}

/* ---- unresolved reads ---- */

static struct value initial_value(const history *h, struct value key)
{
    const struct binding *said = bindings_find(&h->init, key);
    if (!said)
        said = bindings_find(&h->init, (struct value){.kind = ASSAY_NONE});
    return said ? said->value : (struct value){0, ASSAY_INT, 0};
}

/* The elements of an initial list are there, too. Each key is looked at once. */
static void note_initial(struct reads *x, uint32_t key, struct value initial)
{
    uint32_t *looked = idmap_at(x->mem, &x->initial, key);
    if (*looked != ID_NONE)
        return;
    *looked = 0;
    const struct list_value *list = initial.kind == ASSAY_LIST ? x->h->lists.all.at[initial.bits] : NULL;
    for (; list && list->before; list = list->before) {
        uint32_t value = value_id(x->mem, &x->values, list->last);
        uint32_t *op = idmap_at(x->mem, &x->written, pair(key, value));
        *op = *op == ID_NONE ? BY_NO_OPERATION : *op;
    }
}

/* From the longest beginning of the list that is known, element by element. */
static uint32_t first_missing(struct reads *x, uint32_t key, struct value initial, const struct list_value *list)
{
    VEC(const struct list_value *) longer = {0};
    uint32_t known = ALL_WRITTEN;
    for (; list->before && !(initial.kind == ASSAY_LIST && initial.bits == list->id); list = list->before) {
        uint32_t said = idmap_get(&x->lists, pair(key, list->id));
        if (said != ID_NONE) {
            known = said;
            break;
        }
        vec_push(x->mem, &longer, list);
    }
    while (longer.n) {
        list = vec_pop(&longer);
        if (known == ALL_WRITTEN && writer(x, key, list->last) == ID_NONE)
            known = list->id;
        *idmap_at(x->mem, &x->lists, pair(key, list->id)) = known;
    }
    vec_free(x->mem, &longer);
    return known;
}

static void resolve(struct reads *x, uint32_t op, uint32_t at)
{
    struct value key = history_value(x->h, at + 1), v = history_value(x->h, at + 2);
    struct unresolved_read r = {op, at + 2, x->h->value_kind[at + 2], v};
    if (v.kind == ASSAY_NONE)
        return;
    uint32_t id = value_id(x->mem, &x->keys, key);
    struct value initial = initial_value(x->h, key);
    if (v.kind == ASSAY_LIST) {
        note_initial(x, id, initial);
        uint32_t missing = first_missing(x, id, initial, x->h->lists.all.at[v.bits]);
        if (missing == ALL_WRITTEN)
            return;
        r.missing = x->h->lists.all.at[missing]->last;
    } else if (value_same(v, initial) || writer(x, id, v) != ID_NONE) {
        return;
    }
    vec_push(x->mem, &x->unresolved, r);
}

void reads_resolve(struct reads *x)
{
    for (uint32_t op = 0; op < x->h->n; op++)
        for (uint32_t at = x->h->values_at[op]; at + 1 < x->h->values_at[op + 1]; at += 3)
            if ((x->counts[op] || history_pending(x->h, op)) && reads_is_read(x, at))
                resolve(x, op, at);
}

void reads_hide(const struct reads *x, history *h)
{
    for (uint32_t i = 0; i < x->unresolved.n; i++)
        h->value_kind[x->unresolved.at[i].at] = ASSAY_NONE;
}
