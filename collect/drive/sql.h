/* SPDX-License-Identifier: Apache-2.0 */
/* Tables and words that the drivers of SQL servers share.
 *
 * There are four tables: registers (k, v); lists (k, v), with their elements joined by commas; sets, as pairs (k, e);
 * queues, as rows (n, k, e) in the order of n. The server counts n up. */
#ifndef ASSAY_COLLECT_DRIVE_SQL_H
#define ASSAY_COLLECT_DRIVE_SQL_H

#include "collect/drive/driver.h"

#define SQL_ACTIONS                                                                                                    \
    (ASSAY_CAN(READ) | ASSAY_CAN(WRITE) | ASSAY_CAN(ADD) | ASSAY_CAN(TRANSFER) | ASSAY_CAN(LIST) | ASSAY_CAN(APPEND) | \
     ASSAY_CAN(ELEMENTS) | ASSAY_CAN(INSERT) | ASSAY_CAN(ENQUEUE) | ASSAY_CAN(DEQUEUE))

enum sql_table { SQL_REGISTERS, SQL_LISTS, SQL_ELEMENTS, SQL_QUEUE, SQL_TABLES };

extern const char *const sql_table_names[SQL_TABLES];

bool sql_uses(const assay_keys *keys, enum sql_table table);
/* A row for each key is made by `prepare`; else the rows are the elements. */
bool sql_has_rows(enum sql_table table);

/* DELETE FROM ... of the rows of keys. */
void sql_delete(const assay_keys *keys, enum sql_table table, char *text, size_t room);
/* SELECT COUNT(*) of the rows of keys that are as `prepare` makes them; there should be sql_expected. Other rows, which
 * an earlier campaign has left, do not count in tables of registers and lists. */
void sql_count(const assay_keys *keys, enum sql_table table, char *text, size_t room);
uint64_t sql_expected(const assay_keys *keys, enum sql_table table);

bool sql_reads_only(const assay_access *accesses, size_t n);

/* "repeatable-read" as SQL says it: "repeatable read". */
void sql_isolation(const char *isolation, char *words, size_t room);

/* The elements of a list: "3,1,2". False: no memory. */
bool sql_elements(assay_access *a, const char *text);

/* A message of ASSAY_DRIVER_MESSAGE bytes; lines and their indents become words of one line. */
void sql_say(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

double sql_now(void); /* seconds of the monotonic clock */
void sql_sleep(double seconds);

#endif
