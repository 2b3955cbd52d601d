/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/rw.h"

#include "base/keyed.h"
#include "base/prefetch.h"
#include "history/value_ids.h"
#include "memory/across.h"
#include "memory/pending.h"

#include <string.h>

enum { AHEAD = 16 }; /* so many steps before it is written to memory is asked for */

/* A value that an event reads or writes. */
struct access {
    int64_t bits;
    uint32_t event;
    uint8_t kind; /* of the value */
    bool writes;
};

/* Data of the construction, beside the view; freed at its end. */
struct building {
    const history *h;
    struct mem *m;
    struct rw *v;
    struct value_ids vars;
    bool names_objects;       /* then a variable is an object and a first argument, */
    struct idmap object_vars; /* and this maps them */
    VEC(uint32_t) first;      /* variable -> its first operation */
    uint32_t *accesses_of;    /* d + 1: the accesses of variable x are accesses[accesses_of[x]] .. */
    struct access *accesses;  /* in the order of the file, as are the columns that they come from */
};

static uint32_t method_id(const history *h, const char *name)
{
    return names_find(&h->names, name, strlen(name));
}

static uint32_t variable(struct building *b, uint32_t op)
{
    const history *h = b->h;
    uint32_t var = value_id(b->m, &b->vars, history_arg(h, op, 0));
    if (b->names_objects) {
        uint32_t *own = idmap_at(b->m, &b->object_vars, (uint64_t)history_object_of(h, op) << 32 | var);
        if (*own == ID_NONE)
            *own = b->first.n;
        var = *own;
    }
    if (var == b->first.n)
        vec_push(b->m, &b->first, op);
    return var;
}

/* Where the events of each thread begin. */
static uint32_t *first_events(const struct building *b)
{
    uint32_t *next = mem_new(b->m, uint32_t, b->v->k);
    memcpy(next, b->v->base, b->v->k * sizeof *next);
    return next;
}

