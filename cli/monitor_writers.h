/* SPDX-License-Identifier: Apache-2.0 */
/* A socket that several writers send events to.
 *
 * It takes datagrams: each is one or more whole lines. All writers share its one queue. So events arrive in the order
 * in which they were sent, over all writers, and lines are never mixed. Connections would each have a queue of their
 * own. Then a return could be read before a call of another writer that was sent earlier, and would seem to precede
 * it. A writer waits while the queue is full: no event is lost. */
#ifndef ASSAY_CLI_MONITOR_WRITERS_H
#define ASSAY_CLI_MONITOR_WRITERS_H

#include "assay.h"

#include <stdbool.h>
#include <stddef.h>

struct monitor_writers {
    const char *path;
    int fd;
};

/* Makes the socket. mode: octal digits, or NULL: 0600; group: its name, or NULL. False with an error. */
bool monitor_writers_open(struct monitor_writers *w, const char *path, const char *mode, const char *group,
                          assay_error *e);
/* Whole lines that have arrived, without waiting; room for at least MONITOR_DATAGRAM. 0: there are none. */
enum { MONITOR_DATAGRAM = 65536 };
size_t monitor_writers_read(struct monitor_writers *w, char *to, size_t room);
void monitor_writers_close(struct monitor_writers *w); /* deletes the socket */

#endif
