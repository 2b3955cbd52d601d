/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/history.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct history *new_history(void)
{
    struct history *h = calloc(1, sizeof *h);
    if (!h)
        abort();
    return h;
}

void free_history(struct history *h)
{
    if (!h)
        return;
    free(h->txns);
    free(h->accesses);
    free(h->cells);
    free(h->keys);
    free(h->knows);
    free(h);
}

static void *copied(const void *from, size_t bytes)
{
    void *to = malloc(bytes ? bytes : 1);
    if (!to)
        abort();
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

struct history *copy_history(const struct history *h)
{
    struct history *c = copied(h, sizeof *h);
    c->txns = copied(h->txns, (size_t)h->n * sizeof *h->txns);
    c->accesses = copied(h->accesses, (size_t)h->access_count * sizeof *h->accesses);
    c->cells = copied(h->cells, (size_t)h->cell_count * sizeof *h->cells);
    c->keys = copied(h->keys, (size_t)h->key_count * sizeof *h->keys);
    c->txn_room = h->n;
    c->access_room = h->access_count;
    c->cell_room = h->cell_count;
    c->key_room = h->key_count;
    if (h->knows)
        c->knows = copied(h->knows, (size_t)h->n * (size_t)h->session_count * sizeof *h->knows);
    return c;
}

static void *room_for(void *row, int count, int *room, size_t size)
{
    if (count < *room)
        return row;
    *room = 2 * *room + 16;
    row = realloc(row, (size_t)*room * size);
    if (!row)
        abort();
    return row;
}

int add_key(struct history *h, bool list)
{
    h->keys = room_for(h->keys, h->key_count, &h->key_room, sizeof *h->keys);
    h->keys[h->key_count] = (struct key){.list = list, .init = list ? h->cell_count : INITIAL};
    return h->key_count++;
}

struct txn *add_txn(struct history *h, int session, enum outcome outcome)
{
    h->txns = room_for(h->txns, h->n, &h->txn_room, sizeof *h->txns);
    struct txn *t = &h->txns[h->n++];
    *t = (struct txn){.session = session, .outcome = outcome, .first = h->access_count};
    if (session >= h->session_count)
        h->session_count = session + 1;
    return t;
}

struct access *add_access(struct history *h, enum kind kind, int key, int value)
{
    h->accesses = room_for(h->accesses, h->access_count, &h->access_room, sizeof *h->accesses);
    struct access *a = &h->accesses[h->access_count++];
    *a = (struct access){.kind = kind, .key = key, .value = value, .list = h->cell_count};
    h->txns[h->n - 1].count++;
    return a;
}

int add_cell(struct history *h, int value)
{
    h->cells = room_for(h->cells, h->cell_count, &h->cell_room, sizeof *h->cells);
    h->cells[h->cell_count] = value;
    return h->cell_count++;
}

void add_read_list(struct history *h, int key, const int *values, int length)
{
    struct access *a = add_access(h, READ, key, 0);
    a->length = length;
    for (int i = 0; i < length; i++)
        add_cell(h, values[i]);
}

struct access *access_of(const struct history *h, int t, int i)
{
    return &h->accesses[h->txns[t].first + i];
}

bool writes_key(const struct history *h, int t, int key)
{
    for (int i = 0; i < h->txns[t].count; i++) {
        const struct access *a = access_of(h, t, i);
        if (a->kind != READ && a->key == key)
            return true;
    }
    return false;
}

static void copy_accesses(struct history *to, const struct history *from, int t)
{
    for (int i = 0; i < from->txns[t].count; i++) {
        const struct access *a = access_of(from, t, i);
        struct access *b = add_access(to, a->kind, a->key, a->value);
        b->unknown = a->unknown;
        b->length = a->length;
        for (int k = 0; k < a->length; k++)
            add_cell(to, from->cells[a->list + k]);
    }
}

static int session_place(const struct history *h, int t)
{
    int place = 0;
    for (int u = 0; u < t; u++)
        place += h->txns[u].session == h->txns[t].session;
    return place;
}

static bool raise(int *to, const int *from, int n)
{
    bool changed = false;
    for (int i = 0; i < n; i++)
        if (from[i] > to[i]) {
            to[i] = from[i];
            changed = true;
        }
    return changed;
}

/* Whoever knows of the end of a transaction knows all that this one knew. */
static int *closed_knowledge(const struct history *h)
{
    int s = h->session_count;
    int *knows = copied(h->knows, (size_t)(h->n * s) * sizeof *knows);
    for (bool changed = true; changed;) {
        changed = false;
        for (int t = 0; t < h->n; t++)
            for (int u = 0; u < h->n; u++) {
                bool same = h->txns[u].session == h->txns[t].session;
                if (same ? u < t : session_place(h, u) < knows[t * s + h->txns[u].session])
                    changed |= raise(knows + t * s, knows + u * s, s);
            }
    }
    return knows;
}

/* Knowledge counts transactions of a session: those that are left of them, up to the last one that ended. */
static void copy_knowledge(struct history *to, const struct history *from, const bool *keep)
{
    int s = from->session_count, *knows = closed_knowledge(from);
    to->knows = calloc((size_t)(to->n * s) + 1, sizeof *to->knows);
    if (!to->knows)
        abort();
    for (int t = 0, row = 0; t < from->n; t++) {
        for (int u = 0, place = 0; keep[t] && u < from->n; u++) {
            int session = from->txns[u].session;
            if (!keep[u])
                continue;
            if (from->txns[u].outcome != MAYBE && session_place(from, u) < knows[t * s + session])
                to->knows[row * s + session] = session_place(to, place) + 1;
            place++;
        }
        row += keep[t];
    }
    free(knows);
}

struct history *sub_history(const struct history *h, const bool *keep)
{
    struct history *to = new_history();
    for (int k = 0; k < h->key_count; k++) {
        add_key(to, h->keys[k].list);
        to->keys[k].init_length = h->keys[k].init_length;
        if (!h->keys[k].list)
            to->keys[k].init = h->keys[k].init;
        for (int i = 0; i < h->keys[k].init_length; i++)
            add_cell(to, h->cells[h->keys[k].init + i]);
    }
    for (int t = 0; t < h->n; t++) {
        if (!keep[t])
            continue;
        struct txn *c = add_txn(to, h->txns[t].session, h->txns[t].outcome);
        c->begin = h->txns[t].begin;
        c->end = h->txns[t].end;
        copy_accesses(to, h, t);
    }
    to->session_count = h->session_count;
    to->timing = h->timing;
    if (h->timing == KNOWLEDGE)
        copy_knowledge(to, h, keep);
    return to;
}

static int times_written(const struct history *h, int key, int value)
{
    const struct key *k = &h->keys[key];
    int times = !k->list && k->init == value;
    for (int i = 0; i < k->init_length; i++)
        times += h->cells[k->init + i] == value;
    for (int i = 0; i < h->access_count; i++)
        times += h->accesses[i].kind != READ && h->accesses[i].key == key && h->accesses[i].value == value;
    return times;
}

/* Is no value of the read written twice to its key? */
static bool unique(const struct history *h, const struct access *a)
{
    if (a->kind != READ || a->unknown)
        return true;
    if (!h->keys[a->key].list)
        return times_written(h, a->key, a->value) <= 1;
    for (int k = 0; k < a->length; k++)
        if (times_written(h, a->key, h->cells[a->list + k]) > 1)
            return false;
    return true;
}

/* A list that is read behind own appends shows all appends of its transaction. */
static bool shows_all_own(const struct history *h, int t, int i)
{
    const struct access *a = access_of(h, t, i);
    for (int k = 0; a->kind == READ && !a->unknown && k < i; k++)
        if (access_of(h, t, k)->kind == APPEND && access_of(h, t, k)->key == a->key)
            return true;
    return false;
}

static bool own_unique(const struct history *h, int t, int key)
{
    for (int i = 0; i < h->txns[t].count; i++) {
        const struct access *a = access_of(h, t, i);
        if (a->kind == APPEND && a->key == key && times_written(h, key, a->value) > 1)
            return false;
    }
    return true;
}

bool lists_differentiated(const struct history *h)
{
    for (int t = 0; t < h->n; t++)
        for (int i = 0; i < h->txns[t].count; i++) {
            const struct access *a = access_of(h, t, i);
            if (h->keys[a->key].list && (!unique(h, a) || (shows_all_own(h, t, i) && !own_unique(h, t, a->key))))
                return false;
        }
    return true;
}

bool differentiated(const struct history *h)
{
    for (int i = 0; i < h->access_count; i++)
        if (!h->keys[h->accesses[i].key].list && !unique(h, &h->accesses[i]))
            return false;
    return lists_differentiated(h);
}

bool has_lists(const struct history *h)
{
    for (int k = 0; k < h->key_count; k++)
        if (h->keys[k].list)
            return true;
    return false;
}
