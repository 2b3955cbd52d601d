/* SPDX-License-Identifier: Apache-2.0 */
/* libpq, for the driver `postgres`: connections (postgres_connect.c), transactions and outcomes (postgres_run.c). */
#ifndef ASSAY_COLLECT_DRIVE_POSTGRES_CLIENT_H
#define ASSAY_COLLECT_DRIVE_POSTGRES_CLIENT_H

#include "collect/drive/sql.h"

#ifdef ASSAY_WITH_POSTGRES
#include <libpq-fe.h>

enum pg_reply {
    PG_DONE,
    PG_REFUSED, /* an ERROR of the server: its transaction is aborted */
    PG_LOST     /* no answer: the connection broke, the server ended it, or the time was over */
};

struct pg_link {
    PGconn *conn;      /* NULL: not connected */
    uint32_t prepared; /* statements: a bit each */
    double end;        /* of the time for the calls to come: sql_now */
    char *message;     /* of the session or of the campaign */
};

/* Keeps link->message for warnings and errors. */
bool pg_connect(const assay_campaign *c, unsigned node, struct pg_link *link, char *message);
void pg_disconnect(struct pg_link *link);

/* Statements separated by semicolons; `rows`, if it is asked for, is that of the last one: PQclear. */
enum pg_reply pg_do(struct pg_link *link, const char *text, PGresult **rows);
/* The first column of the first row, or "". */
enum pg_reply pg_ask(struct pg_link *link, const char *text, char *answer, size_t room);

enum pg_reply pg_prepare(struct pg_link *link, const char *name, const char *text);
/* Up to two integers. */
enum pg_reply pg_execute(struct pg_link *link, const char *name, const int64_t *args, int n, PGresult **rows);

bool pg_open(assay_campaign *c, assay_session *s);
void pg_close(assay_campaign *c, assay_session *s);
assay_outcome pg_run(assay_campaign *c, assay_session *s, assay_access *accesses, size_t n);

#endif
#endif
