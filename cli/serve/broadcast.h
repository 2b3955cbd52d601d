/* SPDX-License-Identifier: Apache-2.0 */
/* The latest events, for all who listen: server-sent events, ready to be sent.
 *
 * Invariant: events are numbered one after the other, and the last BROADCAST_EVENTS of them are kept, or fewer if
 * they are large. A listener remembers the number of the event that it sends next. A slow listener may find its event
 * gone. Its stream then ends, and the page, which connects again, asks for everything anew. So no thread waits for a
 * listener, and memory is bounded. A listener that waits cannot notice that its peer has left. So someone asks for it,
 * and its place is free at once. */
#ifndef ASSAY_CLI_SERVE_BROADCAST_H
#define ASSAY_CLI_SERVE_BROADCAST_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { BROADCAST_EVENTS = 2048, BROADCAST_BYTES = 4 << 20, BROADCAST_LISTENERS = 16 };

struct listener {
    uint64_t next;   /* event */
    size_t sent;     /* bytes of it */
    size_t greeting; /* bytes of the greeting that are left to send */
    bool waiting;    /* until it is woken */
    bool left;       /* its peer has; it has no place any more */
    void *handle;    /* of the request */
};

struct broadcast {
    pthread_mutex_t lock;
    void (*wake)(void *handle); /* a listener may go on; it is called once for each time that it waits */
    bool (*left)(void *handle); /* has the peer of a request that waits closed the connection? */
    struct {
        char *text;
        size_t n;
    } events[BROADCAST_EVENTS]; /* number i is at i % BROADCAST_EVENTS */
    uint64_t first, end;        /* the numbers of the events that are kept */
    size_t bytes;
    struct listener *listeners[BROADCAST_LISTENERS];
    bool closed;
};

void broadcast_init(struct broadcast *f, void (*wake)(void *handle), bool (*left)(void *handle));
void broadcast_free(struct broadcast *f);

/* `data` is one line. */
void broadcast_post(struct broadcast *f, const char *event, const char *data);
/* A comment, which shows that the connection is alive. */
void broadcast_beat(struct broadcast *f);
/* From now on streams end. */
void broadcast_close(struct broadcast *f);

/* A listener, from the next event on, behind a greeting; NULL: there are too many. */
struct listener *broadcast_join(struct broadcast *f, void *handle);
/* Ends the streams whose peers have left. */
void broadcast_sweep(struct broadcast *f);
void broadcast_leave(struct broadcast *f, struct listener *l);

/* The next bytes for it. 0: there are none yet; `wait` was called, under the lock, and it will be woken. -1: the
 * end. */
ssize_t broadcast_read(struct broadcast *f, struct listener *l, char *out, size_t room, void (*wait)(void *handle));

#endif
