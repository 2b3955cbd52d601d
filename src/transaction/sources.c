/* SPDX-License-Identifier: Apache-2.0 */
#include "transaction/sources.h"

static uint32_t op_of_access(const struct gathered *g, uint32_t access)
{
    return g->writes.at[g->access_write[access]].op;
}

/* The value of the access was written again; initial: it is the initial one. */
static void note_twice(struct sources *s, uint32_t access, bool initial)
{
    if (s->twice[1] != ID_NONE)
        return;
    uint32_t first = op_of_access(s->g, access);
    s->twice[0] = initial ? ID_NONE : first;
    s->twice[1] = initial ? first : op_of_access(s->g, idmap_get(&s->g->again, access));
}

void sources_seen(struct sources *s, uint32_t access)
{
    uint32_t second = s->g->again.n ? idmap_get(&s->g->again, access) : ID_NONE;
    if (second == ID_NONE || s->lists_repeat)
        return;
    s->lists_repeat = true;
    s->twice[1] = ID_NONE;
    note_twice(s, access, false);
}

void sources_take(struct sources *s, uint32_t op)
{
    if (s->g->outcome[op] != OUTCOME_UNKNOWN)
        return;
    s->g->outcome[op] = OUTCOME_TAKEN;
    if (s->taken_by)
        s->taken_by[op] = s->reading;
    vec_push(s->g->m, &s->waiting, op);
}

/* The value was written again. */
static void source_among(struct sources *s, uint32_t op, struct gathered_read *r, uint32_t access, bool initial)
{
    struct gathered *g = s->g;
    struct txn_candidates *c = &s->candidates;
    uint32_t writer = ID_NONE;
    if (!s->chosen)
        txn_candidates_find(c, g, op, access, initial, 2);
    r->source = s->chosen ? s->chosen[s->reading] : c->found.n ? c->found.at[0] : SOURCE_NONE;
    if (r->source == SOURCE_NONE) {
        enum pattern p = txn_candidates_lack(c, g, op, access, &writer);
        gathered_note(g, p, op, r->access, writer);
        return;
    }
    if (!s->chosen && c->found.n > 1)
        s->open = true;
    else if (r->source != TXN_INIT)
        sources_take(s, g->writes.at[r->source].op);
}

static void source_of_value(struct sources *s, uint32_t op, struct gathered_read *r)
{
    struct gathered *g = s->g;
    const struct gathered_key *k = &g->keys.at[r->key];
    struct value v = history_value(g->h, g->h->values_at[op] + 3 * r->access + 2);
    uint32_t access = gathered_find(g, r->key, v);
    bool initial = value_same(v, gathered_initial(k));
    r->source = TXN_INIT;
    if (txn_value_repeats(g, access, initial)) {
        note_twice(s, access, initial);
        source_among(s, op, r, access, initial);
        return;
    }
    if (access == ID_NONE) {
        if (!initial)
            gathered_note(g, PATTERN_ThinAirRead, op, r->access, ID_NONE);
        return;
    }
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
}

static void find_in_operation(struct sources *s, uint32_t op)
{
    struct gathered *g = s->g;
    bool lists = false;
    for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
        struct gathered_read *r = &g->reads.at[i];
        s->reading = i;
        if (r->list == ID_NONE)
            source_of_value(s, op, r);
        else
            lists |= sources_of_list(s, op, r);
    }
    if (!lists)
        return;
    sources_check_own(s, op);
    sources_of_own_lists(s, op);
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
