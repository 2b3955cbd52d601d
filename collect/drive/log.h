/* SPDX-License-Identifier: Apache-2.0 */
/* The raw log of a history: every call before it is sent, every outcome as it is known, every fault.
 *
 * Idea: a session writes the record of a call to the file before it calls the store. If the program is killed, the
 * file still knows each operation that may have happened. An outcome is written with the next call, at the latest.
 * Records are lines that are written whole, in append mode, by all sessions to one file. A line without its end was cut
 * off by a crash. It is a call that was not sent yet, or an outcome, which is unknown then. Both may be left out.
 *
 *     assay-drive-log 1
 *     @driver sqlite                    a header, as in the history
 *     n SESSION TIME NODE               a new connection: the beginning of a thread of the history
 *     c SESSION TIME ACCESS...          a call: r3 w3=17 +3=1 t3>4=10 l3 p3=17 e3 i3=17 q3=17 d3
 *     o SESSION TIME ANSWER...          committed; an answer for each access: 17, - (none), [1,2,3]
 *     a SESSION TIME MESSAGE            aborted
 *     u SESSION TIME MESSAGE            unknown: perhaps it happened
 *     f TIME NAME on|off                a fault
 *     r TIME                            the sessions have ended; from here on: the final reads
 *     m NODE TIME MESSAGE               a final read of this node failed
 *     s TIME agreed|differ              the end of the final reads: all nodes have given the same answers, or not
 *     e TIME                            the end; without it the history was cut short
 *
 * Times are nanoseconds since the history's beginning. recover.c turns a log into a history. */
#ifndef ASSAY_COLLECT_DRIVE_LOG_H
#define ASSAY_COLLECT_DRIVE_LOG_H

#include "assay_driver.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRIVE_LOG_MAGIC "assay-drive-log 1"

/* One letter for each action, in their order. */
#define DRIVE_LOG_LETTERS "rw+tlpeiqd"

struct drive_log {
    int file;
    atomic_int fault; /* errno of the first write that failed; 0: none */
};

/* False, with errno: the file cannot be made. It must not exist. */
bool drive_log_open(struct drive_log *l, const char *path);
bool drive_log_close(struct drive_log *l); /* false, with errno: something could not be written */

/* A text of a server or a driver becomes printable ASCII: other bytes become question marks. */
void drive_printable(char *text);

/* Records that are not written yet. */
struct drive_records {
    struct drive_log *log;
    char *at;
    size_t n, room;
    bool full; /* no memory */
};

void drive_records_free(struct drive_records *r);
bool drive_records_write(struct drive_records *r); /* false: the log has a fault */

void drive_log_text(struct drive_records *r, const char *line); /* a header */
void drive_log_connection(struct drive_records *r, unsigned session, int64_t time, unsigned node);
/* Keys are counted from `first`. */
void drive_log_call(struct drive_records *r, unsigned session, int64_t time, const assay_access *a, size_t n,
                    uint64_t first);
void drive_log_outcome(struct drive_records *r, unsigned session, int64_t time, assay_outcome outcome,
                       const assay_access *a, size_t n, const char *message);
void drive_log_fault(struct drive_records *r, int64_t time, const char *name, bool on);
void drive_log_final(struct drive_records *r, int64_t time);
void drive_log_missed(struct drive_records *r, unsigned node, int64_t time, const char *message);
void drive_log_settled(struct drive_records *r, int64_t time, bool agreed);
void drive_log_end(struct drive_records *r, int64_t time);

#endif
