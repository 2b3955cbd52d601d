/* SPDX-License-Identifier: Apache-2.0 */
/* Redis: a primary, node 0, and replicas, the nodes from 1 on.
 *
 * Transactions run at the primary. With `read_from=replica`, a session of another node than 0 sends its read-only
 * transactions to its own node. Replication is asynchronous, so they may read
 * old values, up to the setting `wait`.
 */
#include "collect/drive/driver.h"

#ifdef ASSAY_WITH_HIREDIS
#include "base/clock.h"
#include "collect/drive/redis_keys.h"
#include "collect/drive/redis_run.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { DEAD_PORT = 1 }; /* no server listens here, so a replica of it gets nothing */
#define DEAD_HOST "127.0.0.1"

struct address {
    char host[256];
    unsigned port;
};

struct store {
    struct redis_link primary;
    char *password; /* NULL: none */
    struct redis_wait wait;
    bool from_replica;
    struct address *sources; /* of each node: the server that it replicates */
};

struct session {
    struct redis_link primary, replica; /* the latter may be unused */
};

/* ---- levers ---- */

/* Makes a node replicate another server. */
static bool replicate(assay_campaign *c, unsigned node, const char *host, unsigned port, char *message)
{
    const struct store *s = c->state;
    struct redis_link link = {0};
    char why[ASSAY_DRIVER_MESSAGE];
    if (!redis_connect(&link, &c->nodes[node], c->timeout, s->password, message))
        return false;
    redis_array(&link, 3);
    redis_word(&link, "REPLICAOF");
    redis_word(&link, host);
    redis_number(&link, port);
    redisReply *r = redis_ask(&link, why);
    if (!r)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s: %.160s", link.where, why);
    freeReplyObject(r);
    redis_disconnect(&link);
    return r != NULL;
}

static bool lever(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    const struct address *source = &((const struct store *)c->state)->sources[node];
    (void)name; /* there is one */
    if (!source->port) {
        snprintf(message, ASSAY_DRIVER_MESSAGE,
                 "%.64s:%u: this is no replica, so it cannot lag; pull it at another node", c->nodes[node].host,
                 c->nodes[node].port);
        return false;
    }
    return pulled ? replicate(c, node, DEAD_HOST, DEAD_PORT, message)
                  : replicate(c, node, source->host, source->port, message);
}

/* ---- attach ---- */

static bool fail(assay_campaign *c, const char *where, const char *why)
{
    snprintf(c->message, ASSAY_DRIVER_MESSAGE, "%s: %.160s", where, why);
    return false;
}

/* The field of an answer of INFO, up to the end of its line. */
static bool field(const char *info, const char *name, char *value, size_t size)
{
    const char *at = strstr(info, name);
    if (!at)
        return false;
    at += strlen(name);
    snprintf(value, size, "%.*s", (int)strcspn(at, "\r\n"), at);
    return true;
}

static redisReply *information(struct redis_link *l, const char *section, char *message)
{
    redis_array(l, 2);
    redis_word(l, "INFO");
    redis_word(l, section);
    redisReply *r = redis_ask(l, message);
    if (r && r->type == REDIS_REPLY_STRING)
        return r;
    freeReplyObject(r);
    return NULL;
}

/* A run that was killed may have left the lever pulled. */
static bool release_again(assay_campaign *c, struct store *s, size_t node)
{
    struct address *source = &s->sources[node];
    if (source->port != DEAD_PORT)
        return true;
    snprintf(source->host, sizeof source->host, "%s", c->nodes[0].host);
    source->port = c->nodes[0].port;
    return replicate(c, (unsigned)node, source->host, source->port, c->message);
}

/* A node must play its role: the primary is node 0, and only a replica has the primary's values. */
static bool check_role(assay_campaign *c, struct store *s, size_t node, const char *where, const char *info)
{
    char role[16] = "", port[16] = "", replicas[16] = "0", *host = s->sources[node].host;
    field(info, "\nrole:", role, sizeof role);
    bool replica = strcmp(role, "slave") == 0;
    if (replica && field(info, "\nmaster_host:", host, sizeof s->sources[node].host) &&
        field(info, "\nmaster_port:", port, sizeof port))
        s->sources[node].port = (unsigned)strtoul(port, NULL, 10);
    if (node == 0 && replica)
        return fail(c, where, "this is a replica (name the primary first in --nodes)");
    if (node != 0 && !replica && s->from_replica)
        return fail(c, where, "this is no replica, and read_from is replica (name replicas behind the primary)");
    field(info, "\nconnected_slaves:", replicas, sizeof replicas);
    if (node == 0 && strtoul(replicas, NULL, 10) < s->wait.replicas)
        return fail(c, where, "fewer replicas are connected than wait asks for; start them, or give a smaller wait");
    return release_again(c, s, node);
}

static bool look_at(assay_campaign *c, struct store *s, size_t node, struct redis_link *l)
{
    char why[ASSAY_DRIVER_MESSAGE], version[32] = "";
    if (!redis_connect(l, &c->nodes[node], c->timeout, s->password, c->message))
        return false;
    redisReply *info = information(l, "server", why);
    if (!info)
        return fail(c, l->where, why);
    if (node == 0 && field(info->str, "redis_version:", version, sizeof version))
        snprintf(c->server, sizeof c->server, "Redis %s", version);
    freeReplyObject(info);
    info = information(l, "replication", why);
    bool ok = info ? check_role(c, s, node, l->where, info->str) : fail(c, l->where, why);
    freeReplyObject(info);
    return ok;
}

