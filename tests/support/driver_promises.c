/* SPDX-License-Identifier: Apache-2.0 */
/* A store with snapshot isolation, at each of its levels: a transaction reads a snapshot, and the first committer wins.
 * So the promise of one level is kept and that of another one is broken. */
#include <assay_driver.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

enum { MOST_KEYS = 256 };

struct table {
    int64_t values[MOST_KEYS];
    uint32_t versions[MOST_KEYS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table table;
static uint64_t first;

static bool attach(assay_campaign *c)
{
    (void)c;
    return true;
}

static void detach(assay_campaign *c)
{
    (void)c;
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    (void)c;
    first = keys->first;
    for (size_t i = 0; i < MOST_KEYS; i++) {
        table.values[i] = keys->initial;
        table.versions[i] = 0;
    }
    return keys->count <= MOST_KEYS;
}

static bool open_session(assay_campaign *c, assay_session *s)
{
    (void)c;
    (void)s;
    return true;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    (void)c;
    (void)s;
}

static bool changed(const struct table *mine, size_t i)
{
    return mine->versions[i] != table.versions[i];
}

static assay_outcome commit(const struct table *snapshot, const assay_access *a, size_t n)
{
    assay_outcome outcome = ASSAY_COMMITTED;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n; i++)
        if (a[i].action == ASSAY_ACTION_WRITE && changed(snapshot, a[i].key - first))
            outcome = ASSAY_ABORTED;
    for (size_t i = 0; i < n && outcome == ASSAY_COMMITTED; i++)
        if (a[i].action == ASSAY_ACTION_WRITE) {
            table.values[a[i].key - first] = a[i].value;
            table.versions[a[i].key - first]++;
        }
    pthread_mutex_unlock(&lock);
    return outcome;
}

/* The pause brings other transactions between the snapshot and the commit. */
static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *a, size_t n)
{
    (void)c;
    pthread_mutex_lock(&lock);
    struct table mine = table, snapshot = table;
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){0, 300000}, NULL);
    for (size_t i = 0; i < n; i++)
        if (a[i].action == ASSAY_ACTION_WRITE) {
            mine.values[a[i].key - first] = a[i].value;
        } else {
            a[i].found = true;
            a[i].answer = mine.values[a[i].key - first];
        }
    assay_outcome outcome = commit(&snapshot, a, n);
    if (outcome == ASSAY_ABORTED)
        strcpy(s->message, "a conflict");
    return outcome;
}

static const assay_promise promises[] = {
    {"read-uncommitted", NULL, NULL}, {"repeatable-read", "si", NULL}, {"serializable", "ser", NULL}, {0}};

static const assay_driver promising = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "promising",
    .title = "snapshot isolation at each level",
    .actions = ASSAY_CAN(READ) | ASSAY_CAN(WRITE),
    .isolations = "read-uncommitted repeatable-read serializable",
    .promises = promises,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .open = open_session,
    .run = run,
    .close = close_session,
};

const assay_driver *const assay_drivers[] = {&promising, NULL};
