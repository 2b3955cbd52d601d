/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated store keeps the versions of each key. A transaction reads those of a snapshot and installs its writes.
 * The age of snapshots, the check of conflicts and the damage done afterwards decide which models hold. Histories of
 * accesses at random take the values of their reads from those that are written. Outcomes, times, knowledge, notation
 * and sessions are drawn last, for all of them. */
#include "cross/transactions/random.h"

#include <string.h>

static bool chance(struct rng *rng, uint32_t percent)
{
    return rng_below(rng, 100) < percent;
}

/* ---- the store ---- */

enum { MOST_COMMITS = MOST_TXNS + 1 };

struct version { /* of a key after so many commits */
    int value;
    uint8_t length, list[MOST_LIST];
};

struct store {
    struct version at[MOST_COMMITS][MOST_KEYS];
    uint8_t commits;
    uint8_t written[MOST_KEYS]; /* commits when the key was written last */
    int next[MOST_KEYS];        /* value */
};

static void read_version(struct tx_access *a, const struct version *v)
{
    a->value = v->value;
    a->length = v->length;
    memcpy(a->list, v->list, sizeof a->list);
}

static void write_version(struct version *v, const struct tx_access *a)
{
    v->value = a->value;
    if (a->kind == 'a' && v->length < MOST_LIST)
        v->list[v->length++] = (uint8_t)a->value;
}

/* Runs the transaction on the snapshot; its writes are in `own` then. */
static void run(struct store *store, struct tx *t, uint8_t snapshot, struct rng *rng)
{
    struct version own[MOST_KEYS];
    memcpy(own, store->at[snapshot], sizeof own);
    for (uint8_t i = 0; i < t->n; i++) {
        struct tx_access *a = &t->access[i];
        if (a->kind == 'r') {
            bool other = chance(rng, 3) && snapshot; /* an older version of this key alone */
            read_version(a, other ? &store->at[snapshot - 1][a->key] : &own[a->key]);
            continue;
        }
        a->value = ++store->next[a->key];
        write_version(&own[a->key], a);
    }
}

static void commit(struct store *store, const struct tx *t)
{
    memcpy(store->at[store->commits + 1], store->at[store->commits], sizeof store->at[0]);
    store->commits++;
    for (uint8_t i = 0; i < t->n; i++)
        if (t->access[i].kind != 'r') {
            write_version(&store->at[store->commits][t->access[i].key], &t->access[i]);
            store->written[t->access[i].key] = store->commits;
        }
}

static uint8_t newest_conflict(const struct store *store, const struct tx *t)
{
    uint8_t newest = 0;
    for (uint8_t i = 0; i < t->n; i++)
        if (t->access[i].kind != 'r' && store->written[t->access[i].key] > newest)
            newest = store->written[t->access[i].key];
    return newest;
}

/* ---- programs ---- */

struct shape {
    uint8_t sessions, txns, accesses, keys, reads; /* reads: percent */
};

static struct tx_sketch some_program(struct shape w, struct rng *rng)
{
    struct tx_sketch s = {.n = w.txns};
    uint8_t lists = chance(rng, 40) ? (uint8_t)(1 + rng_below(rng, w.keys)) : 0;
    for (uint8_t k = 0; k < lists; k++)
        s.is_list[w.keys - 1 - k] = true;
    for (uint8_t t = 0; t < s.n; t++) {
        struct tx *x = &s.tx[t];
        x->session = (uint8_t)rng_below(rng, w.sessions);
        x->n = (uint8_t)(1 + rng_below(rng, w.accesses));
        for (uint8_t i = 0; i < x->n; i++) {
            uint8_t key = (uint8_t)rng_below(rng, w.keys);
            bool again = i && x->access[i - 1].kind == 'a' && chance(rng, 20); /* reads its append back */
            key = again ? x->access[i - 1].key : key;
            x->access[i] = (struct tx_access){.kind = again || chance(rng, w.reads) ? 'r'
                                                      : s.is_list[key]              ? 'a'
                                                                                    : 'w',
                                              .key = key};
        }
    }
    return s;
}

/* Most reads are of the snapshot; so a transaction that writes and reads a key reads it first. */
static struct tx_sketch simulated(struct shape w, struct rng *rng)
{
    struct tx_sketch s = some_program(w, rng);
    struct store store = {.commits = 0};
    uint8_t seen[MOST_SESSIONS] = {0};
    uint32_t age = rng_below(rng, 4), conflicts = rng_below(rng, 3); /* conflicts: 0 are allowed */
    bool sessions = chance(rng, 70);
    for (uint8_t t = 0; t < s.n; t++) {
        struct tx *x = &s.tx[t];
        uint8_t least = sessions ? seen[x->session] : 0, newest = newest_conflict(&store, x);
        if (conflicts && newest > least)
            least = newest;
        uint8_t snapshot = store.commits;
        while (snapshot > least && age && chance(rng, 20 * age))
            snapshot--;
        run(&store, x, snapshot, rng);
        commit(&store, x);
        seen[x->session] = store.commits;
    }
    return s;
}

/* ---- accesses at random ---- */

