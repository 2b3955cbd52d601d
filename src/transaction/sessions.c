/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/sessions.h"

#include "history/knowledge.h"

static bool counts(const struct gathered *g, uint32_t op)
{
    return g->outcome[op] == OUTCOME_COMMITTED || g->outcome[op] == OUTCOME_TAKEN;
}

/* ---- numbers ---- */

/* An unknown transaction precedes nothing. So it ends its session's chain, or is a chain of its own. */
static uint32_t *chains_of(const struct gathered *g, enum base base, uint32_t *k)
{
    const history *h = g->h;
    uint32_t *chain = mem_new_ids(g->m, (size_t)h->n + 1);
    uint32_t *last = mem_new_ids(g->m, h->threads.n), *of = mem_new_ids(g->m, h->threads.n);
    for (uint32_t op = 0; op < h->n; op++)
        if (counts(g, op))
            last[h->thread[op]] = op;
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t session = h->thread[op];
        if (!counts(g, op))
            continue;
        bool apart = base == BASE_NONE || (g->outcome[op] == OUTCOME_TAKEN && last[session] != op);
        if (!apart && of[session] == ID_NONE)
            of[session] = (*k)++;
        chain[op] = apart ? (*k)++ : of[session];
    }
    mem_free(g->m, last);
    mem_free(g->m, of);
    return chain;
}

uint32_t *sessions_number(const struct gathered *g, enum base base, struct txn_view *v)
{
    const history *h = g->h;
    uint32_t *chain = chains_of(g, base, &v->k), *txn_of = mem_new_ids(g->m, (size_t)h->n + 1);
    struct groups by = group_by(chain, h->n, v->k, g->m);
    v->base = by.at;
    v->n = by.at[v->k];
    v->op = by.list;
    v->chain = mem_new(g->m, uint32_t, v->n);
    for (uint32_t t = 0; t < v->n; t++) {
        v->chain[t] = chain[v->op[t]];
        txn_of[v->op[t]] = t;
    }
    mem_free(g->m, chain);
    return txn_of;
}

/* ---- the order beside the chains ---- */

struct pairs { /* a transaction, and one directly before it */
    VEC(uint32_t) before, after;
};

static void add_pair(const struct gathered *g, struct pairs *p, uint32_t before, uint32_t after)
{
    vec_push(g->m, &p->before, before);
    vec_push(g->m, &p->after, after);
}

/* Of an unknown transaction that is a chain of its own, the last one of its session before it. */
static void add_sessions(const struct gathered *g, const uint32_t *txn_of, const struct txn_view *v, struct pairs *p)
{
    const history *h = g->h;
    uint32_t *last = mem_new_ids(g->m, h->threads.n);
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t t = txn_of[op], *before = &last[h->thread[op]];
        if (t == ID_NONE)
            continue;
        if (g->outcome[op] == OUTCOME_COMMITTED)
            *before = t;
        else if (*before != ID_NONE && v->chain[*before] != v->chain[t])
            add_pair(g, p, *before, t);
    }
    mem_free(g->m, last);
}

/* Recorded knowledge: of each other session, the last transaction that had ended. */
static void add_knowledge(const struct gathered *g, const uint32_t *txn_of, struct pairs *p)
{
    const history *h = g->h;
    struct knowledge known = knowledge_of(h, g->m, NULL);
    uint32_t *last = mem_new(g->m, uint32_t, (size_t)h->n + 1); /* of each thread's first operations: the last ended */
    if (known.circular != ID_NONE) {
        history_fault(h, known.circular, g->e, ASSAY_ERROR_INPUT, "the recorded knowledge is circular");
        error_remedy(g->e, "an operation cannot come after itself");
        escape_raise(ESCAPE_ERROR);
    }
    for (uint32_t s = 0; s < h->threads.n; s++)
        for (uint32_t i = known.by.at[s], now = ID_NONE; i < known.by.at[s + 1]; i++) {
            uint32_t op = known.by.list[i];
            now = g->outcome[op] == OUTCOME_COMMITTED ? txn_of[op] : now;
            last[i] = now;
        }
    for (uint32_t op = 0; op < h->n; op++)
        for (uint32_t s = 0; s < h->threads.n && txn_of[op] != ID_NONE; s++) {
            uint32_t count = s == h->thread[op] ? 0 : knowledge_row(&known, op)[s];
            uint32_t before = count ? last[known.by.at[s] + count - 1] : ID_NONE;
            if (before != ID_NONE)
                add_pair(g, p, before, txn_of[op]);
        }
    mem_free(g->m, last);
    mem_free(g->m, known.place);
    mem_free(g->m, known.rows);
    groups_free(&known.by, g->m);
}

void sessions_before(const struct gathered *g, enum base base, const uint32_t *txn_of, struct txn_view *v)
{
    struct pairs p = {0};
    if (base != BASE_NONE)
        add_sessions(g, txn_of, v, &p);
    if (base == BASE_REALTIME && g->h->after_at)
        add_knowledge(g, txn_of, &p);
    v->before = group_by(p.after.at, p.after.n, v->n, g->m);
    for (uint32_t i = 0; i < p.after.n; i++)
        v->before.list[i] = p.before.at[v->before.list[i]];
    vec_free(g->m, &p.before);
    vec_free(g->m, &p.after);
}
