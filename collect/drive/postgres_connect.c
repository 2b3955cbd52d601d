/* SPDX-License-Identifier: Apache-2.0 */
/* Connections to PostgreSQL servers.
 *
 * Every call is made without blocking, and waits in poll up to the end of the time that its caller has given. A call
 * that gets no answer in time is PG_LOST; its connection is closed then, and nothing is cancelled.
 *
 * User, password and database come from libpq's own conventions: PGUSER, PGDATABASE, a service of PGSERVICE, ~/.pgpass.
 * Without them both the user and the database are `assay`. */
#include "collect/drive/postgres_client.h"

#ifdef ASSAY_WITH_POSTGRES
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* False: the time is over. */
static bool wait_for(PGconn *conn, short events, double end)
{
    struct pollfd socket = {.fd = PQsocket(conn), .events = events};
    double left = end - sql_now();
    return left > 0 && poll(&socket, 1, (int)(left * 1000) + 1) != 0;
}

/* A warning beside a commit, such as one of synchronous replication, stays readable in the message. */
static void keep_notice(void *link, const char *text)
{
    sql_say(((struct pg_link *)link)->message, "%s", text);
}

static bool finish_connect(PGconn *conn, double end)
{
    PostgresPollingStatusType wants = PGRES_POLLING_WRITING;
    while (wants == PGRES_POLLING_READING || wants == PGRES_POLLING_WRITING) {
        if (!wait_for(conn, wants == PGRES_POLLING_READING ? POLLIN : POLLOUT, end))
            return false;
        wants = PQconnectPoll(conn);
    }
    return wants == PGRES_POLLING_OK;
}

/* libpq begins with the address, which our message has already. */
static const char *reason(PGconn *conn)
{
    static const char end_of_address[] = " failed: ";
    const char *text = PQerrorMessage(conn), *rest = strstr(text, end_of_address);
    return rest ? rest + strlen(end_of_address) : text;
}

static const char *remedy(PGconn *conn, bool late)
{
    if (late)
        return "the server may be stopped";
    if (PQconnectionNeedsPassword(conn) || PQconnectionUsedPassword(conn))
        return "put the password into ~/.pgpass, or set PGPASSWORD";
    return "start the server or see --nodes; user and database: PGUSER, PGDATABASE";
}

bool pg_connect(const assay_campaign *c, unsigned node, struct pg_link *link, char *message)
{
    const assay_node *place = &c->nodes[node];
    bool service = getenv("PGSERVICE");
    char port[16];
    snprintf(port, sizeof port, "%u", place->port);
    const char *keywords[8] = {"host", "port", "fallback_application_name"};
    const char *values[8] = {place->host, port, "assay"};
    int n = 3;
    if (!service && !getenv("PGUSER")) {
        keywords[n] = "user";
        values[n++] = "assay";
    }
    if (!service && !getenv("PGDATABASE")) {
        keywords[n] = "dbname";
        values[n++] = "assay";
    }
    *link = (struct pg_link){.conn = PQconnectStartParams(keywords, values, 0), .message = message};
    link->end = sql_now() + c->timeout;
    if (!link->conn) {
        sql_say(message, "out of memory");
        return false;
    }
    PQsetNoticeProcessor(link->conn, keep_notice, link);
    if (PQstatus(link->conn) != CONNECTION_BAD && finish_connect(link->conn, link->end) &&
        PQsetnonblocking(link->conn, 1) == 0)
        return true;
    bool late = sql_now() >= link->end;
    sql_say(message, "%s:%u: %s (%s)", place->host, place->port, late ? "no answer in time" : reason(link->conn),
            remedy(link->conn, late));
    pg_disconnect(link);
    return false;
}

void pg_disconnect(struct pg_link *link)
{
    PQfinish(link->conn); /* the server rolls an open transaction back */
    link->conn = NULL;
    link->prepared = 0;
}

/* Sends the rest of the statement, and receives until a result is there. */
static bool await_result(struct pg_link *link)
{
    for (;;) {
        int more = PQflush(link->conn);
        if (more < 0)
            return false;
        if (!more && !PQisBusy(link->conn))
            return true;
        if (!wait_for(link->conn, more ? POLLIN | POLLOUT : POLLIN, link->end)) {
            sql_say(link->message, "no answer in time");
            return false;
        }
        if (!PQconsumeInput(link->conn))
            return false;
    }
}

/* Errors of libpq have no severity; FATAL and PANIC of the server end the connection. */
static bool is_refusal(const PGresult *result)
{
    const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
    return severity && strcmp(severity, "ERROR") == 0;
}

/* A statement that commits by itself does so after its result has been sent: an error may follow the result. The reply
 * is complete when libpq has no more results, since the server is ready for the next statement then. */
static enum pg_reply receive(struct pg_link *link, bool sent, PGresult **rows)
{
    enum pg_reply reply = PG_DONE;
    PGresult *result, *last = NULL;
    link->message[0] = 0;
    if (!sent) {
        sql_say(link->message, "%s", PQerrorMessage(link->conn));
        return PG_LOST;
    }
    for (;;) {
        if (!await_result(link)) {
            if (!link->message[0])
                sql_say(link->message, "%s", PQerrorMessage(link->conn));
            reply = PG_LOST;
            break;
        }
        if (!(result = PQgetResult(link->conn)))
            break;
        if (PQresultStatus(result) != PGRES_COMMAND_OK && PQresultStatus(result) != PGRES_TUPLES_OK &&
            reply == PG_DONE) {
            reply = is_refusal(result) ? PG_REFUSED : PG_LOST;
            const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
            const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
            sql_say(link->message, "%s%s%s", code ? code : "", code ? " " : "",
                    text ? text : PQresultErrorMessage(result));
        }
        PQclear(last);
        last = result;
    }
    if (PQstatus(link->conn) == CONNECTION_BAD && reply != PG_REFUSED)
        reply = PG_LOST;
    if (rows && reply == PG_DONE)
        *rows = last;
    else
        PQclear(last);
    return reply;
}

enum pg_reply pg_do(struct pg_link *link, const char *text, PGresult **rows)
{
    return receive(link, PQsendQuery(link->conn, text), rows);
}

enum pg_reply pg_ask(struct pg_link *link, const char *text, char *answer, size_t room)
{
    PGresult *rows = NULL;
    enum pg_reply reply = pg_do(link, text, &rows);
    snprintf(answer, room, "%s", rows && PQntuples(rows) ? PQgetvalue(rows, 0, 0) : "");
    PQclear(rows);
    return reply;
}

enum pg_reply pg_prepare(struct pg_link *link, const char *name, const char *text)
{
    return receive(link, PQsendPrepare(link->conn, name, text, 0, NULL), NULL);
}

enum pg_reply pg_execute(struct pg_link *link, const char *name, const int64_t *args, int n, PGresult **rows)
{
    char digits[2][24];
    const char *values[2];
    for (int i = 0; i < n; i++) {
        snprintf(digits[i], sizeof digits[i], "%" PRId64, args[i]);
        values[i] = digits[i];
    }
    return receive(link, PQsendQueryPrepared(link->conn, name, n, values, NULL, NULL, 0), rows);
}
#endif
