/* SPDX-License-Identifier: Apache-2.0 */
/* Examinations in the background: a queue, a few threads, and the latest findings.
 *
 * Idea: a request asks for a job and is woken when the job is done. Two requests for the same are one job. Jobs that
 * are done are the cache. Such a job is found again as long as the file has not changed, and the job that was used
 * longest ago goes first. The thread of the server never checks anything.
 *
 * Ownership: the list holds each job, and so does every request that asked for it (`holders`). */
#ifndef ASSAY_CLI_SERVE_WORK_H
#define ASSAY_CLI_SERVE_WORK_H

#include "serve/catalogue.h"
#include "serve/examine.h"

enum {
    WORK_THREADS = 2,
    WORK_QUEUE = 32,        /* jobs that are not done */
    WORK_WAITING = 32,      /* requests for one job */
    WORK_KEPT = 32,         /* jobs that are done */
    WORK_BYTES = 128 << 20, /* of their findings */
};

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE };

struct job {
    struct job *next; /* used before this one */
    enum job_state state;
    unsigned holders; /* requests; a job in the list stays in any case */
    bool listed;
    struct examination what;
    char *path, *model; /* its memory */
    struct stat about;  /* the file when it was asked for */
    struct finding found;
    void *waiting[WORK_WAITING]; /* requests to wake */
    size_t waiters;
};

struct work {
    const struct tree *tree;
    struct catalogue *catalogue;
    struct budget budget;
    void (*wake)(void *handle);
    pthread_mutex_t lock;
    pthread_cond_t ready;
    atomic_bool stop;
    struct job *jobs; /* the one that was used last is first */
    pthread_t threads[WORK_THREADS];
    size_t started;
};

/* False: errno says why. */
bool work_start(struct work *w, const struct tree *tree, struct catalogue *c, const struct budget *b,
                void (*wake)(void *handle));
/* Jobs end soon, and all requests are woken. */
void work_stop(struct work *w);
/* Once no request holds a job. */
void work_free(struct work *w);

/* The job for this, now held by the request. If it is not done, `wait` was called under the lock, and the request will
 * be woken. NULL: there are too many. */
struct job *work_ask(struct work *w, const struct examination *x, const struct stat *about, void *handle,
                     void (*wait)(void *handle));
void work_release(struct work *w, struct job *j);
/* Wakes the requests whose peers have left, as `left` says; their jobs go on, for others who may ask. */
void work_sweep(struct work *w, bool (*left)(void *handle));

#endif
