/* SPDX-License-Identifier: Apache-2.0 */
/* MariaDB with Galera: every node takes reads and writes. Transactions are certified in one order, and each node
 * applies them some time later. Without wsrep_sync_wait a node reads the state that it has applied. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
#include <stdio.h>
#include <string.h>

static const assay_driver_setting settings[] = {
    {"wsrep_sync_wait", "0", "0..15", "statements that wait for earlier transactions: 1 reads, 2 updates, 4 inserts"},
    {"wsrep_dirty_reads", "off", "on|off", "a node that has lost the cluster still answers reads"},
    MARIA_SNAPSHOT_ISOLATION,
    {0},
};

static const assay_lever levers[] = {
    {"lock", "FLUSH TABLES WITH READ LOCK: the node applies nothing, and serves old values", 0},
    {0},
};

/* A lone server is not stale: its histories would say nothing about Galera. */
static bool check_member(assay_campaign *c, unsigned node)
{
    char ready[16];
    MYSQL *m = maria_connect(c, node, c->message);
    bool member = m &&
                  maria_ask(m,
                            "SELECT variable_value FROM information_schema.global_status WHERE variable_name = "
                            "'wsrep_ready'",
                            ready, sizeof ready) &&
                  strcmp(ready, "ON") == 0;
    if (m && !member)
        sql_say(c->message, "%s:%u is not a ready member of a Galera cluster (see its wsrep_ready, or use mariadb)",
                c->nodes[node].host, c->nodes[node].port);
    mysql_close(m);
    return member;
}

static bool attach(assay_campaign *c)
{
    const char *wait = c->setting(c, "wsrep_sync_wait");
    char more[128], *end;
    unsigned long bits = strtoul(wait, &end, 10);
    if (*end || end == wait || wait[0] == '-' || bits > 15) {
        sql_say(c->message, "wsrep_sync_wait=%s is not a number from 0 to 15", wait);
        return false;
    }
    snprintf(more, sizeof more, ", wsrep_sync_wait = %lu, wsrep_dirty_reads = %s", bits,
             c->setting(c, "wsrep_dirty_reads"));
    if (!maria_attach(c, more))
        return false;
    for (unsigned node = 0; node < c->node_count; node++)
        if (!check_member(c, node))
            return false;
    return true;
}

/* The first node that is able to makes the rows: another one may be down, by a fault of the history before. A COMMIT
 * that comes late at a node that was given up conflicts with the rows of the next one. Certification refuses it. */
static bool prepare(assay_campaign *c, const assay_keys *keys)
{
    unsigned node = 0;
    while (node < c->node_count && !maria_fill(c, node, keys, c->message))
        node++;
    if (node == c->node_count)
        return false;
    maria_await(c, node, keys);
    return true;
}

static bool lever(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    struct maria *store = c->state;
    (void)name;                      /* there is one */
    mysql_close(store->locks[node]); /* which releases the lock */
    store->locks[node] = NULL;
    if (!pulled)
        return true;
    MYSQL *m = maria_connect(c, node, message);
    if (!m)
        return false;
    if (!maria_do(m, "FLUSH TABLES WITH READ LOCK")) {
        sql_say(message, "%s:%u: %s", c->nodes[node].host, c->nodes[node].port, mysql_error(m));
        mysql_close(m);
        return false;
    }
    store->locks[node] = m;
    return true;
}
#endif

/* The manual, Isolation Levels: within a node as MariaDB, and between nodes the first committer wins. */
static const assay_promise promises[] = {{"read-uncommitted", NULL, NULL},
                                         {"read-committed", "rc", NULL},
                                         {"repeatable-read", "si", "innodb_snapshot_isolation=on"},
                                         {"repeatable-read", "ra", NULL},
                                         {"serializable", "si", NULL},
                                         {0}};

const assay_driver driver_galera = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "galera",
    .title = "MariaDB servers with Galera replication",
    .nodes = "127.0.0.1:13301,127.0.0.1:13302,127.0.0.1:13303",
    .actions = SQL_ACTIONS,
    .isolations = MARIA_ISOLATIONS,
    .promises = promises,
#ifdef ASSAY_WITH_MARIADB
    .settings = settings,
    .levers = levers,
    .attach = attach,
    .detach = maria_detach,
    .prepare = prepare,
    .forget = maria_forget,
    .open = maria_open,
    .run = maria_run,
    .close = maria_close,
    .lever = lever,
#else
    .missing = "built without MariaDB Connector/C: install libmariadb-dev",
#endif
};
