/* SPDX-License-Identifier: Apache-2.0 */
/* The tables in a MariaDB server, and the rows of a history's keys. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *definition, *columns; /* as information_schema shows them */
} tables[SQL_TABLES] = {
    {"k BIGINT PRIMARY KEY, v BIGINT NOT NULL", "k bigint,v bigint"},
    {"k BIGINT PRIMARY KEY, v LONGTEXT NOT NULL", "k bigint,v longtext"},
    {"k BIGINT, e BIGINT, PRIMARY KEY (k, e)", "k bigint,e bigint"},
    {"n BIGINT AUTO_INCREMENT, k BIGINT, e BIGINT, PRIMARY KEY (k, n), KEY (n)", "n bigint,k bigint,e bigint"},
};

static bool fail(char *message, const assay_node *node, MYSQL *m)
{
    sql_say(message, "%s:%u: %s", node->host, node->port, mysql_error(m));
    return false;
}

static bool make_tables(assay_campaign *c, MYSQL *m)
{
    for (unsigned t = 0; t < SQL_TABLES; t++) {
        const char *name = sql_table_names[t];
        char text[256], columns[256];
        snprintf(text, sizeof text,
                 "SELECT GROUP_CONCAT(CONCAT(column_name, ' ', data_type) ORDER BY ordinal_position) FROM "
                 "information_schema.columns WHERE table_schema = DATABASE() AND table_name = '%s'",
                 name);
        if (!maria_do(m, "CREATE TABLE IF NOT EXISTS %s (%s) ENGINE = InnoDB", name, tables[t].definition) ||
            !maria_ask(m, text, columns, sizeof columns))
            return fail(c->message, &c->nodes[0], m);
        if (strcmp(columns, tables[t].columns) != 0) {
            sql_say(c->message, "%s:%u: table %s exists with other columns (drop it, or choose another database)",
                    c->nodes[0].host, c->nodes[0].port, name);
            return false;
        }
    }
    return true;
}

/* "MariaDB 10.11.6 with Galera 26.4.11" */
static bool read_version(MYSQL *m, char *version, size_t room)
{
    char provider[64];
    snprintf(version, room, "MariaDB %.*s", (int)strcspn(mysql_get_server_info(m), "-"), mysql_get_server_info(m));
    if (!maria_ask(m,
                   "SELECT variable_value FROM information_schema.global_status WHERE variable_name = "
                   "'wsrep_provider_version'",
                   provider, sizeof provider))
        return false;
    provider[strcspn(provider, "(")] = 0;
    if (provider[0])
        snprintf(version + strlen(version), room - strlen(version), " with Galera %s", provider);
    return true;
}

bool maria_attach(assay_campaign *c, const char *more)
{
    struct maria *store = calloc(1, sizeof *store);
    c->state = store;
    if (!store || !(store->locks = calloc(c->node_count, sizeof *store->locks)) || mysql_library_init(0, NULL, NULL)) {
        sql_say(c->message, "out of memory");
        return false;
    }
    char version[128], last[128] = "";
    c->server[0] = 0;
    const char *snapshot = c->setting(c, "innodb_snapshot_isolation");
    bool as_it_is = strcmp(snapshot, "default") == 0;
    snprintf(store->settings, sizeof store->settings, "%s%s%s", more,
             as_it_is ? "" : ", innodb_snapshot_isolation = ", as_it_is ? "" : snapshot);
    for (unsigned node = 0; node < c->node_count; node++) {
        MYSQL *m = maria_connect(c, node, c->message);
        if (!m)
            return false;
        bool fine = read_version(m, version, sizeof version) || fail(c->message, &c->nodes[node], m);
        if (fine && node == 0)
            fine = make_tables(c, m);
        mysql_close(m);
        if (!fine)
            return false;
        size_t length = strlen(c->server);
        if (strcmp(version, last) != 0)
            snprintf(c->server + length, sizeof c->server - length, "%s%s", node ? ", " : "", version);
        strcpy(last, version);
    }
    return true;
}

void maria_detach(assay_campaign *c)
{
    struct maria *store = c->state;
    for (unsigned node = 0; store && store->locks && node < c->node_count; node++)
        mysql_close(store->locks[node]);
    if (store)
        free(store->locks);
    free(store);
    c->state = NULL;
    mysql_library_end();
}

static bool remove_rows(MYSQL *m, enum sql_table table, const assay_keys *keys)
{
    char text[160];
    sql_delete(keys, table, text, sizeof text);
    return maria_do(m, "%s", text);
}

static bool insert_rows(MYSQL *m, enum sql_table table, const assay_keys *keys)
{
    enum { BATCH = 200, ROW = 48 };
    char text[64 + BATCH * ROW];
    for (uint64_t i = 0; i < keys->count;) {
        int length = sprintf(text, "INSERT INTO %s VALUES ", sql_table_names[table]);
        for (unsigned row = 0; row < BATCH && i < keys->count; row++, i++) {
            length += sprintf(text + length, "%s(%" PRIu64 ",", row ? "," : "", keys->first + i);
            length += table == SQL_LISTS ? sprintf(text + length, "'')")
                                         : sprintf(text + length, "%" PRId64 ")", keys->initial);
        }
        if (mysql_real_query(m, text, (unsigned long)length))
            return false;
    }
    return true;
}

/* One transaction, so that no part of it comes late alone: a late DELETE would take values of sessions away. READ
 * COMMITTED locks no gaps beside the rows. */
bool maria_fill(const assay_campaign *c, unsigned node, const assay_keys *keys, char *message)
{
    MYSQL *m = maria_connect(c, node, message);
    if (!m)
        return false;
    bool done = maria_do(m, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED") && maria_do(m, "BEGIN");
    for (unsigned t = 0; done && t < SQL_TABLES; t++)
        if (sql_uses(keys, t))
            done = remove_rows(m, t, keys) && (!sql_has_rows(t) || insert_rows(m, t, keys));
    done = done && maria_do(m, "COMMIT");
    if (!done)
        fail(message, &c->nodes[node], m);
    mysql_close(m);
    return done;
}

static bool sees_rows(MYSQL *m, const assay_keys *keys, bool *all)
{
    *all = true;
    for (unsigned t = 0; *all && t < SQL_TABLES; t++) {
        char text[160], count[32];
        if (!sql_uses(keys, t))
            continue;
        sql_count(keys, t, text, sizeof text);
        if (!maria_ask(m, text, count, sizeof count))
            return false;
        *all = strtoull(count, NULL, 10) == sql_expected(keys, t);
    }
    return true;
}

void maria_await(const assay_campaign *c, unsigned node, const assay_keys *keys)
{
    double end = sql_now() + c->timeout;
    for (unsigned other = 0; other < c->node_count; other++) {
        char message[ASSAY_DRIVER_MESSAGE];
        MYSQL *m = other == node ? NULL : maria_connect(c, other, message);
        bool all = !m;
        while (!all && sees_rows(m, keys, &all) && !all && sql_now() < end)
            sql_sleep(0.002);
        mysql_close(m);
    }
}

void maria_forget(assay_campaign *c, const assay_keys *keys)
{
    char message[ASSAY_DRIVER_MESSAGE];
    MYSQL *m = maria_connect(c, 0, message);
    for (unsigned t = 0; m && t < SQL_TABLES; t++)
        if (sql_uses(keys, t))
            remove_rows(m, t, keys);
    mysql_close(m);
}
#endif
