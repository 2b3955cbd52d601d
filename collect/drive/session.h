/* SPDX-License-Identifier: Apache-2.0 */
/* A session: a thread with its connection, which runs transactions one after the other and writes them down. */
#ifndef ASSAY_COLLECT_DRIVE_SESSION_H
#define ASSAY_COLLECT_DRIVE_SESSION_H

#include "collect/cluster/cluster.h"
#include "collect/drive/drive.h"
#include "collect/drive/log.h"
#include "collect/drive/transactions.h"

#include <pthread.h>

/* The history that all sessions take part in. */
struct drive_run {
    const struct drive_settings *settings;
    struct workload_settings workload;
    assay_campaign *campaign;
    const struct cluster_view *cluster; /* for the networks of its nodes */
    struct drive_log log;
    uint64_t seed;
    int64_t zero;          /* when it began, on the monotonic clock in nanoseconds */
    int64_t ends;          /* the same clock; 0: when all operations are done */
    atomic_uint connected; /* sessions that have tried to connect */
    atomic_bool started, stopped;
    const atomic_uint *faults; /* that are there now: a node that does not answer is to be expected */
    atomic_bool *written;      /* by key, from the first: the keys that a session has changed, or tried to */
};

struct drive_session {
    struct drive_run *run;
    unsigned number;
    uint64_t operations;        /* to do */
    atomic_ullong done;         /* others read it */
    assay_session *connections; /* one, or one for each node if it roams */
    unsigned connection_count;
    bool connected;
    struct transactions client;
    struct drive_records records;
    struct latency latency;
    char refusal[ASSAY_DRIVER_MESSAGE]; /* why it could not connect the last time */
    char trouble[ASSAY_DRIVER_MESSAGE]; /* why it gave up, or "" */
    pthread_t thread;
};

int64_t drive_now(void);                               /* nanoseconds on the monotonic clock */
double drive_patience(const struct drive_settings *s); /* seconds in which a server that fails may come back */
/* Connects to the node of c, in its network. False: see its message. */
bool drive_connect(const struct drive_run *r, assay_session *c);
void drive_disconnect(const struct drive_run *r, assay_session *c);
void *drive_session_main(void *session);

#endif
