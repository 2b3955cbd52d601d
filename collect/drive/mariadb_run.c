/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions on MariaDB, and their outcomes.
 *
 * One access is one statement that commits by itself. Several accesses, a transfer and a dequeue stand between BEGIN
 * and COMMIT.
 *
 * The outcome. A transaction that fails before its COMMIT is sent is ABORTED, also if the connection fails. The server
 * rolls back the transaction of a client that is gone. It cannot commit later: the COMMIT was never sent, and none of
 * our statements commits implicitly. From the COMMIT on, and for a statement that commits by itself, ABORTED needs an
 * answer that says so (`nothing_happened`). All else is UNKNOWN: the answer is lost, or the error may come after the
 * commit. One such error is 1180, which a Galera node answers when it lost the cluster while it replicated the
 * transaction. The other nodes may have it.
 *
 * A write that meets no row is ABORTED, and says so: it would be lost without a trace. The row is missing where keys
 * were not prepared, or where a replica is behind. Inserting it here would begin from a wrong initial value. */
#include "collect/drive/mariadb_client.h"

#ifdef ASSAY_WITH_MARIADB
#include <mysqld_error.h>

/* The server refused a COMMIT, or a statement that commits by itself, before it committed anything. The reasons are
 * conflicts of locks, of versions and of Galera's certification, a node that is not ready, and refusals to execute. A
 * lock wait time-out of a COMMIT comes from FLUSH TABLES WITH READ LOCK; COMMIT asks for that lock first. */
static bool nothing_happened(unsigned code)
{
    static const unsigned codes[] = {
        ER_LOCK_DEADLOCK,
        ER_LOCK_WAIT_TIMEOUT,
        ER_CHECKREAD,
        ER_UNKNOWN_COM_ERROR, /* 1047: Galera's node is not ready */
        ER_DUP_ENTRY,
        ER_NO_SUCH_TABLE,
        ER_BAD_FIELD_ERROR,
        ER_TABLEACCESS_DENIED_ERROR,
        ER_OPTION_PREVENTS_STATEMENT,
        ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION,
    };
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i] == code)
            return true;
    return false;
}

/* Nothing was committed. The message stays that of the error. */
static assay_outcome give_up(assay_session *s, enum maria_step step, bool begun)
{
    if (step == MARIA_LOST || (begun && !maria_do(s->state, "ROLLBACK")))
        s->broken = true;
    return ASSAY_ABORTED;
}

/* The answer to a COMMIT, or to a statement that commits by itself. */
static assay_outcome judge(assay_session *s, enum maria_step step, unsigned code, bool reads_only, bool begun)
{
    if (step == MARIA_DONE)
        return ASSAY_COMMITTED;
    if (step == MARIA_NO_ROW || (step == MARIA_REFUSED && (reads_only || nothing_happened(code))))
        return give_up(s, step, begun);
    s->broken = true; /* the state of the server's side is not known either */
    return ASSAY_UNKNOWN;
}

assay_outcome maria_run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n)
{
    bool reads_only = sql_reads_only(accesses, n);
    unsigned code = 0;
    (void)c;
    s->message[0] = 0;
    enum maria_step step;
    if (n == 1 && !(1u << accesses->action & (ASSAY_CAN(TRANSFER) | ASSAY_CAN(DEQUEUE)))) {
        step = maria_access(s, accesses, &code);
        return judge(s, step, code, reads_only, false);
    }
    step = maria_text(s, "BEGIN", &code);
    for (size_t i = 0; step == MARIA_DONE && i < n; i++)
        step = maria_access(s, &accesses[i], &code);
    if (step != MARIA_DONE)
        return give_up(s, step, true);
    step = maria_text(s, "COMMIT", &code);
    return judge(s, step, code, reads_only, true);
}
#endif
