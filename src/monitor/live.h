/* SPDX-License-Identifier: Apache-2.0 */
/* Events from the threads of a running program, on their way to the checker.
 *
 * Checking an event takes longer now and then (a table grows, a violation is explained), and a program under test
 * should not feel that. So its threads only copy an event into a buffer, under a lock that is held no longer than that.
 * A thread of the monitor's own takes the whole buffer, gives them another one, and checks. Both buffers have a fixed
 * size: when the checker falls behind, the threads wait, and nothing is lost. The order of the events is the order in
 * which the lock was taken. It is a possible real order: a call is put in before the operation begins, a return after
 * it has ended. */
#ifndef ASSAY_MONITOR_LIVE_H
#define ASSAY_MONITOR_LIVE_H

#include "assay_monitor.h"

#include <pthread.h>
#include <stdatomic.h>

enum { LIVE_BUFFER = 1 << 20 };

struct live_value {
    int64_t integer;
    uint32_t kind, length; /* of the text, which lies behind the values */
};

struct live_event {
    uint64_t id;
    uint32_t size; /* of all that belongs to it, a multiple of 8 */
    uint32_t is_return;
    uint32_t method_length, count; /* of values: arguments, or the result */
    /* live_value[count], the method's bytes, the texts' bytes */
};

struct live {
    pthread_mutex_t lock;
    pthread_cond_t arrived, taken, idle;
    pthread_t thread;
    bool running, closing;
    char *filling, *checking; /* of LIVE_BUFFER bytes each */
    size_t filled;
    uint64_t put, done;                                        /* bytes in all */
    atomic_bool off;                                           /* events are no longer wanted */
    void (*take)(void *arg, const char *events, size_t bytes); /* checks a buffer, in the monitor's thread */
    void *arg;
};

void live_init(struct live *l, void (*take)(void *arg, const char *events, size_t bytes), void *arg);
void live_free(struct live *l); /* after the last event; the events that have arrived are checked */

/* False: the monitor must be turned off, `why`. Waits while the buffer is full. */
bool live_put(struct live *l, uint64_t id, const char *method, const assay_value *values, size_t n, const char **why);
/* Waits until all that has arrived by now is checked. */
void live_drain(struct live *l);

#endif
