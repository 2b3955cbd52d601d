/* SPDX-License-Identifier: Apache-2.0 */
/* MariaDB Connector/C, for the drivers `mariadb` and `galera`: connections (mariadb_connect.c), tables and their rows
 * (mariadb_tables.c), accesses (mariadb_access.c), transactions and their outcomes (mariadb_run.c). */
#ifndef ASSAY_COLLECT_DRIVE_MARIADB_CLIENT_H
#define ASSAY_COLLECT_DRIVE_MARIADB_CLIENT_H

#include "collect/drive/sql.h"

#define MARIA_ISOLATIONS "read-uncommitted read-committed repeatable-read serializable"

#ifdef ASSAY_WITH_MARIADB
#include <mysql.h>

struct maria {
    char settings[512]; /* SET ..., for each session */
    MYSQL **locks;      /* galera: for each node the connection that holds its read lock, or NULL */
};

enum maria_step {
    MARIA_DONE,
    MARIA_NO_ROW, /* a write found nothing to change */
    MARIA_NO_MEMORY,
    MARIA_REFUSED, /* an error of the server: see code */
    MARIA_LOST     /* no answer: the connection broke, or the time was over */
};

/* Settings of both drivers. */
#define MARIA_SNAPSHOT_ISOLATION                                                                                       \
    {                                                                                                                  \
        "innodb_snapshot_isolation", "default", "on|off|default",                                                      \
            "a write of a row that was changed since the snapshot is refused"                                          \
    }

/* ---- connections ---- */

/* With the settings of sessions, if they are known already. NULL: see message. */
MYSQL *maria_connect(const assay_campaign *c, unsigned node, char *message);
/* A statement; the caller takes the rows of its answer, if it has some. False: mysql_errno and mysql_error say why. */
bool maria_do(MYSQL *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The first column of the first row, or "". */
bool maria_ask(MYSQL *m, const char *text, char *answer, size_t room);

/* ---- statements of sessions, whose state is their connection ---- */

/* The session's message says why a step is not done. */
enum maria_step maria_access(assay_session *s, assay_access *a, unsigned *code);
/* BEGIN, COMMIT. */
enum maria_step maria_text(assay_session *s, const char *text, unsigned *code);

bool maria_open(assay_campaign *c, assay_session *s);
void maria_close(assay_campaign *c, assay_session *s);

/* ---- the store ---- */

/* `more` is added to the SET of sessions: ", a = 1"; or "". False: see the campaign's message. */
bool maria_attach(assay_campaign *c, const char *more);
void maria_detach(assay_campaign *c);

/* Makes the rows of keys at a node; the others get them from it. False: see message. */
bool maria_fill(const assay_campaign *c, unsigned node, const assay_keys *keys, char *message);
/* Returns when the other nodes see the rows, or when the time is over. Nodes that cannot be reached are passed over. */
void maria_await(const assay_campaign *c, unsigned node, const assay_keys *keys);
void maria_forget(assay_campaign *c, const assay_keys *keys);

assay_outcome maria_run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n);

#endif
#endif
