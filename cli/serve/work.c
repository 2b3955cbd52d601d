/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/work.h"

#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- jobs ---- */

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_job(const struct job *j, const struct examination *x, const struct stat *about)
{
    return j->what.grade == x->grade && j->what.index == x->index && strcmp(j->path, x->path) == 0 &&
           same_text(j->model, x->model) && same_state(&j->about, about);
}

static struct job *job_new(const struct examination *x, const struct stat *about)
{
    struct job *j = grow(NULL, sizeof *j);
    *j = (struct job){.listed = true,
                      .what = *x,
                      .path = copy_text(x->path),
                      .model = x->model ? copy_text(x->model) : NULL,
                      .about = *about};
    j->what.path = j->path;
    j->what.model = j->model;
    return j;
}

static void job_free(struct job *j)
{
    free(j->found.text);
    free(j->model);
    free(j->path);
    free(j);
}

/* ---- the list, under the lock ---- */

static void unlink_job(struct work *w, struct job *j)
{
    struct job **at = &w->jobs;
    while (*at != j)
        at = &(*at)->next;
    *at = j->next;
}

static void push_job(struct work *w, struct job *j)
{
    j->next = w->jobs;
    w->jobs = j;
}

static void drop_job(struct work *w, struct job *j)
{
    unlink_job(w, j);
    j->listed = false;
    if (!j->holders)
        job_free(j);
}

/* The findings that were used longest ago go. A failure for want of time or memory is not kept at all. */
static void forget_old(struct work *w)
{
    size_t bytes = 0, n = 0;
    for (struct job *j = w->jobs, *next; j; j = next) {
        next = j->next;
        if (j->state != JOB_DONE)
            continue;
        if (j->found.status == 503 || n == WORK_KEPT || bytes + j->found.n > WORK_BYTES) {
            drop_job(w, j);
        } else {
            bytes += j->found.n;
            n++;
        }
    }
}

static size_t unfinished(const struct work *w)
{
    size_t n = 0;
    for (const struct job *j = w->jobs; j; j = j->next)
        n += j->state != JOB_DONE;
    return n;
}

/* The one that waits longest. */
static struct job *next_job(const struct work *w)
{
    struct job *found = NULL;
    for (struct job *j = w->jobs; j; j = j->next)
        if (j->state == JOB_WAITING)
            found = j;
    return found;
}

static void wake_waiting(struct work *w, struct job *j)
{
    for (size_t i = 0; i < j->waiters; i++)
        w->wake(j->waiting[i]);
    j->waiters = 0;
}

/* ---- requests ---- */

struct job *work_ask(struct work *w, const struct examination *x, const struct stat *about, void *handle,
                     void (*wait)(void *handle))
{
    pthread_mutex_lock(&w->lock);
    struct job *j = w->jobs;
    while (j && !same_job(j, x, about))
        j = j->next;
    if (j) {
        unlink_job(w, j);
        push_job(w, j);
    } else if (!atomic_load(&w->stop) && unfinished(w) < WORK_QUEUE) {
        push_job(w, j = job_new(x, about));
        pthread_cond_signal(&w->ready);
    }
    if (j && j->state != JOB_DONE) {
        if (j->waiters < WORK_WAITING) {
            j->waiting[j->waiters++] = handle;
            wait(handle);
        } else {
            j = NULL;
        }
    }
    if (j)
        j->holders++;
    pthread_mutex_unlock(&w->lock);
    return j;
}

void work_release(struct work *w, struct job *j)
{
    pthread_mutex_lock(&w->lock);
    if (--j->holders == 0 && !j->listed)
        job_free(j);
    pthread_mutex_unlock(&w->lock);
}

void work_sweep(struct work *w, bool (*left)(void *handle))
{
    pthread_mutex_lock(&w->lock);
    for (struct job *j = w->jobs; j; j = j->next) {
        size_t kept = 0;
        for (size_t i = 0; i < j->waiters; i++) {
            if (left(j->waiting[i]))
                w->wake(j->waiting[i]);
            else
                j->waiting[kept++] = j->waiting[i];
        }
        j->waiters = kept;
    }
    pthread_mutex_unlock(&w->lock);
}

/* ---- threads ---- */

static void finish_job(struct work *w, struct job *j, const struct finding *found)
{
    j->found = *found;
    j->state = JOB_DONE;
    wake_waiting(w, j);
    forget_old(w);
}

static void *run(void *arg)
{
    struct work *w = arg;
    struct finding found;
    pthread_mutex_lock(&w->lock);
    while (!atomic_load(&w->stop)) {
        struct job *j = next_job(w);
        if (!j) {
            pthread_cond_wait(&w->ready, &w->lock);
            continue;
        }
        j->state = JOB_RUNNING;
        pthread_mutex_unlock(&w->lock);
        examine(w->tree, &j->what, &w->budget, &found);
        if (j->what.grade && found.status == 200)
            catalogue_grade(w->catalogue, j->path, &found.about, j->what.index, found.text);
        pthread_mutex_lock(&w->lock);
        finish_job(w, j, &found);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

bool work_start(struct work *w, const struct tree *tree, struct catalogue *c, const struct budget *b,
                void (*wake)(void *handle))
{
    *w = (struct work){.tree = tree, .catalogue = c, .budget = *b, .wake = wake};
    w->budget.stop = &w->stop;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ready, NULL);
    while (w->started < WORK_THREADS) {
        errno = pthread_create(&w->threads[w->started], NULL, run, w);
        if (errno)
            break;
        w->started++;
    }
    return w->started > 0;
}

void work_stop(struct work *w)
{
    pthread_mutex_lock(&w->lock);
    atomic_store(&w->stop, true);
    pthread_cond_broadcast(&w->ready);
    pthread_mutex_unlock(&w->lock);
    for (size_t i = 0; i < w->started; i++)
        pthread_join(w->threads[i], NULL);
    pthread_mutex_lock(&w->lock);
    for (struct job *j = w->jobs; j; j = j->next)
        wake_waiting(w, j);
    pthread_mutex_unlock(&w->lock);
}

void work_free(struct work *w)
{
    while (w->jobs) {
        struct job *j = w->jobs;
        w->jobs = j->next;
        job_free(j);
    }
    pthread_cond_destroy(&w->ready);
    pthread_mutex_destroy(&w->lock);
}
