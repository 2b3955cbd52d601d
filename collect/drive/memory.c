/* SPDX-License-Identifier: Apache-2.0 */
/* A replicated store in this process, for tests and for trying things out. There is one order of commits, which nodes
 * follow with a lag. Without a lag and without a bug it is strictly serializable.
 *
 * Registers keep all their versions, and lists, sets and queues remember at which commit an element came. So a node
 * that lags reads the state of an earlier commit. Transactions that write run at the head, on all nodes. */
#include "base/hash.h"
#include "base/rng.h"
#include "collect/drive/driver.h"
#include "collect/drive/session.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 16, MOST_ACCESSES = 64 };
enum bug { BUG_NONE, BUG_LOST_UPDATE, BUG_DIRTY_READ, BUG_TORN_WRITE, BUG_DROPPED, BUG_TWICE };

enum { SELDOM = 20 /* one of so many transactions that write is dropped, or run twice */ };

struct version {
    uint64_t commit;
    int64_t value;
};

struct versions { /* of a register, or the elements of a list, set or queue */
    struct version *at;
    size_t n, room;
};

struct cell {
    struct versions registers, elements;
    size_t removed; /* from the front of a queue */
};

struct store {
    pthread_mutex_t lock;
    uint64_t first, count;
    int64_t initial;
    struct cell *cells;
    uint64_t commits;
    int64_t *times; /* of the commits, from 1; times[0] is not used */
    size_t time_room;
    int64_t lag; /* nanoseconds, for each node more than the first */
    uint64_t frozen[MOST_NODES];
    bool pulled[MOST_NODES]; /* the lever */
    unsigned delay;          /* microseconds that a message takes, at most */
    unsigned lose, abort;    /* of 100 transactions */
    enum bug bug;
    uint64_t writes; /* transactions */
    uint64_t opened; /* connections: each has random numbers of its own */
};

struct connection {
    struct rng rng;
};

/* ---- versions ---- */

static bool push(struct versions *v, uint64_t commit, int64_t value)
{
    if (v->n == v->room) {
        size_t room = v->room ? 2 * v->room : 8;
        struct version *grown = realloc(v->at, room * sizeof *grown);
        if (!grown)
            return false;
        v->at = grown;
        v->room = room;
    }
    v->at[v->n++] = (struct version){commit, value};
    return true;
}

/* How many of them were there after this commit. */
static size_t until(const struct versions *v, uint64_t commit)
{
    size_t low = 0, high = v->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->at[middle].commit <= commit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool read_register(const struct store *s, const struct cell *c, uint64_t commit, int64_t *out)
{
    size_t n = until(&c->registers, commit);
    *out = n ? c->registers.at[n - 1].value : s->initial;
    return n > 0 || s->initial;
}

/* ---- accesses ---- */

/* The values that a transaction with a lost update computes with: those it read at its beginning. */
struct seen {
    int64_t from, to;
};

static struct cell *cell(struct store *s, uint64_t key)
{
    return &s->cells[(key - s->first) % s->count];
}

static bool transfer(struct store *s, assay_access *a, uint64_t commit, const struct seen *seen)
{
    int64_t from, to;
    read_register(s, cell(s, a->key), commit, &from);
    from = seen ? seen->from : from;
    a->found = from >= a->value;
    if (!a->found)
        return true;
    if (!push(&cell(s, a->key)->registers, commit, from - a->value))
        return false;
    read_register(s, cell(s, a->to), commit, &to); /* now: it may be the same account */
    to = seen && a->to != a->key ? seen->to : to;
    return push(&cell(s, a->to)->registers, commit, to + a->value);
}

static bool access_at(struct store *s, assay_access *a, uint64_t commit, const struct seen *seen)
{
    struct cell *c = cell(s, a->key);
    int64_t value;
    switch (a->action) {
    case ASSAY_ACTION_READ:
        a->found = read_register(s, c, commit, &a->answer);
        if (seen)
            a->answer = seen->from;
        return true;
    case ASSAY_ACTION_WRITE: return push(&c->registers, commit, a->value);
    case ASSAY_ACTION_ADD:
        read_register(s, c, commit, &value);
        return push(&c->registers, commit, (seen ? seen->from : value) + a->value);
    case ASSAY_ACTION_TRANSFER: return transfer(s, a, commit, seen);
    case ASSAY_ACTION_LIST:
    case ASSAY_ACTION_ELEMENTS:
        for (size_t i = 0, n = until(&c->elements, commit); i < n; i++)
            if (!assay_access_push(a, c->elements.at[i].value))
                return false;
        return true;
    case ASSAY_ACTION_DEQUEUE:
        a->found = c->removed < c->elements.n;
        if (a->found)
            a->answer = c->elements.at[c->removed++].value;
        return true;
    default: /* APPEND, INSERT, ENQUEUE */ return push(&c->elements, commit, a->value);
    }
}

static bool reads_only(const assay_access *a, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i].action != ASSAY_ACTION_READ && a[i].action != ASSAY_ACTION_LIST &&
            a[i].action != ASSAY_ACTION_ELEMENTS)
            return false;
    return true;
}

