/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: all that are read of one key must be beginnings of the longest. So the longest so far is kept, element by
 * element, and each element is looked at once: when the first list shows it. Equal lists have equal numbers, so
 * comparing a list with the longest takes one step.
 *
 * The elements that a transaction appended stand side by side, in its order, and a list has all of them or none.
 *
 * A list that was read behind own appends shows the version that its transaction installs. So the list before the own
 * appends, with all own appends behind it, is one of the key's lists. The history need not have it, if the transaction
 * appended again behind the read. */
#include "transaction/sources.h"

static void begin_lists(struct sources *s)
{
    struct gathered *g = s->g;
    const history *h = g->h;
    s->lists = mem_new_zero(g->m, struct list_order, g->keys.n);
    s->position = mem_new_ids(g->m, (size_t)g->writes.n + 1);
    for (uint32_t x = 0; x < g->keys.n; x++) {
        const struct gathered_key *k = &g->keys.at[x];
        struct list_order *o = &s->lists[x];
        o->op = o->own_op = ID_NONE;
        if (k->kind != KEY_LIST || k->initial_kind != ASSAY_LIST) /* a value for all keys is none of a list */
            continue;
        const struct list_value *list = h->lists.all.at[k->initial];
        o->initial = list->length;
        vec_reserve(g->m, &o->at, list->length);
        o->at.n = list->length;
        for (uint32_t i = list->length; i-- > 0; list = list->before)
            o->at.at[i] = (struct list_element){list->id, ID_NONE, ID_NONE};
    }
}

/* Is the transaction that appended the last of these elements through with its appends? */
static bool complete(const struct sources *s, const struct list_order *o, uint32_t n)
{
    const struct gathered *g = s->g;
    uint32_t last = n <= o->initial ? ID_NONE : o->at.at[n - 1].access;
    return last == ID_NONE ? n >= o->initial : g->writes.at[g->access_write[last]].last == last;
}

/* Is the element the one that may follow those before it? */
static bool follows(const struct sources *s, const struct list_order *o, uint32_t at, uint32_t access)
{
    uint32_t before = s->g->access_before[access];
    return before == ID_NONE ? complete(s, o, at) : at > 0 && o->at.at[at - 1].access == before;
}

static bool among(const struct list_order *o, uint32_t n, uint32_t access)
{
    for (uint32_t i = 0; i < n; i++)
        if (o->at.at[i].access == access)
            return true;
    return false;
}

/* A list shows an element for the first time. The anomaly, or PATTERN_NONE. */
static enum pattern show(struct sources *s, struct list_order *o, uint32_t x, uint32_t at, uint32_t *writer)
{
    struct gathered *g = s->g;
    struct list_element *shown = &o->at.at[at];
    struct value v = g->h->lists.all.at[shown->list]->last;
    uint32_t access = gathered_find(g, x, v);
    shown->access = access;
    *writer = ID_NONE;
    if (access == ID_NONE)
        return PATTERN_ThinAirRead;
    uint32_t w = g->access_write[access];
    *writer = g->writes.at[w].op;
    sources_seen(s, access);
    if (g->outcome[*writer] == OUTCOME_ABORTED)
        return PATTERN_AbortedRead;
    sources_take(s, *writer);
    bool again = s->position[w] != ID_NONE && g->access_before[access] == ID_NONE;
    if (again || !follows(s, o, at, access))
        return among(o, at, access) ? PATTERN_IncompatibleOrder : PATTERN_IntermediateRead;
    s->position[w] = at;
    return PATTERN_NONE;
}

/* The list goes on from the longest so far; false: an element is wrong. */
static bool prolong(struct sources *s, uint32_t op, const struct gathered_read *r, const struct list_value *list)
{
    struct gathered *g = s->g;
    struct list_order *o = &s->lists[r->key];
    uint32_t from = o->at.n;
    vec_reserve(g->m, &o->at, list->length - from);
    o->at.n = list->length;
    for (uint32_t i = list->length; i-- > from; list = list->before)
        o->at.at[i] = (struct list_element){list->id, ID_NONE, op};
    for (uint32_t i = from; i < o->at.n; i++) {
        uint32_t writer;
        enum pattern p = show(s, o, r->key, i, &writer);
        if (p) {
            gathered_note(g, p, op, r->access, writer);
            o->at.n = i;
            return false;
        }
    }
    return true;
}

