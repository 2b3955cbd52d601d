/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses of a MariaDB session.
 *
 * Statements are texts, not prepared: their values are integers only. With prepared statements Connector/C 3.3 was seen
 * to wait for more after a conflict in the middle of a result, which the server had answered.
 *
 * Queues. SELECT ... FOR UPDATE reads the newest state with locks, at every isolation level. A dequeue waits while
 * another session has the first row: for a dequeue, or for an enqueue before its commit. Then it takes the first row
 * that is there. So elements leave in the order of n, and "empty" is an answer about one moment. On one server n
 * follows real time. Galera's nodes count in steps of their own: n follows real time only from enqueues that the node
 * has applied. The shorter DELETE ... RETURNING, which would commit by itself, is no choice. With Galera, MariaDB 10.11
 * hands out rows of attempts that it has rolled back (wsrep_retry_autocommit); after other conflicts their end does not
 * come. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
#include <errmsg.h>
#include <inttypes.h>

/* Errors of the client, not of the server, have numbers of their own. */
static enum maria_step say_error(assay_session *s, unsigned *code)
{
    unsigned n = *code = mysql_errno(s->state);
    sql_say(s->message, "%u %s", n, mysql_error(s->state));
    return (n >= CR_MIN_ERROR && n <= CR_MAX_ERROR) || (n >= CER_MIN_ERROR && n <= CER_MAX_ERROR) ? MARIA_LOST
                                                                                                  : MARIA_REFUSED;
}

static enum maria_step done(assay_session *s, bool sent, unsigned *code)
{
    return sent ? MARIA_DONE : say_error(s, code);
}

static enum maria_step no_row(assay_session *s, uint64_t key)
{
    sql_say(s->message, "key %" PRIu64 " has no row at this node", key);
    return MARIA_NO_ROW;
}

static enum maria_step updated(assay_session *s, uint64_t key, bool sent, unsigned *code)
{
    if (!sent)
        return say_error(s, code);
    return mysql_affected_rows(s->state) ? MARIA_DONE : no_row(s, key);
}

/* The second column of a dequeue is the number of the row. */
static enum maria_step fetch(assay_session *s, assay_access *a, bool sent, int64_t *number, unsigned *code)
{
    MYSQL_RES *rows = sent ? mysql_store_result(s->state) : NULL;
    MYSQL_ROW row;
    bool room = true;
    if (!rows)
        return say_error(s, code);
    while (room && (row = mysql_fetch_row(rows))) {
        a->found = true;
        if (a->action == ASSAY_ACTION_LIST)
            room = sql_elements(a, row[0]);
        else if (a->action == ASSAY_ACTION_ELEMENTS)
            room = assay_access_push(a, strtoimax(row[0], NULL, 10));
        else
            a->answer = strtoimax(row[0], NULL, 10);
        if (number)
            *number = strtoimax(row[1], NULL, 10);
    }
    mysql_free_result(rows);
    if (room)
        return MARIA_DONE;
    sql_say(s->message, "out of memory");
    return MARIA_NO_MEMORY;
}

static enum maria_step read_register(assay_session *s, assay_access *a, unsigned *code)
{
    return fetch(s, a, maria_do(s->state, "SELECT v FROM assay_registers WHERE k = %" PRIu64, a->key), NULL, code);
}

static enum maria_step write_register(assay_session *s, uint64_t key, int64_t value, unsigned *code)
{
    return updated(
        s, key, maria_do(s->state, "UPDATE assay_registers SET v = %" PRId64 " WHERE k = %" PRIu64, value, key), code);
}

/* As applications do it: the balances are read, and the new ones are written. It is right if the isolation level
 * forbids lost updates. */
static enum maria_step transfer(assay_session *s, assay_access *a, unsigned *code)
{
    assay_access from = {.action = ASSAY_ACTION_READ, .key = a->key}, to = {.action = ASSAY_ACTION_READ, .key = a->to};
    enum maria_step step = read_register(s, &from, code);
    if (step == MARIA_DONE)
        step = read_register(s, &to, code);
    if (step != MARIA_DONE)
        return step;
    if (!from.found || !to.found)
        return no_row(s, from.found ? a->to : a->key);
    a->found = from.answer >= a->value;
    if (!a->found || a->key == a->to)
        return MARIA_DONE;
    step = write_register(s, a->key, from.answer - a->value, code);
    return step == MARIA_DONE ? write_register(s, a->to, to.answer + a->value, code) : step;
}

static enum maria_step dequeue(assay_session *s, assay_access *a, unsigned *code)
{
    int64_t number = 0;
    bool sent = maria_do(s->state, "SELECT e, n FROM assay_queue WHERE k = %" PRIu64 " ORDER BY n LIMIT 1 FOR UPDATE",
                         a->key);
    enum maria_step step = fetch(s, a, sent, &number, code);
    if (step != MARIA_DONE || !a->found)
        return step;
    sent = maria_do(s->state, "DELETE FROM assay_queue WHERE k = %" PRIu64 " AND n = %" PRId64, a->key, number);
    return updated(s, a->key, sent, code);
}

enum maria_step maria_access(assay_session *s, assay_access *a, unsigned *code)
{
    MYSQL *m = s->state;
    bool sent;
    switch (a->action) {
    case ASSAY_ACTION_READ: return read_register(s, a, code);
    case ASSAY_ACTION_WRITE: return write_register(s, a->key, a->value, code);
    case ASSAY_ACTION_ADD:
        sent = maria_do(m, "UPDATE assay_registers SET v = v + %" PRId64 " WHERE k = %" PRIu64, a->value, a->key);
        return updated(s, a->key, sent, code);
    case ASSAY_ACTION_TRANSFER: return transfer(s, a, code);
    case ASSAY_ACTION_LIST:
        return fetch(s, a, maria_do(m, "SELECT v FROM assay_lists WHERE k = %" PRIu64, a->key), NULL, code);
    case ASSAY_ACTION_APPEND:
        sent = maria_do(m, "UPDATE assay_lists SET v = CONCAT(v, IF(v = '', '', ','), %" PRId64 ") WHERE k = %" PRIu64,
                        a->value, a->key);
        return updated(s, a->key, sent, code);
    case ASSAY_ACTION_ELEMENTS:
        return fetch(s, a, maria_do(m, "SELECT e FROM assay_elements WHERE k = %" PRIu64, a->key), NULL, code);
    case ASSAY_ACTION_INSERT:
        sent = maria_do(
            m, "INSERT INTO assay_elements VALUES (%" PRIu64 ", %" PRId64 ") ON DUPLICATE KEY UPDATE e = VALUES(e)",
            a->key, a->value);
        return done(s, sent, code);
    case ASSAY_ACTION_ENQUEUE:
        sent = maria_do(m, "INSERT INTO assay_queue (k, e) VALUES (%" PRIu64 ", %" PRId64 ")", a->key, a->value);
        return done(s, sent, code);
    default: return dequeue(s, a, code);
    }
}

enum maria_step maria_text(assay_session *s, const char *text, unsigned *code)
{
    return done(s, maria_do(s->state, "%s", text), code);
}
#endif
