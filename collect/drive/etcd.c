/* SPDX-License-Identifier: Apache-2.0 */
/* etcd: servers that agree on one log, reached by their HTTP gateway. Each session sends its transactions to its own
 * node. Reads are linearizable unless `reads` is `serializable`: then a read-only transaction takes the state of the
 * node that it asks, which may be old.
 *
 * Every request that writes makes a new revision. So a node whose state has the revision of the last key that was made
 * has all keys. */
#include "collect/drive/driver.h"

#ifdef ASSAY_WITH_CURL
#include "base/clock.h"
#include "collect/drive/etcd_keys.h"
#include "collect/drive/etcd_run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BATCH = 100 }; /* keys that a request makes; etcd takes 128 */

struct store {
    struct etcd_shared shared;
    char *user; /* NULL: none */
    struct etcd_link link;
};

static bool fail(assay_campaign *c, const char *where, const char *why)
{
    snprintf(c->message, ASSAY_DRIVER_MESSAGE, "%s: %.160s", where, why);
    return false;
}

static void set_deadline(const assay_campaign *c, struct etcd_link *l)
{
    l->until = clock_seconds(CLOCK_MONOTONIC) + c->timeout;
}

/* The revision of the answer, from 1 on; 0: it failed. */
static int64_t ask_revision(struct etcd_link *l, const char *path, char *message)
{
    json_t *answer;
    etcd_post(l, path, &answer, message);
    int64_t revision = etcd_number(json_object_get(answer, "header"), "revision");
    json_decref(answer);
    return revision;
}

/* The revision of a node's own state. */
static int64_t own_revision(struct etcd_link *l, bool serializable, char *message)
{
    bytes_puts(&l->body, "{");
    etcd_key(&l->body, ETCD_REGISTER, 0);
    bytes_puts(&l->body, serializable ? ",\"serializable\":true}" : "}");
    return ask_revision(l, "/v3/kv/range", message);
}

/* ---- attach ---- */

static bool look_at(assay_campaign *c, struct store *s, size_t node)
{
    char why[ASSAY_DRIVER_MESSAGE];
    struct etcd_link link = {0};
    if (!etcd_connect(&link, &c->nodes[node], c->timeout, s->user, c->message))
        return false;
    if (node == 0)
        snprintf(c->server, sizeof c->server, "etcd %s", link.version);
    set_deadline(c, &link);
    bool ok = own_revision(&link, false, why) != 0;
    if (!ok && strcmp(why, "etcdserver: user name is empty") == 0)
        fail(c, link.where, "a user is needed; put name:password into ETCDCTL_USER");
    else if (!ok && strncmp(why, "HTTP", 4) == 0)
        fail(c, link.where, "it has no /v3/kv gateway; etcd 3.4 or newer is needed");
    else if (!ok)
        snprintf(c->message, ASSAY_DRIVER_MESSAGE, "%s: %.120s; do most of the servers run?", link.where, why);
    etcd_disconnect(&link);
    return ok;
}

static bool attach(assay_campaign *c)
{
    struct store *s = c->state = calloc(1, sizeof *s);
    const char *user = getenv("ETCDCTL_USER");
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !s)
        return fail(c, "etcd", "out of memory");
    if (user && *user && !(s->user = strdup(user)))
        return fail(c, "etcd", "out of memory");
    s->shared.serializable = strcmp(c->setting(c, "reads"), "serializable") == 0;
    for (size_t i = 0; i < c->node_count; i++)
        if (!look_at(c, s, i))
            return false;
    return true;
}

static void detach(assay_campaign *c)
{
    struct store *s = c->state;
    if (s) {
        etcd_disconnect(&s->link);
        free(s->user);
    }
    free(s);
    c->state = NULL;
    curl_global_cleanup();
}

/* ---- the keys of a history ---- */

/* The first node that can be reached. */
static bool reach(assay_campaign *c, struct store *s)
{
    char ignored[ASSAY_DRIVER_MESSAGE];
    if (s->link.curl) {
        set_deadline(c, &s->link);
        if (own_revision(&s->link, false, ignored))
            return true;
        etcd_disconnect(&s->link);
    }
    for (size_t i = 0; i < c->node_count; i++)
        if (etcd_connect(&s->link, &c->nodes[i], c->timeout, s->user, c->message))
            return true;
    return false;
}

static bool remove_keys(assay_campaign *c, struct store *s, const assay_keys *keys, char *message)
{
    static const char spaces[] = {ETCD_REGISTER, ETCD_LIST, ETCD_SET, ETCD_QUEUE};
    for (size_t i = 0; i < sizeof spaces; i++) {
        set_deadline(c, &s->link);
        bytes_puts(&s->link.body, "{");
        etcd_between(&s->link.body, spaces[i], keys->first, keys->first + keys->count);
        bytes_puts(&s->link.body, "}");
        if (!ask_revision(&s->link, "/v3/kv/deleterange", message))
            return false;
    }
    return true;
}