static uint8_t writers_of(const struct tx_sketch *s, uint8_t key, struct tx_access *out)
{
    uint8_t n = 0;
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].kind != 'r' && s->tx[t].access[i].key == key)
                out[n++] = s->tx[t].access[i];
    return n;
}

static const struct tx_access *own_write(const struct tx *t, uint8_t before)
{
    for (uint8_t i = before; i--;)
        if (t->access[i].kind != 'r' && t->access[i].key == t->access[before].key)
            return &t->access[i];
    return NULL;
}

/* The appends of a key in one order of transactions; a read has a beginning of it. */
static void draw_list(const struct tx_sketch *s, const uint8_t *order, struct tx *t, uint8_t at, struct rng *rng)
{
    struct tx_access *a = &t->access[at];
    uint8_t most = (uint8_t)rng_below(rng, s->n + 1u);
    a->length = 0;
    for (uint8_t k = 0; k < most; k++)
        for (uint8_t i = 0; i < s->tx[order[k]].n; i++) {
            const struct tx_access *w = &s->tx[order[k]].access[i];
            bool counts = &s->tx[order[k]] != t && s->tx[order[k]].outcome != TX_ABORTED;
            if (w->kind == 'a' && w->key == a->key && (counts || chance(rng, 1)) && a->length < MOST_LIST)
                a->list[a->length++] = (uint8_t)w->value;
        }
    for (uint8_t i = 0; i < at; i++)
        if (t->access[i].kind == 'a' && t->access[i].key == a->key && a->length < MOST_LIST)
            a->list[a->length++] = (uint8_t)t->access[i].value;
    if (chance(rng, 2) && a->length)
        a->length--;
}

static void draw_values(struct tx_sketch *s, struct rng *rng)
{
    int next[MOST_KEYS] = {0};
    uint8_t order[MOST_TXNS];
    for (uint8_t t = 0; t < s->n; t++) {
        uint8_t at = (uint8_t)rng_below(rng, t + 1u);
        order[t] = order[at];
        order[at] = t;
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].kind != 'r')
                s->tx[t].access[i].value = ++next[s->tx[t].access[i].key];
    }
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++) {
            struct tx_access *a = &s->tx[t].access[i], all[MOST_TXNS * MOST_ACCESSES];
            const struct tx_access *own = own_write(&s->tx[t], i);
            if (a->kind != 'r')
                continue;
            uint8_t n = writers_of(s, a->key, all);
            uint32_t which = rng_below(rng, n + 1u);
            if (s->is_list[a->key])
                draw_list(s, order, &s->tx[t], i, rng);
            else if (own && chance(rng, 97))
                a->value = own->value;
            else
                a->value = which == n ? 0 : all[which].value;
        }
}

/* ---- rare classes ---- */

static const char *const rare[] = {
    "wx1 | wy1 | rx1 ry0 | rx0 ry1",                     /* long fork: tcc and psi, not pc */
    "rx0 wx1 | wy1 ; rx0 | wx2 ry0",                     /* pc and psi, not si */
    "rx0 wx1 | rx0 wx2 | wy1 | wz1 | ry1 rz0 | ry0 rz1", /* tcc only */
    "rx0 ry0 wx1 | rx0 ry0 wy1",                         /* write skew */
    "ry0 wy1 | rx0 ry0 wx1 | rx0 ry1",                   /* read-only anomaly */
    "rx0 wx1 | rx0 wx2",                                 /* lost update */
    "lx ay1 az1 | ly ax1 az2",                           /* concurrent writes */
    "wx1 wy1 | wx2 wy2 | rx1 ry2",                       /* fractured read */
    "rx0 wy1 | ry0 wz1 | rz0 wx1",                       /* three adjacent rw */
    "wx1 | wx2 | rx1 wy1 | rx2 wy2 | ry1 rx2 | ry2 rx1", /* every order of writers fails */
    "wx1 wy1 | wx2 wy2 | rx1 wz1 | ry2 wz2 | rz1 rx2 | rz2 ry1",
    "ax1 ay1 | ax2 ay2 | lx1,2 | ly1,2 | lx1 ly", /* lists */
    "ax2 lx2 | ax1 lx2,1 | lx2,1",                /* lists behind own appends */
    "ax2 lx2 ax3 | ax1 | lx2,3",
    "lx ax2 lx1,2 | ax1 ay1 | ly1 lx",
};

static struct tx_sketch planted(struct rng *rng)
{
    struct tx_sketch s = sketch_parse(rare[rng_below(rng, sizeof rare / sizeof *rare)]);
    for (uint8_t more = (uint8_t)rng_below(rng, 3); more && s.n < MOST_TXNS; more--) {
        struct tx *x = &s.tx[s.n];
        uint8_t key = (uint8_t)rng_below(rng, 3);
        x->session = (uint8_t)rng_below(rng, MOST_SESSIONS);
        x->n = 1;
        x->access[0] = (struct tx_access){.kind = s.is_list[key] ? 'a' : 'w', .key = key, .value = 50 + s.n};
        if (!s.is_list[key] && chance(rng, 60))
            x->access[0] = (struct tx_access){.kind = 'r', .key = key, .value = (int)rng_below(rng, 3)};
        s.n++;
    }
    if (chance(rng, 30))
        s.tx[s.n - 1].session = s.tx[0].session;
    return s;
}

