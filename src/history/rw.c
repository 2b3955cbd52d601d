/* SPDX-License-Identifier: Apache-2.0 */
#include "history/rw.h"

#include "base/keyed.h"
#include "history/value_ids.h"

#include <string.h>

/* What the construction needs beside the view; freed at its end. */
struct building {
    const history *h;
    struct mem *m;
    struct rw *v;
    struct value_ids vars;
    bool names_objects;       /* then a variable is an object and a first argument, */
    struct idmap object_vars; /* and this maps them */
    struct value *reads_value, *writes_value; /* of an event */
    struct groups by_var;                     /* events of each variable, in event order */
    bool *kept;                               /* the event takes part */
};

static uint32_t method_id(const history *h, const char *name)
{
    return names_find(&h->names, name, strlen(name));
}

static uint32_t variable(struct building *b, uint32_t op)
{
    const history *h = b->h;
    uint32_t key = value_id(b->m, &b->vars, history_arg(h, op, 0));
    if (!b->names_objects) {
        b->v->d = b->vars.n;
        return key;
    }
    uint32_t *var = idmap_at(b->m, &b->object_vars, (uint64_t)h->object[op] << 32 | key);
    if (*var == ID_NONE)
        *var = b->v->d++;
    return *var;
}

/* Lays the operations out by thread. */
static void place_events(struct building *b)
{
    const history *h = b->h;
    struct rw *v = b->v;
    uint32_t read = method_id(h, "read"), write = method_id(h, "write"), rmw = method_id(h, "rmw");
    uint32_t *next = mem_new(b->m, uint32_t, v->k);
    for (uint32_t t = 0, sum = 0; t <= v->k; t++) {
        v->base[t] = sum;
        if (t < v->k) {
            next[t] = sum;
            sum += h->threads.at[t].count;
        }
    }
    for (uint32_t o = 0; o < h->n; o++) {
        uint32_t t = h->thread[o], e = next[t]++;
        uint32_t method = h->method[o];
        v->thread[e] = t;
        v->op[e] = o;
        v->src[e] = RW_INIT;
        if (method == read) {
            v->kind[e] = history_pending(h, o) ? 0 : RW_READS;
            b->reads_value[e] = history_result(h, o);
        } else if (method == write) {
            v->kind[e] = RW_WRITES;
            b->writes_value[e] = history_arg(h, o, 1);
        } else if (method == rmw) {
            v->kind[e] = RW_READS | RW_WRITES;
            b->reads_value[e] = history_arg(h, o, 1);
            b->writes_value[e] = history_arg(h, o, 2);
        } else {
            v->kind[e] = RW_FENCE;
        }
        v->var[e] = v->kind[e] & (RW_READS | RW_WRITES) ? variable(b, o) : ID_NONE;
    }
    mem_free(b->m, next);
}

/* What an @init line says of the variable itself, else of all variables, else 0. */
static struct value initial_value(const history *h, struct value key)
{
    struct value value = {0, ASSAY_INT};
    for (uint32_t i = 0; i < h->init.n; i++)
        if (h->init.at[i].key.kind == ASSAY_NONE)
            value = h->init.at[i].value;
    for (uint32_t i = 0; i < h->init.n; i++)
        if (value_same(h->init.at[i].key, key))
            value = h->init.at[i].value;
    return value;
}

struct value rw_initial(const history *h, uint32_t op)
{
    return initial_value(h, history_arg(h, op, 0));
}

/* Of several declarations of one variable the last one counts. */
static bool final_elsewhere(const struct building *b)
{
    const history *h = b->h;
    for (uint32_t i = 0; i < h->final.n; i++) {
        struct value key = h->final.at[i].key;
        bool counts = key.kind != ASSAY_NONE && value_id_find(&b->vars, key) == ID_NONE;
        for (uint32_t j = i + 1; j < h->final.n && counts; j++)
            counts = !value_same(h->final.at[j].key, key);
        if (counts && !value_same(h->final.at[i].value, initial_value(h, key)))
            return true;
    }
    return false;
}