/* Lays the operations out by thread. */
static void place_events(struct building *b)
{
    const history *h = b->h;
    struct rw *v = b->v;
    uint32_t read = method_id(h, "read"), write = method_id(h, "write"), rmw = method_id(h, "rmw");
    for (uint32_t t = 0, sum = 0; t <= v->k; t++) {
        v->base[t] = sum;
        sum += t < v->k ? h->threads.at[t].count : 0;
    }
    uint32_t *next = first_events(b);
    for (uint32_t o = 0; o < h->n; o++) {
        uint32_t t = h->thread[o], e = next[t]++, method = h->method[o];
        v->thread[e] = t;
        v->op[e] = o;
        v->kind[e] = method == read    ? (history_pending(h, o) ? 0 : RW_READS)
                     : method == write ? RW_WRITES
                     : method == rmw   ? RW_READS | RW_WRITES
                                       : RW_FENCE;
        v->var[e] = v->kind[e] & (RW_READS | RW_WRITES) ? variable(b, o) : ID_NONE;
    }
    v->d = b->first.n;
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

/* ---- sources ---- */

static void add_access(struct building *b, uint32_t *end, uint32_t event, struct value value, bool writes)
{
    b->accesses[(*end)++] = (struct access){value.bits, event, value.kind, writes};
}

/* One variable after another, so that the values of each lie side by side. */
static void sort_accesses(struct building *b)
{
    const history *h = b->h;
    const struct rw *v = b->v;
    uint32_t *at = b->accesses_of = mem_new_zero(b->m, uint32_t, (size_t)v->d + 2), *next = first_events(b);
    for (uint32_t e = 0; e < v->n; e++)
        if (v->kind[e] & (RW_READS | RW_WRITES))
            at[v->var[e] + 2] += v->kind[e] == (RW_READS | RW_WRITES) ? 2 : 1;
    group_starts(at, v->d);
    b->accesses = mem_new(b->m, struct access, at[v->d + 1]);
    for (uint32_t o = 0; o < h->n; o++) {
        uint32_t e = next[h->thread[o]]++;
        if (!(v->kind[e] & (RW_READS | RW_WRITES)))
            continue;
        uint32_t *end = &at[v->var[e] + 1];
        if (v->kind[e] & RW_READS)
            add_access(b, end, e, v->kind[e] & RW_WRITES ? history_arg(h, o, 1) : history_result(h, o), false);
        if (v->kind[e] & RW_WRITES)
            add_access(b, end, e, history_arg(h, o, v->kind[e] & RW_READS ? 2 : 1), true);
    }
    mem_free(b->m, next);
}

struct slot {
    int64_t bits;
    uint32_t event; /* the write of the value, or RW_INIT */
    uint8_t kind;   /* of the value; 0: the slot is free */
    bool again;     /* there is another write of it */
};

struct sources { /* of one variable */
    struct slot *table;
    uint32_t mask;
    const struct access *from, *to;
};

static struct slot *slot_of(const struct sources *s, int64_t bits, uint8_t kind)
{
    uint32_t i = keyed_word((uint64_t)bits) & s->mask;
    while (s->table[i].kind && (s->table[i].bits != bits || s->table[i].kind != kind))
        i = (i + 1) & s->mask;
    return &s->table[i];
}

/* The value is read or final, and must be that of one write. */
static void note_twice(struct rw *v, const struct sources *s, const struct slot *slot)
{
    uint32_t op[2], n = 0;
    if (v->twice[1] != ID_NONE)
        return;
    if (slot->event == RW_INIT)
        op[n++] = ID_NONE;
    for (const struct access *a = s->from; n < 2; a++)
        if (a->writes && a->bits == slot->bits && a->kind == slot->kind)
            op[n++] = v->op[a->event];
    v->twice[0] = op[0];
    v->twice[1] = op[1];
}

/* Enters the values that the variable had. */
static void enter_writes(const struct sources *s, struct value initial)
{
    memset(s->table, 0, ((size_t)s->mask + 1) * sizeof *s->table);
    *slot_of(s, initial.bits, initial.kind) = (struct slot){initial.bits, RW_INIT, initial.kind, false};
    for (const struct access *a = s->from; a < s->to; a++) {
        if (!a->writes)
            continue;
        struct slot *slot = slot_of(s, a->bits, a->kind);
        if (slot->kind)
            slot->again = true;
        else
            *slot = (struct slot){a->bits, a->event, a->kind, false};
    }
}

/* The write of this value; RW_THIN: there is none. */
static uint32_t writer_of(struct rw *v, const struct sources *s, int64_t bits, uint8_t kind)
{
    const struct slot *slot = slot_of(s, bits, kind);
    if (!slot->kind)
        return RW_THIN;
    if (slot->again)
        note_twice(v, s, slot);
    return slot->event;
}

static void find_source(struct rw *v, const struct sources *s, const struct access *a)
{
    uint32_t source = writer_of(v, s, a->bits, a->kind);
    v->src[a->event] = source;
    if (source == RW_THIN && a->event < v->thin)
        v->thin = a->event;
}

static uint32_t writes_of(const struct rw *v, uint32_t x)
{
    return rw_writes_from(v, x + 1) - rw_writes_from(v, x);
}

/* The least table that is at most half full. */
static uint32_t mask_for(uint32_t writes)
{
    uint32_t mask = 3;
    while ((mask + 1) / 2 < writes + 1)
        mask = mask * 2 + 1;
    return mask;
}

/* One variable at a time, in a table that stays in the cache: the writes of the values, then their reads. */
static void find_sources(struct building *b)
{
    struct rw *v = b->v;
    uint32_t most = 0;
    for (uint32_t x = 0; x < v->d; x++)
        most = writes_of(v, x) > most ? writes_of(v, x) : most;
    struct sources s = {.table = mem_new(b->m, struct slot, (size_t)mask_for(most) + 1)};
    for (uint32_t x = 0; x < v->d; x++) {
        s.mask = mask_for(writes_of(v, x));
        s.from = b->accesses + b->accesses_of[x];
        s.to = b->accesses + b->accesses_of[x + 1];
        enter_writes(&s, rw_initial(b->h, b->first.at[x]));
        for (const struct access *a = s.from; a < s.to; a++) {
            if (s.to - a > AHEAD)
                prefetch(&v->src[a[AHEAD].event]);
            if (!a->writes)
                find_source(v, &s, a);
        }
        struct value last;
        if (v->final)
            v->final[x] = rw_final(b->h, b->first.at[x], &last) ? writer_of(v, &s, last.bits, last.kind) : RW_UNSAID;
    }
    mem_free(b->m, s.table);
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

/* Events are in order of their threads, hence so are the writes of each variable. */
static void list_writes(struct building *b)
{
    struct rw *v = b->v;
    uint32_t *thread = mem_new_ids(b->m, v->d); /* of the variable's last write so far */
    uint32_t *group = v->groups_of = mem_new_zero(b->m, uint32_t, (size_t)v->d + 2);
    uint32_t *at = mem_new_zero(b->m, uint32_t, (size_t)v->d + 2);
    for (uint32_t e = 0; e < v->n; e++) {
        v->reads += v->kind[e] & RW_READS ? 1 : 0;
        if (!(v->kind[e] & RW_WRITES))
            continue;
        uint32_t x = v->var[e];
        v->writes++;
        at[x + 2]++;
        group[x + 2] += thread[x] != v->thread[e];
        thread[x] = v->thread[e];
    }
    group_starts(at, v->d);
    group_starts(group, v->d);
    for (uint32_t x = 0; x < v->d; x++)
        thread[x] = ID_NONE;
    v->groups = mem_new(b->m, struct rw_group, (size_t)group[v->d + 1] + 1);
    v->idx = mem_new(b->m, uint32_t, v->writes);
    for (uint32_t e = 0; e < v->n; e++) {
        if (!(v->kind[e] & RW_WRITES))
            continue;
        uint32_t x = v->var[e], t = v->thread[e];
        if (thread[x] != t)
            v->groups[group[x + 1]++] = (struct rw_group){t, at[x + 1]};
        thread[x] = t;
        v->idx[at[x + 1]++] = e - v->base[t];
    }
    v->groups[group[v->d]] = (struct rw_group){ID_NONE, v->writes};
    mem_free(b->m, thread);
    mem_free(b->m, at);
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
    v->src = mem_new_ids(m, v->n); /* RW_INIT */
    v->op = mem_new(m, uint32_t, v->n);
    v->kind = v->does = mem_new(m, uint8_t, v->n);
    v->a = v->n;
    v->twice[0] = v->twice[1] = v->circular = v->thin = ID_NONE;
    b.names_objects = h->object_column;
    place_events(&b);
    if (h->po_after && h->after_at)
        v->across = across_of(h, v, m, &v->circular);
    final = final && h->final.n;
    if (final)
        v->final = mem_new(m, uint32_t, v->d);
    v->final_elsewhere = final && final_elsewhere(&b);
    if (any_pending(h))
        drop_pending(&b, final);
    v->keys = v->d;
    list_writes(&b);
    sort_accesses(&b);
    find_sources(&b);
    value_ids_free(m, &b.vars);
    idmap_free(m, &b.object_vars);
    vec_free(m, &b.first);
    mem_free(m, b.accesses_of);
    mem_free(m, b.accesses);
    return v;
}

struct groups rw_by_variable(const struct rw *v, uint8_t kinds, struct mem *m)
{
    struct groups by = {.at = mem_new_zero(m, uint32_t, (size_t)v->d + 2)};
    for (uint32_t a = 0; a < v->a; a++)
        if (v->kind[a] & kinds)
            by.at[v->var[a] + 2]++;
    group_starts(by.at, v->d);
    by.list = mem_new(m, uint32_t, by.at[v->d + 1]);
    for (uint32_t a = 0; a < v->a; a++)
        if (v->kind[a] & kinds)
            by.list[by.at[v->var[a] + 1]++] = a;
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
    out->kind = out->does = mem_new(m, uint8_t, v->n);
    for (uint32_t e = 0; e < v->n; e++) {
        out->kind[e] = v->open[e] && !happened[e] ? 0 : v->kind[e];
        if (!out->kind[e])
            out->src[e] = RW_INIT;
    }
    regroup(v, out, m);
}