static bool read_settings(assay_campaign *c, struct store *s)
{
    const char *wait = c->setting(c, "wait");
    int64_t replicas;
    if (!bytes_read_number(wait, wait + strlen(wait), &replicas) || replicas < 0 || replicas > 1000)
        return fail(c, wait, "no number of replicas for wait, as 0 or 2");
    /* The rest of the time is for the way. */
    s->wait = (struct redis_wait){(unsigned)replicas, (int64_t)(c->timeout * 800) + 1};
    s->from_replica = strcmp(c->setting(c, "read_from"), "replica") == 0;
    if (s->from_replica && c->node_count < 2)
        return fail(c, "read_from=replica", "there is one node only (name replicas behind the primary in --nodes)");
    return true;
}

static bool attach(assay_campaign *c)
{
    struct store *s = c->state = calloc(1, sizeof *s);
    const char *password = getenv("REDISCLI_AUTH");
    if (s) {
        s->sources = calloc(c->node_count, sizeof *s->sources);
        s->password = password && *password ? strdup(password) : NULL;
    }
    if (!s || !s->sources || (password && *password && !s->password))
        return fail(c, "redis", "out of memory");
    if (!read_settings(c, s) || !look_at(c, s, 0, &s->primary))
        return false;
    for (size_t i = 1; i < c->node_count; i++) {
        struct redis_link link = {0};
        bool ok = look_at(c, s, i, &link);
        redis_disconnect(&link);
        if (!ok)
            return false;
    }
    return true;
}

static void detach(assay_campaign *c)
{
    struct store *s = c->state;
    if (!s)
        return;
    redis_disconnect(&s->primary);
    free(s->password);
    free(s->sources);
    free(s);
    c->state = NULL;
}

/* ---- the keys of a history ---- */

/* The primary may have been away since the last history. */
static bool reach_primary(assay_campaign *c, struct store *s)
{
    char ignored[ASSAY_DRIVER_MESSAGE];
    if (s->primary.context) {
        redis_protocol(&s->primary, "*1\r\n$4\r\nPING\r\n");
        redisReply *r = redis_ask(&s->primary, ignored);
        freeReplyObject(r);
        if (r)
            return true;
        redis_disconnect(&s->primary);
    }
    return redis_connect(&s->primary, &c->nodes[0], c->timeout, s->password, c->message);
}

static bool wait_for(assay_campaign *c, const struct store *s, size_t node, uint64_t first, int64_t mark)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    double until = clock_seconds(CLOCK_MONOTONIC) + c->timeout;
    struct redis_link link = {0};
    char why[ASSAY_DRIVER_MESSAGE] = "";
    if (!redis_connect(&link, &c->nodes[node], c->timeout, s->password, c->message))
        return false;
    bool there;
    while (!(there = redis_has_mark(&link, first, mark, why)) && !link.context->err &&
           clock_seconds(CLOCK_MONOTONIC) < until)
        nanosleep(&pause, NULL);
    if (!there)
        fail(c, link.where, why);
    redis_disconnect(&link);
    return there;
}

static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    char why[ASSAY_DRIVER_MESSAGE];
    if (!reach_primary(c, s))
        return false;
    if (!redis_make_keys(&s->primary, keys, why))
        return fail(c, s->primary.where, why);
    /* A time is a mark that no earlier campaign has left. */
    int64_t mark = (int64_t)(clock_seconds(CLOCK_REALTIME) * 1e6);
    for (size_t i = 1; s->from_replica && i < c->node_count; i++) {
        if (i == 1 && !redis_set_mark(&s->primary, keys->first, mark, why))
            return fail(c, s->primary.where, why);
        if (!wait_for(c, s, i, keys->first, mark))
            return false;
    }
    return true;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    struct store *s = c->state;
    char ignored[ASSAY_DRIVER_MESSAGE];
    if (reach_primary(c, s))
        redis_remove_keys(&s->primary, keys, ignored);
}

/* ---- sessions ---- */

static void close_session(assay_campaign *c, assay_session *s)
{
    struct session *own = s->state;
    (void)c;
    if (!own)
        return;
    redis_disconnect(&own->primary);
    redis_disconnect(&own->replica);
    free(own);
    s->state = NULL;
}

static bool open_session(assay_campaign *c, assay_session *s)
{
    const struct store *store = c->state;
    struct session *own = s->state = calloc(1, sizeof *own);
    if (!own) {
        snprintf(s->message, ASSAY_DRIVER_MESSAGE, "out of memory");
        return false;
    }
    s->broken = false;
    if (redis_connect(&own->primary, &c->nodes[0], c->timeout, store->password, s->message) &&
        (!store->from_replica || s->node == 0 ||
         redis_connect(&own->replica, &c->nodes[s->node], c->timeout, store->password, s->message)))
        return true;
    close_session(c, s);
    return false;
}

static assay_outcome run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n)
{
    const struct store *store = c->state;
    struct session *own = s->state;
    bool at_replica = own->replica.context && redis_reads_only(accesses, n);
    return redis_run(at_replica ? &own->replica : &own->primary, s, store->wait, accesses, n);
}

static const assay_driver_setting settings[] = {
    {"wait", "0", "N", "replicas that must acknowledge a write; with fewer it counts as maybe happened"},
    {"read_from", "primary", "primary|replica", "where sessions of nodes from 1 on run read-only transactions"},
    {0},
};

static const assay_lever levers[] = {
    {"lag", "the replica follows a dead port: it goes on serving the values that it has", 1},
    {0},
};
#endif

const assay_driver driver_redis = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "redis",
    .title = "Redis: a primary and its replicas",
    .nodes = "127.0.0.1:16381,127.0.0.1:16382,127.0.0.1:16383",
    .actions = (1u << ASSAY_ACTIONS) - 1,
#ifdef ASSAY_WITH_HIREDIS
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
#else
    .missing = "built without hiredis: install libhiredis-dev",
#endif
};
