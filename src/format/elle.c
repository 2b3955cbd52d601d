/* SPDX-License-Identifier: Apache-2.0 */
#include "format/elle.h"

#include "history/value_ids.h"

bool elle_is_transaction(const struct edn *e, uint32_t value)
{
    if (value == ID_NONE || !edn_is_sequence(e, value))
        return false;
    uint32_t first = edn_child(e, value, 0);
    if (first == ID_NONE || !edn_is_sequence(e, first))
        return false;
    uint32_t f = edn_child(e, first, 0);
    return f != ID_NONE && e->nodes.at[f].kind == EDN_KEYWORD;
}

static struct value word_value(history *h, const char *word)
{
    return (struct value){history_name(h, word, strlen(word)), ASSAY_WORD};
}

/* [1 2 3]. */
static struct value list_value(const struct edn *e, uint32_t node, history *h)
{
    struct value list = {lists_empty(&h->mem, &h->lists), ASSAY_LIST};
    for (uint32_t i = node + 1; i < e->nodes.at[node].end; i = e->nodes.at[i].end)
        list = history_longer(h, list, edn_value(e, i, h, "an element of a list"));
    return list;
}

/* r, w or append. Transactions that look at more than one key at a time are outside of the models. */
static const char *kind_of(const struct edn *e, uint32_t access)
{
    static const char *const kinds[] = {"r", "w", "append"};
    uint32_t f = edn_is_sequence(e, access) ? edn_child(e, access, 0) : ID_NONE;
    if (f == ID_NONE || e->nodes.at[f].kind != EDN_KEYWORD)
        EDN_FAULT(e, access, "expected [:r key value], [:w key value] or [:append key value]");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (edn_is(e, f, EDN_KEYWORD, kinds[i])) {
            if (edn_count(e, access) != 3)
                EDN_FAULT(e, access, "expected a key and a value, as in [:%s x 1]", kinds[i]);
            return kinds[i];
        }
    uint32_t length = e->nodes.at[f].length;
    EDN_FAULT_REMEDY(e, f, "leave it out of the log, or record the keys that it accessed one by one",
                     "the operation %s%.*s is not supported: a transaction reads (r), writes (w) and appends to "
                     "(append) single keys; predicates and scans are outside of the models",
                     e->json ? "" : ":", (int)(length < 40 ? length : 40), edn_text(e, f));
}

void elle_arguments(const struct edn *e, uint32_t list, bool known, history *h, struct arguments *args)
{
    for (uint32_t i = list + 1; i < e->nodes.at[list].end; i = e->nodes.at[i].end) {
        const char *kind = kind_of(e, i);
        uint32_t key = edn_child(e, i, 1), value = edn_child(e, i, 2);
        bool reads = *kind == 'r';
        struct value v = {0};
        if (reads && known && edn_is_sequence(e, value))
            v = list_value(e, value, h);
        else if (!reads || known)
            v = edn_value(e, value, h, reads ? "the value that was read" : "a value");
        vec_push(&h->mem, args, word_value(h, kind));
        vec_push(&h->mem, args, edn_value(e, key, h, "a key"));
        vec_push(&h->mem, args, v);
    }
}

/* ---- lists ---- */

static void find_lists(const struct calls *s, struct value append, struct value_ids *lists)
{
    for (uint32_t i = 0; i < s->all.n; i++) {
        const struct call *call = &s->all.at[i];
        const struct value *args = call->arity ? &s->values.at[call->values_at] : NULL;
        for (uint32_t k = 0; k + 2 < call->arity; k += 3)
            if (value_same(args[k], append) || args[k + 2].kind == ASSAY_LIST)
                value_id(&s->h->mem, lists, args[k + 1]);
    }
}

void elle_settle_lists(struct calls *s)
{
    struct mem *m = &s->h->mem;
    struct value_ids lists = {0};
    struct value nil = word_value(s->h, "nil");
    find_lists(s, word_value(s->h, "append"), &lists);
    for (uint32_t i = 0; lists.n && i < s->all.n; i++) {
        const struct call *call = &s->all.at[i];
        struct value *args = call->arity ? &s->values.at[call->values_at] : NULL;
        for (uint32_t k = 0; k + 2 < call->arity; k += 3)
            if (value_same(args[k + 2], nil) && value_id_find(&lists, args[k + 1]) != ID_NONE)
                args[k + 2] = (struct value){lists_empty(m, &s->h->lists), ASSAY_LIST};
    }
    value_ids_free(m, &lists);
}
