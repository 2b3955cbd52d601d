/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/rw.h"

#include "base/keyed.h"
#include "history/value_ids.h"
#include "memory/across.h"
#include "memory/pending.h"

#include <string.h>

/* Data of the construction, beside the view; freed at its end. */
struct building {
    const history *h;
    struct mem *m;
    struct rw *v;
    struct value_ids vars;
    bool names_objects;                       /* then a variable is an object and a first argument, */
    struct idmap object_vars;                 /* and this maps them */
    struct value *reads_value, *writes_value; /* of an event */
    struct groups by_var;                     /* events of each variable, in event order */
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

/* The line about the variable itself, else about all variables; or NULL. */
static const struct binding *said_of(const struct binding_set *lines, struct value key)
{
    const struct binding *own = bindings_find(lines, key);
    return own ? own : bindings_find(lines, (struct value){.kind = ASSAY_NONE});
}

static struct value initial_value(const history *h, struct value key)
{
    const struct binding *said = said_of(&h->init, key);
    return said ? said->value : (struct value){0, ASSAY_INT};
}

struct value rw_initial(const history *h, uint32_t op)
{
    return initial_value(h, history_arg(h, op, 0));
}

bool rw_final(const history *h, uint32_t op, struct value *value)
{
    const struct binding *said = said_of(&h->final, history_arg(h, op, 0));
    if (said)
        *value = said->value;
    return said;
}

/* Does a variable that no operation accesses end with another value than its initial one? */
static bool final_elsewhere(const struct building *b)
{
    const history *h = b->h;
    for (uint32_t i = 0; i < h->final.n; i++) {
        struct value key = h->final.at[i].key;
        if (key.kind != ASSAY_NONE && value_id_find(&b->vars, key) == ID_NONE &&
            !value_same(h->final.at[i].value, initial_value(h, key)))
            return true;
    }
    return false;
}

struct slot {
    struct value value; /* of no kind: the slot is free */
    uint32_t event;     /* the write of it, or RW_INIT */
    uint32_t again;     /* another write of it, or ID_NONE */
};

static struct slot *slot_of(struct slot *table, uint32_t mask, struct value v)
{
    uint32_t i = keyed_word((uint64_t)v.bits) & mask;
    while (table[i].value.kind && !value_same(table[i].value, v))
        i = (i + 1) & mask;
    return &table[i];
}

/* The value is read or final, and must be that of one write. */
static void note_twice(struct rw *v, const struct slot *s)
{
    if (s->again == ID_NONE || v->twice[1] != ID_NONE)
        return;
    uint32_t a = s->event == RW_INIT ? ID_NONE : v->op[s->event], b = v->op[s->again];
    bool swap = a != ID_NONE && a > b; /* name them in the order of the file */
    v->twice[0] = swap ? b : a;
    v->twice[1] = swap ? a : b;
}

/* Enters the values that the variable had. */
static void enter_writes(const struct building *b, const uint32_t *events, uint32_t count, struct slot *table,
                         uint32_t mask)
{
    const struct rw *v = b->v;
    struct value initial = rw_initial(b->h, v->op[events[0]]);
    memset(table, 0, ((size_t)mask + 1) * sizeof *table);
    *slot_of(table, mask, initial) = (struct slot){initial, RW_INIT, ID_NONE};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t e = events[i];
        if (!(v->kind[e] & RW_WRITES))
            continue;
        struct slot *s = slot_of(table, mask, b->writes_value[e]);
        if (!s->value.kind)
            *s = (struct slot){b->writes_value[e], e, ID_NONE};
        else if (s->again == ID_NONE)
            s->again = e;
    }
}

/* The write of this value; RW_THIN: there is none. */
static uint32_t writer_of(struct rw *v, struct slot *table, uint32_t mask, struct value value)
{
    const struct slot *s = slot_of(table, mask, value);
    if (!s->value.kind)
        return RW_THIN;
    note_twice(v, s);
    return s->event;
}

/* One variable at a time, in a table that stays in the cache: the writes of the values, then their reads. */
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
        enter_writes(b, events, count, table, mask);
        for (uint32_t i = 0; i < count; i++)
            if (v->kind[events[i]] & RW_READS)
                v->src[events[i]] = writer_of(v, table, mask, b->reads_value[events[i]]);
        struct value last;
        if (v->final)
            v->final[x] = rw_final(b->h, v->op[events[0]], &last) ? writer_of(v, table, mask, last) : RW_UNSAID;
    }
    mem_free(b->m, table);
}