/* ---- what all have ---- */

static void draw_outcomes(struct tx_sketch *s, struct rng *rng)
{
    uint32_t aborted = chance(rng, 25) ? 15 : 0, unknown = chance(rng, 35) ? 30 : 0;
    for (uint8_t t = 0; t < s->n; t++)
        s->tx[t].outcome = chance(rng, aborted) ? TX_ABORTED : chance(rng, unknown) ? TX_UNKNOWN : TX_COMMITTED;
}

static void draw_damage(struct tx_sketch *s, struct rng *rng)
{
    struct tx *t = &s->tx[rng_below(rng, s->n)];
    struct tx_access *a = &t->access[rng_below(rng, t->n)];
    if (a->kind != 'r')
        return;
    if (s->is_list[a->key])
        a->length = (uint8_t)rng_below(rng, a->length + 1u);
    else
        a->value = (int)rng_below(rng, 4);
}

/* Values of registers become so few that some are written again, the initial one perhaps among them. */
static void draw_repeats(struct tx_sketch *s, struct rng *rng)
{
    int values = 1 + (int)rng_below(rng, 3), least = (int)rng_below(rng, 2);
    s->repeats = true;
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++) {
            struct tx_access *a = &s->tx[t].access[i];
            if (!s->is_list[a->key] && a->value > 0)
                a->value = a->value % values + least;
        }
}

/* A session goes on when its transaction has returned; times are often equal. */
static void draw_times(struct tx_sketch *s, struct rng *rng)
{
    int until[MOST_SESSIONS] = {0}, now = 0;
    uint32_t spread = 1 + rng_below(rng, 4);
    for (uint8_t t = 0; t < s->n; t++) {
        struct tx *x = &s->tx[t];
        int from = until[x->session] > now - (int)spread ? until[x->session] : now - (int)spread;
        x->call = from + (int)rng_below(rng, spread + 1);
        x->ret = x->call + (int)rng_below(rng, 2 * spread + 1);
        until[x->session] = x->outcome == TX_UNKNOWN ? x->call : x->ret;
        now = x->call > now ? x->call : now;
    }
    s->times = TX_INTERVALS;
    s->skew = chance(rng, 25) ? (uint8_t)(1 + rng_below(rng, 2)) : 0;
}

/* Only transactions that stand before it in the file are known, and their last one has returned. */
static void draw_knowledge(struct tx_sketch *s, struct rng *rng)
{
    uint8_t count[MOST_SESSIONS] = {0}, returned[MOST_SESSIONS] = {0};
    bool some = false;
    for (uint8_t t = 0; t < s->n; t++) {
        struct tx *x = &s->tx[t];
        for (uint8_t k = 0; k < MOST_SESSIONS; k++)
            if (k != x->session && returned[k] && chance(rng, 35)) {
                x->after[k] = (uint8_t)(1 + rng_below(rng, returned[k]));
                some = true;
            }
        count[x->session]++;
        if (x->outcome != TX_UNKNOWN)
            returned[x->session] = count[x->session];
    }
    s->times = some ? TX_AFTER : TX_NO_TIMES;
}

static void draw_notation(struct tx_sketch *s, struct rng *rng)
{
    s->keys = chance(rng, 20) ? (uint8_t)rng_below(rng, 3) : 0;
    s->values = chance(rng, 20) ? (uint8_t)rng_below(rng, 3) : 0;
    s->blocks = chance(rng, 10);
    s->init = chance(rng, 10) && !s->is_list[0] && s->keys == 0;
    for (uint8_t t = 0; t < s->n && chance(rng, 10); t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].kind == 'r' && chance(rng, 30))
                s->tx[t].access[i].value = UNKNOWN_VALUE;
}

struct tx_sketch random_sketch(struct rng *rng)
{
    struct shape w = {.sessions = (uint8_t)(1 + rng_below(rng, 4)),
                      .txns = (uint8_t)(2 + rng_below(rng, 5)),
                      .accesses = (uint8_t)(1 + rng_below(rng, 4)),
                      .keys = (uint8_t)(1 + rng_below(rng, chance(rng, 10) ? MOST_KEYS : 3)),
                      .reads = 30 + rng_below(rng, 50)};
    uint32_t kind = rng_below(rng, 10);
    struct tx_sketch s = kind < 4 ? some_program(w, rng) : kind < 8 ? simulated(w, rng) : planted(rng);
    if (kind != 9)
        draw_outcomes(&s, rng);
    if (kind < 4)
        draw_values(&s, rng);
    else if (chance(rng, 30))
        draw_damage(&s, rng);
    if (chance(rng, 25))
        draw_repeats(&s, rng);
    if (chance(rng, 40))
        draw_times(&s, rng);
    else if (chance(rng, 25))
        draw_knowledge(&s, rng);
    draw_notation(&s, rng);
    return s;
}