/* ---- commits ---- */

static bool next_commit(struct store *s)
{
    if (s->commits + 2 > s->time_room) {
        size_t room = 2 * s->time_room + 1024;
        int64_t *grown = realloc(s->times, room * sizeof *grown);
        if (!grown)
            return false;
        s->times = grown;
        s->time_room = room;
    }
    s->times[++s->commits] = drive_now();
    return true;
}

/* The last commit that the node has applied. */
static uint64_t position(const struct store *s, unsigned node)
{
    if (node < MOST_NODES && s->pulled[node])
        return s->frozen[node];
    int64_t before = drive_now() - s->lag * (int64_t)node;
    uint64_t low = 0, high = s->commits;
    while (s->lag && node && low < high) {
        uint64_t middle = high - (high - low) / 2;
        if (s->times[middle] <= before)
            low = middle;
        else
            high = middle - 1;
    }
    return s->lag && node ? low : s->commits;
}

static bool run_all(struct store *s, assay_access *a, size_t n, uint64_t commit, const struct seen *seen)
{
    for (size_t i = 0; i < n; i++)
        if (!access_at(s, &a[i], commit, seen ? &seen[i] : NULL))
            return false;
    return true;
}

/* ---- bugs ---- */

static void let_others_in(struct store *s)
{
    pthread_mutex_unlock(&s->lock);
    nanosleep(&(struct timespec){0, 20000}, NULL);
    pthread_mutex_lock(&s->lock);
}

static bool run_with_lost_update(struct store *s, assay_access *a, size_t n)
{
    struct seen seen[MOST_ACCESSES];
    for (size_t i = 0; i < n; i++) {
        read_register(s, cell(s, a[i].key), s->commits, &seen[i].from);
        if (a[i].action == ASSAY_ACTION_TRANSFER)
            read_register(s, cell(s, a[i].to), s->commits, &seen[i].to);
        for (size_t j = 0; j < i; j++) /* its own writes it does see */
            if (a[j].action == ASSAY_ACTION_WRITE && a[j].key == a[i].key)
                seen[i].from = a[j].value;
    }
    let_others_in(s);
    return next_commit(s) && run_all(s, a, n, s->commits, seen);
}

static bool run_torn(struct store *s, assay_access *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!next_commit(s) || !run_all(s, &a[i], 1, s->commits, NULL))
            return false;
        let_others_in(s);
    }
    return true;
}

/* Acknowledged, with the answers of what it reads, but nothing is written. */
static bool run_dropped(struct store *s, assay_access *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (reads_only(&a[i], 1) && !access_at(s, &a[i], s->commits, NULL))
            return false;
        a[i].found = a[i].found || a[i].action == ASSAY_ACTION_TRANSFER;
    }
    return true;
}

