/* SPDX-License-Identifier: Apache-2.0 */
/* A store of one's own under `assay drive`: docs/guides/databases.md explains it step by step.
 *
 *   cc -shared -fPIC -pthread -o driver.so driver.c
 *   assay drive --load ./driver.so --out runs/
 *   assay drive --load ./driver.so --set broken=on --out broken/ */
#include <assay_driver.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* ---- the store: registers in a table, with a lock ---- */

enum { MOST_KEYS = 1024 };

struct store {
    pthread_mutex_t lock;
    uint64_t first; /* key of the table's first place */
    int64_t values[MOST_KEYS];
    int64_t cached; /* a mistake: see get */
    bool broken;
};

static int64_t get(struct store *s, uint64_t key)
{
    int64_t value;
    pthread_mutex_lock(&s->lock);
    value = s->values[(key - s->first) % MOST_KEYS];
    if (s->broken && value % 3 == 0) /* a cache that is out of date now and then */
        value = s->cached;
    else
        s->cached = value;
    pthread_mutex_unlock(&s->lock);
    return value;
}

static void put(struct store *s, uint64_t key, int64_t value)
{
    pthread_mutex_lock(&s->lock);
    s->values[(key - s->first) % MOST_KEYS] = value;
    pthread_mutex_unlock(&s->lock);
}

/* ---- the driver ---- */

static bool attach(assay_campaign *c)
{
    struct store *s = (struct store *)calloc(1, sizeof *s);
    if (!s) {
        snprintf(c->message, sizeof c->message, "no memory");
        return false;
    }
    pthread_mutex_init(&s->lock, NULL);
    s->broken = strcmp(c->setting(c, "broken"), "on") == 0;
    snprintf(c->server, sizeof c->server, "examples/driver.c");
    c->state = s;
    return true;
}

static void detach(assay_campaign *c)
{
    free(c->state);
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = (struct store *)c->state;
    if (keys->count > MOST_KEYS) {
        snprintf(c->message, sizeof c->message, "this store has room for %d keys (fewer --keys)", (int)MOST_KEYS);
        return false;
    }
    s->first = keys->first;
    s->cached = keys->initial;
    for (size_t i = 0; i < MOST_KEYS; i++)
        s->values[i] = keys->initial;
    return true;
}

/* A real driver would connect to its node here: c->nodes[s->node]. */
static bool open_session(assay_campaign *c, assay_session *s)
{
    s->state = c->state;
    return true;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    (void)c;
    (void)s;
}

/* One access at a time: most_accesses below. Where the answer of a real store gets lost, the outcome is ASSAY_UNKNOWN,
 * and s->broken is set. */
static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *a, size_t n)
{
    (void)c;
    (void)n;
    if (a->action == ASSAY_ACTION_WRITE) {
        put((struct store *)s->state, a->key, a->value);
    } else {
        a->found = true;
        a->answer = get((struct store *)s->state, a->key);
    }
    return ASSAY_COMMITTED;
}

static const assay_driver_setting settings[] = {{"broken", "off", "on|off", "with the mistake in it"}, {0}};

static const assay_driver mutexed = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "mutexed",
    .title = "a table with a lock",
    .actions = ASSAY_CAN(READ) | ASSAY_CAN(WRITE),
    .most_accesses = 1,
    .settings = settings,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .open = open_session,
    .run = run,
    .close = close_session,
};

const assay_driver *const assay_drivers[] = {&mutexed, NULL};
