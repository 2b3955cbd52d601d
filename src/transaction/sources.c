/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/sources.h"

static uint32_t op_of_access(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].op;
}

void sources_seen(struct sources *s, uint32_t access)
{
    uint32_t second = s->g->again.n ? idmap_get(&s->g->again, access) : ID_NONE;
    if (second == ID_NONE || s->twice[1] != ID_NONE)
        return;
    s->twice[0] = op_of_access(s->g, access);
    s->twice[1] = op_of_access(s->g, second);
}

void sources_take(struct sources *s, uint32_t op)
{
    if (s->g->outcome[op] != OUTCOME_UNKNOWN)
        return;
    s->g->outcome[op] = OUTCOME_TAKEN;
    vec_push(s->g->m, &s->waiting, op);
}

static bool source_of_value(struct sources *s, uint32_t op, struct gathered_read *r)
{
    struct gathered *g = s->g;
    const struct gathered_key *k = &g->keys.at[r->key];
    struct value v = history_value(g->h, g->h->values_at[op] + 3 * r->access + 2);
    uint32_t access = gathered_find(g, r->key, v);
    bool initial = value_same(v, gathered_initial(k));
    if (access == ID_NONE) {
        if (!initial)
            gathered_note(g, PATTERN_ThinAirRead, op, r->access, ID_NONE);
        r->source = TXN_INIT;
        return initial;
    }
    if (initial && s->twice[1] == ID_NONE)
        s->twice[1] = op_of_access(g, access);
    sources_seen(s, access);
    uint32_t w = g->access_write[access], writer = g->writes.at[w].op;
    enum pattern p = writer == op                            ? PATTERN_FutureRead
                     : g->outcome[writer] == OUTCOME_ABORTED ? PATTERN_AbortedRead
                     : g->writes.at[w].last != access        ? PATTERN_IntermediateRead
                                                             : PATTERN_NONE;
    if (p)
        gathered_note(g, p, op, r->access, writer);
    else
        sources_take(s, writer);
    r->source = w;
    return !p;
}

static void find_in_operation(struct sources *s, uint32_t op)
{
    struct gathered *g = s->g;
    bool lists = false;
    for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
        struct gathered_read *r = &g->reads.at[i];
        if (r->list == ID_NONE)
            source_of_value(s, op, r);
        else
            lists |= sources_of_list(s, op, r);
    }
    if (lists)
        sources_check_own(s, op);
}

void sources_find(struct sources *s)
{
    struct gathered *g = s->g;
    s->twice[0] = s->twice[1] = ID_NONE;
    for (uint32_t op = 0; op < g->h->n; op++)
        if (g->outcome[op] == OUTCOME_COMMITTED)
            find_in_operation(s, op);
    while (s->waiting.n)
        find_in_operation(s, vec_pop(&s->waiting));
}