/* ---- the driver ---- */

static bool execute(struct store *s, unsigned node, assay_access *a, size_t n)
{
    if (reads_only(a, n) && s->bug != BUG_TORN_WRITE)
        return run_all(s, a, n, position(s, node), NULL);
    bool hit = (s->bug == BUG_DROPPED || s->bug == BUG_TWICE) && ++s->writes % SELDOM == 0;
    if (hit && s->bug == BUG_DROPPED)
        return run_dropped(s, a, n);
    if (hit && !(next_commit(s) && run_all(s, a, n, s->commits, NULL)))
        return false;
    for (size_t i = 0; hit && i < n; i++)
        a[i].count = 0; /* the second run answers */
    if (s->bug == BUG_LOST_UPDATE && n <= MOST_ACCESSES)
        return run_with_lost_update(s, a, n);
    if (s->bug == BUG_TORN_WRITE)
        return run_torn(s, a, n);
    return next_commit(s) && run_all(s, a, n, s->commits, NULL);
}

/* A request or an answer on its way. */
static void travel(const struct store *s, struct connection *own)
{
    if (s->delay)
        nanosleep(&(struct timespec){0, (long)rng_below(&own->rng, s->delay) * 1000}, NULL);
}

static assay_outcome run(assay_campaign *c, assay_session *session, assay_access *a, size_t n)
{
    struct store *s = c->state;
    struct connection *own = session->state;
    travel(s, own);
    bool lost = rng_below(&own->rng, 100) < s->lose, aborted = rng_below(&own->rng, 100) < s->abort;
    if (lost && rng_below(&own->rng, 2)) { /* the request is lost */
        session->broken = true;
        snprintf(session->message, sizeof session->message, "the answer was lost");
        return ASSAY_UNKNOWN;
    }
    if (aborted && s->bug != BUG_DIRTY_READ) {
        snprintf(session->message, sizeof session->message, "aborted, as asked for");
        return ASSAY_ABORTED;
    }
    pthread_mutex_lock(&s->lock);
    bool fine = execute(s, session->node, a, n);
    pthread_mutex_unlock(&s->lock);
    travel(s, own);
    if (!fine || lost) {
        session->broken = true;
        snprintf(session->message, sizeof session->message, fine ? "the answer was lost" : "no memory");
        return ASSAY_UNKNOWN;
    }
    if (aborted)
        snprintf(session->message, sizeof session->message, "aborted, as asked for");
    return aborted ? ASSAY_ABORTED : ASSAY_COMMITTED;
}

static bool open_session(assay_campaign *c, assay_session *s)
{
    struct store *store = c->state;
    struct connection *own = malloc(sizeof *own);
    pthread_mutex_lock(&store->lock);
    uint64_t opened = ++store->opened;
    pthread_mutex_unlock(&store->lock);
    if (own)
        own->rng.state = hash_mix(hash_mix(c->seed) + opened);
    else
        snprintf(s->message, sizeof s->message, "no memory");
    s->state = own;
    return own != NULL;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    (void)c;
    free(s->state);
}

static bool number(assay_campaign *c, const char *name, unsigned long most, unsigned long *out)
{
    const char *text = c->setting(c, name);
    char *end;
    *out = strtoul(text, &end, 10);
    if (*text >= '0' && *text <= '9' && !*end && *out <= most)
        return true;
    snprintf(c->message, sizeof c->message, "%s is a number up to %lu, not '%.32s'", name, most, text);
    return false;
}

static enum bug find_bug(const char *name)
{
    return strcmp(name, "lost-update") == 0  ? BUG_LOST_UPDATE
           : strcmp(name, "dirty-read") == 0 ? BUG_DIRTY_READ
           : strcmp(name, "torn-write") == 0 ? BUG_TORN_WRITE
           : strcmp(name, "dropped") == 0    ? BUG_DROPPED
           : strcmp(name, "twice") == 0      ? BUG_TWICE
                                             : BUG_NONE;
}

