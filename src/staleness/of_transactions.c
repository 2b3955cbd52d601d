/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions as reads and writes, at the time of the whole transaction.
 *
 * A read counts if its transaction committed and did not write the variable before. A write counts if its transaction
 * did not abort. The last write of a transaction to a variable is a version; an earlier one may be read, too. The
 * version of a list is its last element. */
#include "staleness/measured.h"
#include "transaction/gather.h"

static struct value last_element(const history *h, uint32_t list)
{
    const struct list_value *l = h->lists.all.at[list];
    return l->before ? l->last : (struct value){.kind = ASSAY_NONE};
}

static struct value initial_value(const history *h, const struct gathered_key *k)
{
    if (k->kind != KEY_LIST)
        return gathered_initial(k);
    return k->initial_kind == ASSAY_LIST ? last_element(h, (uint32_t)k->initial) : (struct value){.kind = ASSAY_NONE};
}

static void take_reads(struct accesses_measured *a, const struct gathered *g, uint32_t op)
{
    const history *h = g->h;
    for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
        const struct gathered_read *r = &g->reads.at[i];
        struct value v = r->list == ID_NONE ? history_arg(h, op, 3 * r->access + 2) : last_element(h, r->list);
        struct stale_read new = {op, r->key, content_of(&a->contents, r->key, v, g->m), r->access};
        vec_push(g->m, &a->reads, new);
    }
}

static void take_writes(struct accesses_measured *a, const struct gathered *g, uint32_t op)
{
    const history *h = g->h;
    for (uint32_t i = history_accesses(h, op); i < history_accesses(h, op + 1); i++) {
        if ((uint32_t)h->value_bits[3 * i + op] == g->word_read)
            continue;
        uint32_t key = g->access_key[i];
        struct stale_write new = {op, key, content_of(&a->contents, key, history_value(h, 3 * i + op + 2), g->m),
                                  g->writes.at[g->access_write[i]].last == i};
        vec_push(g->m, &a->writes, new);
    }
}

void accesses_of_transactions(struct accesses_measured *a, const history *h, struct mem *m, struct budget *b,
                              assay_error *e)
{
    struct gathered g = {.h = h, .m = m, .e = e};
    gather(&g);
    for (uint32_t x = 0; x < g.keys.n; x++) {
        uint32_t initial = content_of(&a->contents, x, initial_value(h, &g.keys.at[x]), m);
        vec_push(m, &a->initial, initial);
    }
    for (uint32_t op = 0; op < h->n; op++) {
        if (g.outcome[op] == OUTCOME_COMMITTED)
            take_reads(a, &g, op);
        if (g.outcome[op] != OUTCOME_ABORTED)
            take_writes(a, &g, op);
        budget_tick(b);
    }
    gathered_free(&g);
}
