/* SPDX-License-Identifier: Apache-2.0 */
/* PostgreSQL: a primary, which is the first node, and standbys that stream from it. */
#include "collect/drive/postgres_client.h"

#ifdef ASSAY_WITH_POSTGRES
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REPLAY_STATE = 32 }; /* bytes of the state's name */

static const assay_driver_setting settings[] = {
    {"synchronous_commit", "on", "off|local|remote_write|on|remote_apply", "how far a commit waits for the standby"},
    {"read_from", "primary", "primary|standby",
     "where sessions of a standby run transactions that only read; all others run at the primary"},
    {0},
};

static const assay_lever levers[] = {
    {"lag", "pg_wal_replay_pause at a standby: it serves old values until it is released", 1},
    {0},
};

static const struct {
    const char *definition, *columns; /* as information_schema shows them */
} tables[SQL_TABLES] = {
    {"k BIGINT PRIMARY KEY, v BIGINT NOT NULL", "k bigint,v bigint"},
    {"k BIGINT PRIMARY KEY, v TEXT NOT NULL", "k bigint,v text"},
    {"k BIGINT, e BIGINT, PRIMARY KEY (k, e)", "k bigint,e bigint"},
    {"n BIGINT GENERATED ALWAYS AS IDENTITY, k BIGINT, e BIGINT, PRIMARY KEY (k, n)", "n bigint,k bigint,e bigint"},
};

/* The campaign's state: levers that are pulled, for each node. */
struct store {
    bool *lagging;
};

/* The text of the server becomes a message with the node. */
static bool fail(char *message, const assay_node *node)
{
    char text[ASSAY_DRIVER_MESSAGE];
    memcpy(text, message, sizeof text);
    sql_say(message, "%s:%u: %s", node->host, node->port, text);
    return false;
}

/* Connections of our own, not of sessions: they wait for no standby. */
static bool connect_aside(const assay_campaign *c, unsigned node, struct pg_link *link, char *message)
{
    if (!pg_connect(c, node, link, message))
        return false;
    if (pg_do(link, "SET synchronous_commit = local; SET client_min_messages = error", NULL) == PG_DONE)
        return true;
    pg_disconnect(link);
    return fail(message, &c->nodes[node]);
}

static bool make_tables(assay_campaign *c, struct pg_link *link)
{
    for (unsigned t = 0; t < SQL_TABLES; t++) {
        const char *name = sql_table_names[t];
        char text[384], columns[256];
        snprintf(text, sizeof text,
                 "CREATE TABLE IF NOT EXISTS %s (%s); SELECT string_agg(column_name || ' ' || data_type, ',' ORDER BY "
                 "ordinal_position) FROM information_schema.columns WHERE table_schema = current_schema() AND "
                 "table_name = '%s'",
                 name, tables[t].definition, name);
        if (pg_ask(link, text, columns, sizeof columns) != PG_DONE)
            return fail(c->message, &c->nodes[0]);
        if (strcmp(columns, tables[t].columns) != 0) {
            sql_say(c->message, "%s:%u: table %s exists with other columns (drop it, or choose another database)",
                    c->nodes[0].host, c->nodes[0].port, name);
            return false;
        }
    }
    return true;
}

static bool check_role(assay_campaign *c, unsigned node, bool standby, bool read_there)
{
    const assay_node *place = &c->nodes[node];
    if (node == 0 && standby)
        sql_say(c->message, "%s:%u is a standby (name the primary first in --nodes)", place->host, place->port);
    else if (node > 0 && !standby && read_there)
        sql_say(c->message, "%s:%u is not a standby (name a standby, or use read_from=primary)", place->host,
                place->port);
    else
        return true;
    return false;
}

static bool attach_node(assay_campaign *c, unsigned node, bool read_there)
{
    struct pg_link link;
    char version[64], recovery[8];
    if (!connect_aside(c, node, &link, c->message))
        return false;
    bool fine = (pg_ask(&link, "SHOW server_version", version, sizeof version) == PG_DONE &&
                 pg_ask(&link, "SELECT pg_is_in_recovery()", recovery, sizeof recovery) == PG_DONE) ||
                fail(c->message, &c->nodes[node]);
    fine = fine && check_role(c, node, recovery[0] == 't', read_there) && (node || make_tables(c, &link));
    pg_disconnect(&link);
    if (fine && node == 0)
        snprintf(c->server, sizeof c->server, "PostgreSQL %.*s", (int)strcspn(version, " "), version);
    return fine;
}

static bool attach(assay_campaign *c)
{
    struct store *store = calloc(1, sizeof *store);
    bool read_there = strcmp(c->setting(c, "read_from"), "standby") == 0;
    c->state = store;
    if (!store || !(store->lagging = calloc(c->node_count, sizeof *store->lagging)))
        sql_say(c->message, "out of memory");
    else if (getenv("PGHOSTADDR"))
        sql_say(c->message,
                "PGHOSTADDR would lead all connections to one address (unset it; --nodes has the addresses)");
    else if (read_there && c->node_count < 2)
        sql_say(c->message, "read_from=standby needs a second node (--nodes primary:port,standby:port)");
    else if (read_there && c->isolation && strcmp(c->isolation, "serializable") == 0)
        sql_say(c->message, "a standby has no serializable transactions (use repeatable-read, or read_from=primary)");
    else {
        for (unsigned node = 0; node < c->node_count; node++)
            if (!attach_node(c, node, read_there))
                return false;
        return true;
    }
    return false;
}