struct slot {
    struct value value;
    uint32_t event; /* who wrote it, or RW_INIT */
    bool taken;
};

static struct slot *slot_of(struct slot *table, uint32_t mask, struct value v)
{
    uint32_t i = keyed_word((uint64_t)v.bits) & mask;
    while (table[i].taken && !value_same(table[i].value, v))
        i = (i + 1) & mask;
    return &table[i];
}

/* Who wrote the final value that the history declares for the variable of first_op. */
static uint32_t final_write(const history *h, uint32_t first_op, struct slot *table, uint32_t mask)
{
    struct value key = history_arg(h, first_op, 0);
    const struct binding *said = NULL; /* of the variable itself, else of all variables */
    for (uint32_t i = 0; i < h->final.n; i++) {
        const struct binding *b = &h->final.at[i];
        if (value_same(b->key, key) || (b->key.kind == ASSAY_NONE && !(said && said->key.kind)))
            said = b;
    }
    if (!said)
        return RW_UNSAID;
    const struct slot *s = slot_of(table, mask, said->value);
    return s->taken ? s->event : RW_THIN;
}

static void note_twice(struct rw *v, uint32_t first, uint32_t second)
{
    if (v->twice[1] != ID_NONE)
        return;
    uint32_t a = first == RW_INIT ? ID_NONE : v->op[first], b = v->op[second];
    bool swap = a != ID_NONE && a > b; /* name them in the order of the file */
    v->twice[0] = swap ? b : a;
    v->twice[1] = swap ? a : b;
}

/* One variable at a time, in a table that stays in the cache: who wrote which value, then who read it. */
static void find_sources(struct building *b)
{
    struct rw *v = b->v;
    const uint32_t *at = b->by_var.at;
    uint32_t most = 0;
    for (uint32_t x = 0; x < v->d; x++)
        if (at[x + 1] - at[x] > most)
            most = at[x + 1] - at[x];
    uint32_t room = 4;
    while (room / 2 < most + 1)
        room *= 2;
    struct slot *table = mem_new(b->m, struct slot, room);
    for (uint32_t x = 0; x < v->d; x++) {
        const uint32_t *events = b->by_var.list + at[x];
        uint32_t count = at[x + 1] - at[x], mask = 3;
        while ((mask + 1) / 2 < count + 1)
            mask = mask * 2 + 1;
        memset(table, 0, ((size_t)mask + 1) * sizeof *table);
        struct value initial = rw_initial(b->h, v->op[events[0]]);
        *slot_of(table, mask, initial) = (struct slot){initial, RW_INIT, true};
        for (uint32_t i = 0; i < count; i++) {
            uint32_t e = events[i];
            if (!(v->kind[e] & RW_WRITES))
                continue;
            struct slot *s = slot_of(table, mask, b->writes_value[e]);
            if (s->taken)
                note_twice(v, s->event, e);
            else
                *s = (struct slot){b->writes_value[e], e, true};
        }
        for (uint32_t i = 0; i < count; i++) {
            uint32_t e = events[i];
            if (!(v->kind[e] & RW_READS))
                continue;
            struct slot *s = slot_of(table, mask, b->reads_value[e]);
            v->src[e] = s->taken ? s->event : RW_THIN;
        }
        if (v->final)
            v->final[x] = final_write(b->h, v->op[events[0]], table, mask);
    }
    mem_free(b->m, table);
}

static bool has_source(uint32_t src)
{
    return src < RW_THIN;
}

/* A pending write or rmw stays only if a kept event reads it or its value is declared to be the last one:
 * nothing else shows that it took effect. Kept are at first the completed events and those; few are pending, so plain rounds will do to add what they lead to. */