/* The part of the list that is no longer than the longest so far. */
static const struct list_value *beginning(const struct list_value *list, uint32_t length)
{
    while (list->length > length)
        list = list->before;
    return list;
}

static bool place_list(struct sources *s, uint32_t op, struct gathered_read *r)
{
    struct gathered *g = s->g;
    if (!s->lists)
        begin_lists(s);
    struct list_order *o = &s->lists[r->key];
    const struct list_value *list = g->h->lists.all.at[r->list], *begin = beginning(list, o->at.n);
    if (begin->length && o->at.at[begin->length - 1].list != begin->id) {
        gathered_note(g, PATTERN_IncompatibleOrder, op, r->access, o->at.at[begin->length - 1].op);
        return false;
    }
    if (list->length > o->at.n && !prolong(s, op, r, list))
        return false;
    if (!complete(s, o, list->length)) {
        uint32_t last = list->length > o->initial ? o->at.at[list->length - 1].access : ID_NONE;
        uint32_t writer = last == ID_NONE ? ID_NONE : g->writes.at[g->access_write[last]].op;
        gathered_note(g, writer == op ? PATTERN_FutureRead : PATTERN_IntermediateRead, op, r->access, writer);
        return false;
    }
    bool initial = list->length <= o->initial;
    r->source = initial ? TXN_INIT : g->access_write[o->at.at[list->length - 1].access];
    if (o->op != op || list->length > o->end) {
        o->op = op;
        o->read = r->access;
        o->end = list->length;
    }
    return true;
}

bool sources_of_list(struct sources *s, uint32_t op, struct gathered_read *r)
{
    bool placed = place_list(s, op, r);
    if (!placed)
        r->own = ID_NONE; /* there is no place for the own appends behind it */
    return placed;
}

/* ---- lists behind own appends ---- */

/* Its own appends to the key of the read, the first one first. */
static uint32_t *own_appends(const struct gathered *g, const struct gathered_read *r, uint32_t *n)
{
    uint32_t last = g->writes.at[g->access_write[r->own]].last;
    *n = 0;
    for (uint32_t a = last; a != ID_NONE; a = g->access_before[a])
        ++*n;
    uint32_t *own = mem_new(g->m, uint32_t, *n);
    for (uint32_t a = last, i = *n; i-- > 0; a = g->access_before[a])
        own[i] = a;
    return own;
}

/* They stand in the longest list behind the list before them, or follow it. */
static void place_own(struct sources *s, uint32_t op, const struct gathered_read *r, const uint32_t *own, uint32_t n)
{
    struct gathered *g = s->g;
    struct list_order *o = &s->lists[r->key];
    uint32_t list = r->list, at = g->h->lists.all.at[list]->length, w = g->access_write[r->own];
    for (uint32_t i = 0; i < n; i++, at++) {
        sources_seen(s, own[i]);
        if (at < o->at.n ? o->at.at[at].access != own[i] : i == 0 && s->position[w] != ID_NONE) {
            uint32_t other = at < o->at.n ? at : s->position[w];
            gathered_note(g, PATTERN_IncompatibleOrder, op, r->access, o->at.at[other].op);
            return;
        }
        if (list != ID_NONE)
            list = lists_find(&g->h->lists, list, history_value(g->h, 3 * own[i] + op + 2));
        if (at == o->at.n)
            vec_push(g->m, &o->at, ((struct list_element){list, own[i], op}));
        s->position[w] = at;
    }
}

void sources_of_own_lists(struct sources *s, uint32_t op)
{
    struct gathered *g = s->g;
    for (uint32_t i = g->reads_at[op]; i < g->reads_at[op + 1]; i++) {
        const struct gathered_read *r = &g->reads.at[i];
        if (r->own == ID_NONE || (s->lists[r->key].own_op == op && s->lists[r->key].own == r->list))
            continue;
        uint32_t n, *own = own_appends(g, r, &n);
        place_own(s, op, r, own, n);
        mem_free(g->m, own);
        s->lists[r->key].own_op = op;
        s->lists[r->key].own = r->list;
    }
}

void sources_check_own(struct sources *s, uint32_t op)
{
    struct gathered *g = s->g;
    for (uint32_t w = g->writes_at[op]; w < g->writes_at[op + 1]; w++) {
        const struct list_order *o = &s->lists[g->writes.at[w].key];
        if (o->op == op && s->position[w] != ID_NONE && s->position[w] < o->end)
            gathered_note(g, PATTERN_FutureRead, op, o->read, op);
    }
}
