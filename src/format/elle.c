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

/* r, w or append. Transactions that look at more than one key at a time are outside of the models. */
static const char *kind_of(const struct edn *e, uint32_t access)
{
    static const struct {
        const char *name, *kind;
    } kinds[] = {{"r", "r"}, {"w", "w"}, {"append", "append"}, {"read", "r"}, {"write", "w"}};
    uint32_t f = edn_is_sequence(e, access) ? edn_child(e, access, 0) : ID_NONE;
    if (f == ID_NONE || e->nodes.at[f].kind != EDN_KEYWORD)
        EDN_FAULT(e, access, "expected [:r key value], [:w key value] or [:append key value]");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (edn_is(e, f, EDN_KEYWORD, kinds[i].name)) {
            if (edn_count(e, access) != 3)
                EDN_FAULT(e, access, "expected a key and a value, as in [:%s x 1]", kinds[i].name);
            return kinds[i].kind;
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
            v = edn_list(e, value, h);
        else if (!reads || known)
            v = edn_value(e, value, h, reads ? "the value that was read" : "a value");
        vec_push(&h->mem, args, word_value(h, kind));
        vec_push(&h->mem, args, edn_value(e, key, h, "a key"));
        vec_push(&h->mem, args, v);
    }
}

/* ---- calls and outcomes ---- */

static bool reads(const history *h, struct value kind)
{
    return *history_text(h, (uint32_t)kind.bits) == 'r';
}

uint32_t elle_difference(const history *h, const struct value *a, uint32_t na, const struct value *b, uint32_t nb)
{
    uint32_t k = 0;
    while (k < na && k < nb && value_same(a[k], b[k]) && value_same(a[k + 1], b[k + 1]) &&
           (reads(h, a[k]) || value_same(a[k + 2], b[k + 2])))
        k += 3;
    return k == na && k == nb ? ID_NONE : k;
}

void elle_print_access(struct text *t, const history *h, const struct value *access)
{
    if (!access) {
        text_puts(t, "its end");
        return;
    }
    text_char(t, '`');
    for (int i = 0; i < (reads(h, access[0]) ? 2 : 3); i++) {
        text_puts(t, i ? " " : "");
        token_print(t, h, access[i]);
    }
    text_char(t, '`');
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
            if (reads(s->h, args[k]) && value_same(args[k + 2], nil) && value_id_find(&lists, args[k + 1]) != ID_NONE)
                args[k + 2] = (struct value){lists_empty(m, &s->h->lists), ASSAY_LIST};
    }
    value_ids_free(m, &lists);
}