static void drop_unread_pending(struct building *b)
{
    struct rw *v = b->v;
    const history *h = b->h;
    bool *kept = b->kept;
    for (uint32_t e = 0; e < v->n; e++)
        kept[e] = !history_pending(h, v->op[e]);
    for (uint32_t x = 0; v->final && x < v->d; x++)
        if (v->final[x] < RW_UNSAID)
            kept[v->final[x]] = true;
    for (bool again = true; again;) {
        again = false;
        for (uint32_t e = 0; e < v->n; e++) {
            uint32_t src = v->src[e];
            if (kept[e] && (v->kind[e] & RW_READS) && has_source(src) && !kept[src])
                kept[src] = again = true;
        }
    }
    for (uint32_t e = 0; e < v->n; e++)
        if (!kept[e]) {
            v->kind[e] = 0;
            v->src[e] = RW_INIT; /* what takes no part reads from nobody */
        }
}

static bool any_pending(const history *h)
{
    for (uint32_t o = 0; o < h->n; o++)
        if (history_pending(h, o))
            return true;
    return false;
}

static void list_writes(struct building *b)
{
    struct rw *v = b->v;
    uint32_t groups = 0;
    v->reads = v->writes = 0;
    v->thin = ID_NONE;
    for (uint32_t e = 0; e < v->n; e++) {
        v->reads += v->kind[e] & RW_READS ? 1 : 0;
        v->writes += v->kind[e] & RW_WRITES ? 1 : 0;
        if ((v->kind[e] & RW_READS) && v->src[e] == RW_THIN && v->thin == ID_NONE)
            v->thin = e;
    }
    for (int pass = 0; pass < 2; pass++) { /* count the groups, then fill them */
        uint32_t g = 0, i = 0;
        for (uint32_t x = 0; x < v->d; x++) {
            uint32_t thread = ID_NONE;
            if (pass)
                v->groups_of[x] = g;
            for (uint32_t at = b->by_var.at[x]; at < b->by_var.at[x + 1]; at++) {
                uint32_t e = b->by_var.list[at];
                if (!(v->kind[e] & RW_WRITES))
                    continue;
                if (v->thread[e] != thread) {
                    thread = v->thread[e];
                    if (pass)
                        v->groups[g] = (struct rw_group){thread, i};
                    g++;
                }
                if (pass)
                    v->idx[i] = e - v->base[thread];
                i++;
            }
        }
        if (!pass) {
            groups = g;
            v->groups_of = mem_new(b->m, uint32_t, (size_t)v->d + 1);
            v->groups = mem_new(b->m, struct rw_group, (size_t)groups + 1);
            v->idx = mem_new(b->m, uint32_t, v->writes);
        }
    }
    v->groups_of[v->d] = groups;
    v->groups[groups] = (struct rw_group){ID_NONE, v->writes};
}

struct rw *rw_view(const history *h, struct mem *m)
{
    struct rw *v = mem_new_zero(m, struct rw, 1);
    struct building b = {.h = h, .m = m, .v = v};
    v->n = h->n;
    v->k = h->threads.n;
    v->base = mem_new(m, uint32_t, (size_t)v->k + 1);
    v->thread = mem_new(m, uint32_t, v->n);
    v->var = mem_new(m, uint32_t, v->n);
    v->src = mem_new(m, uint32_t, v->n);
    v->op = mem_new(m, uint32_t, v->n);
    v->kind = mem_new(m, uint8_t, v->n);
    v->twice[0] = v->twice[1] = ID_NONE;
    b.reads_value = mem_new(m, struct value, v->n);
    b.writes_value = mem_new(m, struct value, v->n);
    for (uint32_t o = 0; o < h->n && !b.names_objects; o++)
        b.names_objects = h->object[o] != ID_NONE;
    place_events(&b);
    b.by_var = group_by(v->var, v->n, v->d, m);
    if (h->final.n)
        v->final = mem_new(m, uint32_t, v->d);
    v->final_elsewhere = final_elsewhere(&b);
    find_sources(&b);
    if (any_pending(h)) {
        b.kept = mem_new(m, bool, v->n);
        drop_unread_pending(&b);
        mem_free(m, b.kept);
    }
    list_writes(&b);
    value_ids_free(m, &b.vars);
    mem_free(m, b.object_vars.slots);
    mem_free(m, b.reads_value);
    mem_free(m, b.writes_value);
    groups_free(&b.by_var, m);
    return v;
}