/* A standby cancels queries that are in the way of its replay, 40001: they are sent again while there is time. */
static bool insist(struct pg_link *link, const char *text, char *answer)
{
    enum pg_reply reply;
    while ((reply = pg_ask(link, text, answer, REPLAY_STATE)) == PG_REFUSED && strncmp(link->message, "40001", 5) == 0)
        sql_sleep(0.002);
    return reply == PG_DONE;
}

static bool lever(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    struct store *store = c->state;
    struct pg_link link;
    char state[REPLAY_STATE] = "";
    (void)name; /* there is one */
    if (!connect_aside(c, node, &link, message))
        return false;
    bool done = insist(&link, pulled ? "SELECT pg_wal_replay_pause()" : "SELECT pg_wal_replay_resume()", state);
    while (done && strcmp(state, pulled ? "paused" : "not paused") != 0) {
        sql_sleep(0.002);
        done = insist(&link, "SELECT pg_get_wal_replay_pause_state()", state);
    }
    pg_disconnect(&link);
    if (done)
        store->lagging[node] = pulled;
    return done || fail(message, &c->nodes[node]);
}

static void detach(assay_campaign *c)
{
    struct store *store = c->state;
    char message[ASSAY_DRIVER_MESSAGE];
    for (unsigned node = 0; store && store->lagging && node < c->node_count; node++)
        if (store->lagging[node])
            lever(c, node, "lag", false, message);
    if (store)
        free(store->lagging);
    free(store);
    c->state = NULL;
}

/* The statements of one query are one transaction, so that nothing of it comes late alone. */
static bool fill(const assay_campaign *c, const assay_keys *keys, char *message)
{
    struct pg_link link;
    char text[2048];
    size_t length = 0;
    if (!connect_aside(c, 0, &link, message))
        return false;
    for (unsigned t = 0; t < SQL_TABLES; t++) {
        if (!sql_uses(keys, t))
            continue;
        sql_delete(keys, t, text + length, sizeof text - length);
        length += strlen(text + length);
        length += (size_t)snprintf(text + length, sizeof text - length, ";");
        if (!sql_has_rows(t))
            continue;
        length += (size_t)snprintf(text + length, sizeof text - length, "INSERT INTO %s SELECT k, ",
                                   sql_table_names[t]);
        length += t == SQL_LISTS ? (size_t)snprintf(text + length, sizeof text - length, "''")
                                 : (size_t)snprintf(text + length, sizeof text - length, "%" PRId64, keys->initial);
        length += (size_t)snprintf(text + length, sizeof text - length,
                                   " FROM generate_series(%" PRIu64 "::bigint, %" PRIu64 ") AS k;", keys->first,
                                   keys->first + keys->count - 1);
    }
    bool done = pg_do(&link, text, NULL) == PG_DONE;
    pg_disconnect(&link);
    return done || fail(message, &c->nodes[0]);
}

static bool sees_rows(struct pg_link *link, const assay_keys *keys, bool *all)
{
    *all = true;
    for (unsigned t = 0; *all && t < SQL_TABLES; t++) {
        char text[160], count[32];
        if (!sql_uses(keys, t))
            continue;
        sql_count(keys, t, text, sizeof text);
        if (pg_ask(link, text, count, sizeof count) != PG_DONE)
            return false;
        *all = strtoull(count, NULL, 10) == sql_expected(keys, t);
    }
    return true;
}

/* Where standbys are read: until they have replayed the rows, or the time is over. */
static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    if (!fill(c, keys, c->message))
        return false;
    if (strcmp(c->setting(c, "read_from"), "standby") != 0)
        return true;
    for (unsigned node = 1; node < c->node_count; node++) {
        struct pg_link link;
        char message[ASSAY_DRIVER_MESSAGE];
        bool all = false;
        if (!connect_aside(c, node, &link, message))
            continue;
        while (sees_rows(&link, keys, &all) && !all)
            sql_sleep(0.002);
        pg_disconnect(&link);
    }
    return true;
}

static void forget(assay_campaign *c, const assay_keys *keys)
{
    struct pg_link link;
    char message[ASSAY_DRIVER_MESSAGE], text[160];
    if (!connect_aside(c, 0, &link, message))
        return;
    for (unsigned t = 0; t < SQL_TABLES; t++)
        if (sql_uses(keys, t)) {
            sql_delete(keys, t, text, sizeof text);
            pg_do(&link, text, NULL);
        }
    pg_disconnect(&link);
}
#endif

/* The manual, 13.2 Transaction Isolation: a snapshot for each statement, for each transaction, and as if one after the
 * other. */
static const assay_promise promises[] = {
    {"read-committed", "rc", NULL}, {"repeatable-read", "si", NULL}, {"serializable", "ser", NULL}, {0}};

const assay_driver driver_postgres = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "postgres",
    .title = "PostgreSQL server, with standbys",
    .nodes = "127.0.0.1:15431,127.0.0.1:15432",
    .actions = SQL_ACTIONS,
    .isolations = "read-committed repeatable-read serializable",
    .promises = promises,
#ifdef ASSAY_WITH_POSTGRES
    .settings = settings,
    .levers = levers,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .forget = forget,
    .open = pg_open,
    .run = pg_run,
    .close = pg_close,
    .lever = lever,
#else
    .missing = "built without libpq: install libpq-dev",
#endif
};
