/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions on PostgreSQL, and their outcomes.
 *
 * One access is one prepared statement that commits by itself. Several accesses, a transfer and a dequeue stand between
 * BEGIN and COMMIT. With read_from=standby a session of a standby runs transactions that only read there. It runs all
 * others at the primary, over a second connection that it makes when it needs it.
 *
 * The outcome. An ERROR means that the transaction is aborted. This holds for the answer to a COMMIT, too: an error
 * after the commit record makes the server panic. A connection that is lost before the COMMIT was sent means the same:
 * the server rolls back, and commits nothing without a COMMIT. All else is UNKNOWN: the answer to a COMMIT, or to a
 * statement that commits by itself, is lost, or it is FATAL. A commit with the warning that the wait for a standby was
 * cancelled is COMMITTED, with the warning as the message: the primary has it.
 *
 * A write that meets no row is ABORTED, and says so: it would be lost without a trace.
 *
 * Queues. A dequeue takes an advisory lock of the queue, then the first row of the state after that. Dequeues of a
 * queue are one after the other, so the row cannot vanish, and "empty" is an answer about one moment. Without the lock
 * a statement that waited for another dequeue would go on with its old snapshot. It would miss elements that came in
 * meanwhile. At repeatable-read and serializable the snapshot is older than the lock, but then a conflict is an error.
 * n follows real time: an enqueue that returned has a smaller number than one that was called later. */
#include "collect/drive/postgres_client.h"

#ifdef ASSAY_WITH_POSTGRES
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LOCK_QUEUE = ASSAY_ACTIONS, STATEMENTS };

static const struct {
    const char *name, *text;
    int args;
} statements[STATEMENTS] = {
    [ASSAY_ACTION_READ] = {"read", "SELECT v FROM assay_registers WHERE k = $1", 1},
    [ASSAY_ACTION_WRITE] = {"write", "UPDATE assay_registers SET v = $2 WHERE k = $1", 2},
    [ASSAY_ACTION_ADD] = {"add", "UPDATE assay_registers SET v = v + $2 WHERE k = $1", 2},
    [ASSAY_ACTION_LIST] = {"list", "SELECT v FROM assay_lists WHERE k = $1", 1},
    [ASSAY_ACTION_APPEND] = {"append",
                             "UPDATE assay_lists SET v = CASE v WHEN '' THEN $2::text ELSE v || ',' || $2::text END "
                             "WHERE k = $1",
                             2},
    [ASSAY_ACTION_ELEMENTS] = {"elements", "SELECT e FROM assay_elements WHERE k = $1", 1},
    [ASSAY_ACTION_INSERT] = {"insert", "INSERT INTO assay_elements VALUES ($1, $2) ON CONFLICT DO NOTHING", 2},
    [ASSAY_ACTION_ENQUEUE] = {"enqueue", "INSERT INTO assay_queue (k, e) VALUES ($1, $2)", 2},
    [ASSAY_ACTION_DEQUEUE] = {"dequeue",
                              "DELETE FROM assay_queue WHERE k = $1 AND n = (SELECT n FROM assay_queue WHERE k = $1 "
                              "ORDER BY n LIMIT 1) RETURNING e",
                              1},
    [LOCK_QUEUE] = {"lock_queue", "SELECT pg_advisory_xact_lock($1)", 1},
};

struct session {
    struct pg_link primary, standby;
};

enum step {
    STEP_DONE,
    STEP_REFUSED, /* by the server, or by ourselves: the message is there */
    STEP_LOST
};

static bool at_standby(const assay_campaign *c, const assay_session *s)
{
    return s->node > 0 && strcmp(c->setting(c, "read_from"), "standby") == 0;
}

