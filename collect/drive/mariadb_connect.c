/* SPDX-License-Identifier: Apache-2.0 */
/* Connections to MariaDB servers.
 *
 * User, password and database come from the option files (groups [client] and [assay]) and MYSQL_PWD, as they do for
 * other clients. Without them both the user and the database are `assay`. Connector/C reads the files while it
 * connects, so they replace the names that are set before that.
 *
 * No call waits for ever: each read and each write of the socket has the campaign's time-out, in whole seconds. The
 * server gives up waiting for locks after half of it, since its refusal is certain and a time-out of ours is not. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
#include <errmsg.h>
#include <mysqld_error.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *remedy(unsigned code)
{
    switch (code) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
        return "put user and password into the group [assay] of ~/.my.cnf, or set MYSQL_PWD";
    case ER_BAD_DB_ERROR: return "create the database, or name another in the group [assay] of ~/.my.cnf";
    case ER_DBACCESS_DENIED_ERROR: return "grant the user all privileges on it";
    case ER_CON_COUNT_ERROR:
    case ER_USER_LIMIT_REACHED: return "raise max_connections, or use fewer sessions";
    case ER_UNKNOWN_SYSTEM_VARIABLE: return "this server is too old for the setting";
    case CR_CONNECTION_ERROR:
    case CR_CONN_HOST_ERROR:
    case CR_UNKNOWN_HOST: return "start the server, or name its nodes with --nodes";
    default: return NULL;
    }
}

static unsigned seconds(double time)
{
    unsigned whole = (unsigned)time;
    return whole < time || !whole ? whole + 1 : whole;
}

static bool set_up(const assay_campaign *c, MYSQL *m)
{
    const struct maria *store = c->state;
    unsigned patience = seconds(c->timeout / 2);
    if (!maria_do(m,
                  "SET SESSION sql_mode = 'STRICT_ALL_TABLES', innodb_lock_wait_timeout = %u, lock_wait_timeout = %u%s",
                  patience, patience, store->settings))
        return false;
    if (!c->isolation)
        return true;
    char words[32];
    sql_isolation(c->isolation, words, sizeof words);
    return maria_do(m, "SET SESSION TRANSACTION ISOLATION LEVEL %s", words);
}

MYSQL *maria_connect(const assay_campaign *c, unsigned node, char *message)
{
    const assay_node *place = &c->nodes[node];
    MYSQL *m = mysql_init(NULL);
    if (!m) {
        sql_say(message, "out of memory");
        return NULL;
    }
    unsigned limit = seconds(c->timeout), protocol = MYSQL_PROTOCOL_TCP;
    mysql_options(m, MYSQL_OPT_CONNECT_TIMEOUT, &limit);
    mysql_options(m, MYSQL_OPT_READ_TIMEOUT, &limit);
    mysql_options(m, MYSQL_OPT_WRITE_TIMEOUT, &limit);
    mysql_options(m, MARIADB_OPT_USER, "assay");
    mysql_options(m, MARIADB_OPT_SCHEMA, "assay");
    mysql_options(m, MYSQL_READ_DEFAULT_GROUP, "assay");
    mysql_options(m, MYSQL_OPT_PROTOCOL, &protocol); /* or "localhost" would mean a socket of the file system */
    /* The count of an UPDATE is that of the rows it found, even where it changed nothing. */
    if (mysql_real_connect(m, place->host, NULL, NULL, NULL, place->port, NULL, CLIENT_FOUND_ROWS)) {
        /* An option file may ask for it, but the statements of a transaction belong to one connection. */
        my_bool no = 0;
        mysql_options(m, MYSQL_OPT_RECONNECT, &no);
        if (set_up(c, m))
            return m;
    }
    const char *hint = remedy(mysql_errno(m));
    sql_say(message, "%s:%u: %s%s%s%s", place->host, place->port, mysql_error(m), hint ? " (" : "", hint ? hint : "",
            hint ? ")" : "");
    mysql_close(m);
    return NULL;
}

bool maria_do(MYSQL *m, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return mysql_real_query(m, text, strlen(text)) == 0;
}

bool maria_ask(MYSQL *m, const char *text, char *answer, size_t room)
{
    MYSQL_RES *rows = maria_do(m, "%s", text) ? mysql_store_result(m) : NULL;
    if (!rows)
        return false;
    MYSQL_ROW row = mysql_fetch_row(rows);
    snprintf(answer, room, "%s", row && row[0] ? row[0] : "");
    mysql_free_result(rows);
    return true;
}

bool maria_open(assay_campaign *c, assay_session *s)
{
    s->state = maria_connect(c, s->node, s->message);
    return s->state;
}

/* The server rolls an open transaction back. */
void maria_close(assay_campaign *c, assay_session *s)
{
    (void)c;
    mysql_close(s->state);
    s->state = NULL;
}
#endif