/* Makes some registers by one request. */
static int64_t make_registers(assay_campaign *c, struct store *s, const assay_keys *keys, uint64_t from, uint64_t to,
                              char *message)
{
    struct bytes *b = &s->link.body;
    set_deadline(c, &s->link);
    bytes_puts(b, "{\"success\":[");
    for (uint64_t k = from; k < to; k++) {
        bytes_puts(b, k == from ? "{\"request_put\":{" : ",{\"request_put\":{");
        etcd_key(b, ETCD_REGISTER, keys->first + k);
        etcd_value(b, keys->initial);
        bytes_puts(b, "}}");
    }
    bytes_puts(b, "]}");
    return ask_revision(&s->link, "/v3/kv/txn", message);
}

/* Waits until a node has the revision. */
static bool wait_for(assay_campaign *c, const struct store *s, size_t node, int64_t revision)
{
    const struct timespec pause = {.tv_nsec = 2000000};
    char why[ASSAY_DRIVER_MESSAGE] = "this node did not get the keys in time; is it cut off from the others?";
    struct etcd_link link = {0};
    if (!etcd_connect(&link, &c->nodes[node], c->timeout, s->user, c->message))
        return false;
    set_deadline(c, &link);
    int64_t seen;
    while ((seen = own_revision(&link, true, why)) && seen < revision && clock_seconds(CLOCK_MONOTONIC) < link.until)
        nanosleep(&pause, NULL);
    if (seen < revision)
        fail(c, link.where, why);
    etcd_disconnect(&link);
    return seen >= revision;
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    const uint32_t registers = ASSAY_CAN(READ) | ASSAY_CAN(WRITE) | ASSAY_CAN(ADD) | ASSAY_CAN(TRANSFER);
    struct store *s = c->state;
    char why[ASSAY_DRIVER_MESSAGE] = "";
    if (!reach(c, s))
        return false;
    bool ok = remove_keys(c, s, keys, why);
    for (uint64_t k = 0; ok && k < keys->count && keys->actions & registers; k += BATCH)
        ok = make_registers(c, s, keys, k, keys->count - k < BATCH ? keys->count : k + BATCH, why) != 0;
    set_deadline(c, &s->link);
    int64_t revision = ok ? own_revision(&s->link, false, why) : 0;
    if (!revision)
        return fail(c, s->link.where, why);
    for (size_t i = 0; i < c->node_count && s->shared.serializable; i++)
        if (!wait_for(c, s, i, revision))
            return false;
    return true;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    char ignored[ASSAY_DRIVER_MESSAGE];
    if (reach(c, c->state))
        remove_keys(c, c->state, keys, ignored);
}

/* ---- sessions ---- */

static bool open_session(assay_campaign *c, assay_session *s)
{
    const struct store *store = c->state;
    struct etcd_link *l = s->state = calloc(1, sizeof *l);
    s->broken = false;
    if (!l)
        snprintf(s->message, ASSAY_DRIVER_MESSAGE, "out of memory");
    if (l && etcd_connect(l, &c->nodes[s->node], c->timeout, store->user, s->message))
        return true;
    free(l);
    s->state = NULL;
    return false;
}

static void close_session(assay_campaign *c, assay_session *s)
{
    struct etcd_link *l = s->state;
    (void)c;
    if (l)
        etcd_disconnect(l);
    free(l);
    s->state = NULL;
}

static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n)
{
    struct store *store = c->state;
    set_deadline(c, s->state);
    return etcd_run(s->state, s, &store->shared, accesses, n);
}

static const assay_driver_setting settings[] = {
    {"reads", "linearizable", "linearizable|serializable", "of read-only transactions; serializable ones may be old"},
    {0},
};
#endif

const assay_driver driver_etcd = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "etcd",
    .title = "etcd: servers that agree, by their HTTP gateway",
    .nodes = "127.0.0.1:12391,127.0.0.1:12392,127.0.0.1:12393",
    .actions = (1u << ASSAY_ACTIONS) - 1,
    .most_accesses = 64, /* a transfer is two of 128 */
    .one_write_per_key = true,
#ifdef ASSAY_WITH_CURL
    .settings = settings,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .forget = forget,
    .open = open_session,
    .run = run,
    .close = close_session,
#else
    .missing = "built without libcurl and jansson: install libcurl4-openssl-dev and libjansson-dev",
#endif
};