/* A superuser finds deadlocks sooner than after a second, so that sessions do more than wait for that. */
static bool link_up(const assay_campaign *c, assay_session *s, unsigned node, struct pg_link *link)
{
    char text[512], words[32] = "";
    if (!pg_connect(c, node, link, s->message))
        return false;
    if (c->isolation)
        sql_isolation(c->isolation, words, sizeof words);
    snprintf(text, sizeof text,
             "SET synchronous_commit = %s; SET lock_timeout = %.0f; SELECT set_config('deadlock_timeout', '20ms', "
             "false) FROM pg_roles WHERE rolname = current_user AND rolsuper%s%s",
             c->setting(c, "synchronous_commit"), c->timeout * 500,
             words[0] ? "; SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL " : "", words);
    if (pg_do(link, text, NULL) == PG_DONE)
        return true;
    pg_disconnect(link);
    return false;
}

bool pg_open(assay_campaign *c, assay_session *s)
{
    struct session *state = calloc(1, sizeof *state);
    s->state = state;
    if (!state) {
        sql_say(s->message, "out of memory");
        return false;
    }
    if (at_standby(c, s) ? link_up(c, s, s->node, &state->standby) : link_up(c, s, 0, &state->primary))
        return true;
    pg_close(c, s);
    return false;
}

void pg_close(assay_campaign *c, assay_session *s)
{
    struct session *state = s->state;
    (void)c;
    if (!state)
        return;
    pg_disconnect(&state->primary);
    pg_disconnect(&state->standby);
    free(state);
    s->state = NULL;
}

static enum step step_of(enum pg_reply reply)
{
    return reply == PG_DONE ? STEP_DONE : reply == PG_REFUSED ? STEP_REFUSED : STEP_LOST;
}

static enum step no_row(assay_session *s, uint64_t key)
{
    sql_say(s->message, "key %" PRIu64 " has no row at this node", key);
    return STEP_REFUSED;
}

/* The rows of a SELECT or of a DELETE ... RETURNING: one column. */
static bool take_rows(assay_access *a, const PGresult *rows)
{
    bool room = true;
    for (int i = 0; room && i < PQntuples(rows); i++) {
        const char *value = PQgetvalue(rows, i, 0);
        a->found = true;
        if (a->action == ASSAY_ACTION_LIST)
            room = sql_elements(a, value);
        else if (a->action == ASSAY_ACTION_ELEMENTS)
            room = assay_access_push(a, strtoimax(value, NULL, 10));
        else
            a->answer = strtoimax(value, NULL, 10);
    }
    return room;
}

/* An access that is one statement. */
static enum step execute(assay_session *s, struct pg_link *link, assay_access *a)
{
    int64_t args[2] = {(int64_t)a->key, a->value};
    PGresult *rows = NULL;
    enum step step = step_of(pg_execute(link, statements[a->action].name, args, statements[a->action].args, &rows));
    if (step == STEP_DONE && PQresultStatus(rows) == PGRES_TUPLES_OK) {
        if (!take_rows(a, rows)) {
            sql_say(s->message, "out of memory");
            step = STEP_LOST;
        }
    } else if (step == STEP_DONE && a->action != ASSAY_ACTION_INSERT && strcmp(PQcmdTuples(rows), "0") == 0)
        step = no_row(s, a->key);
    PQclear(rows);
    return step;
}

/* As applications do it: the balances are read, and the new ones are written. It is right if the isolation level
 * forbids lost updates. */
static enum step transfer(assay_session *s, struct pg_link *link, assay_access *a)
{
    assay_access from = {.action = ASSAY_ACTION_READ, .key = a->key}, to = {.action = ASSAY_ACTION_READ, .key = a->to};
    enum step step = execute(s, link, &from);
    if (step == STEP_DONE)
        step = execute(s, link, &to);
    if (step != STEP_DONE)
        return step;
    if (!from.found || !to.found)
        return no_row(s, from.found ? a->to : a->key);
    a->found = from.answer >= a->value;
    if (!a->found || a->key == a->to)
        return STEP_DONE;
    from = (assay_access){.action = ASSAY_ACTION_WRITE, .key = a->key, .value = from.answer - a->value};
    to = (assay_access){.action = ASSAY_ACTION_WRITE, .key = a->to, .value = to.answer + a->value};
    step = execute(s, link, &from);
    return step == STEP_DONE ? execute(s, link, &to) : step;
}