static bool attach(assay_campaign *c)
{
    unsigned long lag, delay, lose, aborts, nodes;
    if (!number(c, "lag", 10000000, &lag) || !number(c, "lose", 100, &lose) || !number(c, "abort", 100, &aborts) ||
        !number(c, "replicas", MOST_NODES, &nodes) || !number(c, "delay", 999999, &delay))
        return false;
    struct store *s = calloc(1, sizeof *s);
    if (!s) {
        snprintf(c->message, sizeof c->message, "no memory");
        return false;
    }
    pthread_mutex_init(&s->lock, NULL);
    s->lag = (int64_t)lag * 1000;
    s->delay = (unsigned)delay;
    s->lose = (unsigned)lose;
    s->abort = (unsigned)aborts;
    s->bug = find_bug(c->setting(c, "bug"));
    c->node_count = nodes ? nodes : 1;
    c->state = s;
    return true;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    (void)keys;
    for (uint64_t i = 0; i < s->count; i++) {
        free(s->cells[i].registers.at);
        free(s->cells[i].elements.at);
    }
    free(s->cells);
    free(s->times);
    s->cells = NULL;
    s->times = NULL;
    s->count = s->commits = s->time_room = 0;
    memset(s->frozen, 0, sizeof s->frozen);
}

static void detach(assay_campaign *c)
{
    struct store *s = c->state;
    if (!s)
        return;
    forget(c, NULL);
    pthread_mutex_destroy(&s->lock);
    free(s);
    c->state = NULL;
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    forget(c, NULL);
    s->cells = calloc(keys->count, sizeof *s->cells);
    s->first = keys->first;
    s->initial = keys->initial;
    if (s->cells)
        s->count = keys->count;
    else
        snprintf(c->message, sizeof c->message, "no memory");
    return s->cells != NULL;
}

static bool lever(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    struct store *s = c->state;
    if (node >= MOST_NODES) {
        snprintf(message, ASSAY_DRIVER_MESSAGE, "there is no node %u", node + 1);
        return false;
    }
    pthread_mutex_lock(&s->lock);
    if (strcmp(name, "wipe") == 0) {
        for (uint64_t i = 0; pulled && i < s->count; i++)
            s->cells[i].registers.n = s->cells[i].elements.n = s->cells[i].removed = 0;
    } else {
        s->frozen[node] = position(s, node);
        s->pulled[node] = pulled;
    }
    pthread_mutex_unlock(&s->lock);
    return true;
}

static const assay_driver_setting settings[] = {
    {"replicas", "3", "N", "nodes; reads at a node may lag, writes go to the first one"},
    {"lag", "0", "MICROSECONDS", "by which each node is behind the one before it"},
    {"delay", "10", "MICROSECONDS", "that a request or an answer takes at most"},
    {"bug", "none", "none|lost-update|dirty-read|torn-write|dropped|twice", "a fault of the store's transactions"},
    {"lose", "0", "PERCENT", "answers that are lost: the outcome is unknown"},
    {"abort", "0", "PERCENT", "transactions that the store aborts"},
    {0},
};

static const assay_lever levers[] = {
    {"lag", "the node applies no more commits", 0},
    {"wipe", "the store loses all that it has, as if it had been killed without a disk; at once, for any duration", 0},
    {0}};

/* Nodes that lag do not show a session its own writes. */
static const assay_promise promises[] = {{"serializable", "ser", "lag=0"}, {0}};

const assay_driver driver_memory = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "memory",
    .title = "a replicated store in this process, with a lag and with bugs",
    .actions = (1u << ASSAY_ACTIONS) - 1,
    .isolations = "serializable",
    .promises = promises,
    .settings = settings,
    .levers = levers,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .forget = forget,
    .open = open_session,
    .run = run,
    .close = close_session,
    .lever = lever,
};