/* An operation that did not happen takes no part. An open one does, until it is decided (rw_decided). */
static void drop_pending(struct building *b, bool final)
{
    struct rw *v = b->v;
    uint8_t *effect = pending_effects(b->h, v, final, b->m);
    for (uint32_t e = 0; e < v->n; e++) {
        if (effect[e] == EFFECT_NONE)
            v->kind[e] = 0;
        if (effect[e] != EFFECT_OPEN)
            continue;
        if (!v->open)
            v->open = mem_new_zero(b->m, bool, v->n);
        v->open[e] = true;
    }
    mem_free(b->m, effect);
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

/* The groups of v without the events that take no part in out. */
static void regroup(const struct rw *v, struct rw *out, struct mem *m)
{
    uint32_t groups = 0, writes = 0;
    out->groups_of = mem_new(m, uint32_t, (size_t)v->d + 1);
    out->groups = mem_new(m, struct rw_group, (size_t)v->groups_of[v->d] + 1);
    out->idx = mem_new(m, uint32_t, v->writes);
    for (uint32_t x = 0; x < v->d; x++) {
        out->groups_of[x] = groups;
        for (uint32_t g = v->groups_of[x]; g < v->groups_of[x + 1]; g++) {
            uint32_t from = writes, thread = v->groups[g].thread;
            for (uint32_t i = v->groups[g].from; i < v->groups[g + 1].from; i++)
                if (out->kind[v->base[thread] + v->idx[i]])
                    out->idx[writes++] = v->idx[i];
            if (writes > from)
                out->groups[groups++] = (struct rw_group){thread, from};
        }
    }
    out->groups_of[v->d] = groups;
    out->groups[groups] = (struct rw_group){ID_NONE, writes};
    out->writes = writes;
}

struct rw *rw_view(const history *h, bool final, struct mem *m)
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
    v->twice[0] = v->twice[1] = v->circular = ID_NONE;
    b.reads_value = mem_new(m, struct value, v->n);
    b.writes_value = mem_new(m, struct value, v->n);
    for (uint32_t o = 0; o < h->n && !b.names_objects; o++)
        b.names_objects = h->object[o] != ID_NONE;
    place_events(&b);
    if (h->po_after && h->after_at)
        v->across = across_of(h, v, m, &v->circular);
    b.by_var = group_by(v->var, v->n, v->d, m);
    final = final && h->final.n;
    if (final)
        v->final = mem_new(m, uint32_t, v->d);
    v->final_elsewhere = final && final_elsewhere(&b);
    if (any_pending(h))
        drop_pending(&b, final);
    find_sources(&b);
    list_writes(&b);
    value_ids_free(m, &b.vars);
    mem_free(m, b.object_vars.slots);
    mem_free(m, b.reads_value);
    mem_free(m, b.writes_value);
    groups_free(&b.by_var, m);
    return v;
}

struct groups rw_by_variable(const struct rw *v, uint8_t kinds, struct mem *m)
{
    uint32_t *var = mem_new(m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        var[e] = v->kind[e] & kinds ? v->var[e] : ID_NONE;
    struct groups by = group_by(var, v->n, v->d, m);
    mem_free(m, var);
    return by;
}

uint32_t *rw_event_of(const struct rw *v, struct mem *m)
{
    uint32_t *event_of = mem_new(m, uint32_t, v->n);
    for (uint32_t e = 0; e < v->n; e++)
        event_of[v->op[e]] = e;
    return event_of;
}

void rw_decided(const struct rw *v, const bool *happened, const uint32_t *src, struct rw *out, struct mem *m)
{
    *out = *v;
    out->src = mem_new(m, uint32_t, v->n);
    memcpy(out->src, src, v->n * sizeof *out->src);
    out->twice[0] = out->twice[1] = ID_NONE;
    if (!v->open)
        return;
    out->open = NULL;
    out->kind = mem_new(m, uint8_t, v->n);
    for (uint32_t e = 0; e < v->n; e++) {
        out->kind[e] = v->open[e] && !happened[e] ? 0 : v->kind[e];
        if (!out->kind[e])
            out->src[e] = RW_INIT;
    }
    regroup(v, out, m);
}