static enum step access_store(assay_session *s, struct pg_link *link, assay_access *a)
{
    if (a->action == ASSAY_ACTION_TRANSFER)
        return transfer(s, link, a);
    if (a->action == ASSAY_ACTION_DEQUEUE) {
        enum step step = step_of(pg_execute(link, statements[LOCK_QUEUE].name, (int64_t[]){(int64_t)a->key}, 1, NULL));
        if (step != STEP_DONE)
            return step;
    }
    return execute(s, link, a);
}

static enum step prepare_statement(struct pg_link *link, unsigned statement)
{
    if (link->prepared >> statement & 1)
        return STEP_DONE;
    enum step step = step_of(pg_prepare(link, statements[statement].name, statements[statement].text));
    if (step == STEP_DONE)
        link->prepared |= 1u << statement;
    return step;
}

/* Statements are prepared before the transaction that first uses them. */
static enum step prepare_statements(struct pg_link *link, const assay_access *accesses, size_t n)
{
    enum step step = STEP_DONE;
    for (size_t i = 0; step == STEP_DONE && i < n; i++) {
        unsigned first = accesses[i].action, second = first;
        if (first == ASSAY_ACTION_DEQUEUE)
            second = LOCK_QUEUE;
        if (first == ASSAY_ACTION_TRANSFER) {
            first = ASSAY_ACTION_READ;
            second = ASSAY_ACTION_WRITE;
        }
        step = prepare_statement(link, first);
        if (step == STEP_DONE)
            step = prepare_statement(link, second);
    }
    return step;
}

/* Nothing was committed. The message stays that of the error. */
static assay_outcome give_up(assay_session *s, struct pg_link *link, enum step step)
{
    char aside[ASSAY_DRIVER_MESSAGE];
    link->message = aside;
    if (step == STEP_LOST ||
        (PQtransactionStatus(link->conn) != PQTRANS_IDLE && pg_do(link, "ROLLBACK", NULL) != PG_DONE))
        s->broken = true;
    link->message = s->message;
    return ASSAY_ABORTED;
}

/* The answer to a COMMIT, or to a statement that commits by itself. */
static assay_outcome judge(assay_session *s, struct pg_link *link, enum step step)
{
    if (step == STEP_DONE)
        return ASSAY_COMMITTED;
    if (step == STEP_REFUSED)
        return give_up(s, link, step);
    s->broken = true;
    return ASSAY_UNKNOWN;
}

/* COMMIT of a transaction that has failed is a ROLLBACK, and says so. */
static enum step commit(assay_session *s, struct pg_link *link)
{
    PGresult *result = NULL;
    enum step step = step_of(pg_do(link, "COMMIT", &result));
    if (step == STEP_DONE && strcmp(PQcmdStatus(result), "COMMIT") != 0) {
        sql_say(s->message, "the server answered COMMIT with %s", PQcmdStatus(result));
        step = STEP_REFUSED;
    }
    PQclear(result);
    return step;
}

assay_outcome pg_run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n)
{
    struct session *state = s->state;
    struct pg_link *link = state->standby.conn && sql_reads_only(accesses, n) ? &state->standby : &state->primary;
    s->message[0] = 0;
    if (!link->conn && !link_up(c, s, 0, link))
        return ASSAY_ABORTED; /* nothing was sent */
    link->end = sql_now() + c->timeout;
    enum step step = prepare_statements(link, accesses, n);
    if (step != STEP_DONE)
        return give_up(s, link, step);
    if (n == 1 && !(1u << accesses->action & (ASSAY_CAN(TRANSFER) | ASSAY_CAN(DEQUEUE))))
        return judge(s, link, access_store(s, link, accesses));
    step = step_of(pg_do(link, "BEGIN", NULL));
    for (size_t i = 0; step == STEP_DONE && i < n; i++)
        step = access_store(s, link, &accesses[i]);
    return step == STEP_DONE ? judge(s, link, commit(s, link)) : give_up(s, link, step);
}
#endif
