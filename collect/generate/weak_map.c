/* SPDX-License-Identifier: Apache-2.0 */
/* Random clients of a concurrent hash map whose iterators are weakly consistent.
 *
 * Idea: put, get and remove happen at one moment between call and return. contains (of a value) and size walk over the
 * keys, one at a time, while others write. A value that moves from a key ahead to one already passed is missed. A key
 * removed behind the walk still counts. Java's ConcurrentHashMap iterates like this.
 *
 * Invariant: of each key a walk has seen a prefix of its changes, which includes all that had returned when the walk
 * began. Place every call where it happened, and walks where they end. Then each call sees the calls that returned
 * before it was called: weak-hb holds. The calls of one key are even linearizable; the map with its walks need not be.
 *
 * Source: Emmi and Enea, Monitoring Weak Consistency (CAV'18), sections 1 and 5, for the shape of the clients. */
#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"
#include "collect/collect.h"

/* ---- parameters ---- */

enum { THREADS, OPERATIONS, KEYS, VALUES, WALKS, PACE, OVERLAP };

static const struct collect_parameter parameters[] = {
    [THREADS] = {.name = "threads",
                 .value = "K",
                 .help = "number of threads (default: 3)",
                 .fallback = 3,
                 .least = 1,
                 .most = 1 << 10},
    [OPERATIONS] = {.name = "operations",
                    .value = "N",
                    .help = "number of operations of all threads together (default: 15)",
                    .fallback = 15,
                    .least = 1,
                    .most = 1 << 28,
                    .also = "ops"},
    [KEYS] = {.name = "keys",
              .value = "Y",
              .help = "number of keys (default: 4)",
              .fallback = 4,
              .least = 1,
              .most = 1 << 20},
    [VALUES] = {.name = "values",
                .value = "V",
                .help = "number of values (default: 3)",
                .fallback = 3,
                .least = 1,
                .most = 1 << 28},
    [WALKS] = {.name = "walks",
               .value = "PERCENT",
               .help = "share of calls that walk over all keys: contains, size (default: 40)",
               .fallback = 40,
               .most = 100},
    [PACE] = {.name = "pace",
              .value = "P",
              .help = "turns that a walk waits at each key, on average (default: 4)",
              .fallback = 4,
              .least = 1,
              .most = 1 << 20},
    [OVERLAP] = {.name = "overlap",
                 .value = "C",
                 .help = "at most C calls at once (default: 0, one per thread)",
                 .most = 1 << 10,
                 .also = "concurrency"},
    {0},
};

/* ---- recording ---- */

enum method { PUT, GET, REMOVE, CONTAINS, SIZE };

static const struct {
    const char *name;
    uint32_t arity;
} methods[] = {
    [PUT] = {"put", 2},           [GET] = {"get", 1},   [REMOVE] = {"remove", 1},
    [CONTAINS] = {"contains", 1}, [SIZE] = {"size", 0},
};

struct record {
    uint32_t thread;
    enum method method;
    uint32_t args[2];
    assay_value result;
    uint32_t called, returned; /* events, counted from 1 */
};

struct client { /* a thread */
    bool busy;  /* with its last call, `open` */
    bool done;  /* which is ready to return */
    uint32_t open;
    uint32_t next, count; /* a walk: the key it comes to, and how many it counted */
};

struct map {
    const struct collecting *c;
    struct rng rng;
    uint32_t *held; /* under each key: 1 + the value, or 0 */
    struct client *clients;
    uint32_t busy;
    VEC(struct record) all;
    VEC(uint32_t) events; /* whose call or return */
};

/* ---- steps of a thread ---- */

static void calls(struct map *m, uint32_t thread)
{
    static const enum method of_a_key[] = {PUT, PUT, GET, REMOVE}; /* else it is mostly empty */
    const uint64_t *values = m->c->values;
    bool walks = rng_below(&m->rng, 100) < values[WALKS];
    struct record r = {.thread = thread, .called = m->events.n + 1};
    r.method = walks ? CONTAINS + rng_below(&m->rng, 2) : of_a_key[rng_below(&m->rng, 4)];
    r.args[0] = rng_below(&m->rng, (uint32_t)values[walks ? VALUES : KEYS]);
    r.args[1] = rng_below(&m->rng, (uint32_t)values[VALUES]);
    m->clients[thread] = (struct client){.busy = true, .open = m->all.n};
    m->busy++;
    vec_push(m->c->mem, &m->events, m->all.n);
    vec_push(m->c->mem, &m->all, r);
}

/* put, get, remove: at once. */
static void happens(struct map *m, struct record *r)
{
    uint32_t *held = &m->held[r->args[0]];
    r->result = *held ? assay_int(*held - 1) : assay_word("null");
    if (r->method != GET)
        *held = r->method == PUT ? r->args[1] + 1 : 0;
}

/* contains, size: one key more. True: that was the last. */
static bool walks_on(const struct map *m, struct client *client, struct record *r)
{
    uint32_t held = m->held[client->next++];
    bool found = r->method == CONTAINS && held == r->args[0] + 1, last = client->next == m->c->values[KEYS];
    client->count += held != 0;
    r->result = r->method == SIZE ? assay_int(client->count) : assay_word(found ? "true" : "false");
    return found || last;
}

static void goes_on(struct map *m, struct client *client)
{
    struct record *r = &m->all.at[client->open];
    if (client->done) {
        client->busy = false;
        m->busy--;
        vec_push(m->c->mem, &m->events, client->open);
        r->returned = m->events.n;
    } else if (r->method >= CONTAINS) {
        client->done = rng_below(&m->rng, (uint32_t)m->c->values[PACE]) == 0 && walks_on(m, client, r);
    } else {
        happens(m, r);
        client->done = true;
    }
}

/* ---- all threads ---- */

static void run_clients(struct map *m)
{
    const uint64_t *values = m->c->values;
    uint32_t threads = (uint32_t)values[THREADS];
    uint64_t most = values[OVERLAP] ? values[OVERLAP] : threads;
    while (m->busy || m->all.n < values[OPERATIONS]) {
        uint32_t thread = rng_below(&m->rng, threads);
        if (m->clients[thread].busy)
            goes_on(m, &m->clients[thread]);
        else if (m->busy < most && m->all.n < values[OPERATIONS])
            calls(m, thread);
    }
}

static void emit(const struct map *m)
{
    struct collect_sink *sink = m->c->sink;
    for (uint32_t i = 0; i < m->events.n; i++) {
        const struct record *r = &m->all.at[m->events.at[i]];
        assay_value args[] = {assay_int(r->args[0]), assay_int(r->args[1])};
        char thread[16];
        snprintf(thread, sizeof thread, "t%u", r->thread);
        assay_operation op = {.thread = thread,
                              .method = methods[r->method].name,
                              .args = args,
                              .arg_count = methods[r->method].arity,
                              .result = r->result,
                              .timed = true,
                              .call_time = r->called,
                              .return_time = r->returned};
        (r->called == i + 1 ? sink->call : sink->returns)(sink, &op);
    }
}

static void run(const struct collecting *c)
{
    struct map m = {.c = c, .rng = {c->seed}};
    m.held = mem_new_zero(c->mem, uint32_t, c->values[KEYS]);
    m.clients = mem_new_zero(c->mem, struct client, c->values[THREADS]);
    run_clients(&m);
    emit(&m);
}

const struct collector collector_weak_map = {
    .name = "weak-map",
    .title = "random clients of a map whose iterators are weakly consistent",
    .details = "weak-hb holds; lin need not, since contains and size look at one key after another",
    .object = "map",
    .parameters = parameters,
    .run = run,
};
