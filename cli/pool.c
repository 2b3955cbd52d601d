/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "progress.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MOMENT 100000000L /* nanoseconds */
#define PATIENCE 2.0      /* seconds that stopped workers get */

struct job {
    struct record *first, **last;
    bool done;
    uint32_t shrinking; /* operations that are left; 0: nothing is being shrunk */
};

struct pool {
    const struct paths *files;
    struct pool_calls calls;
    pthread_mutex_t lock;
    pthread_cond_t news; /* a record, or a file done, or a worker gone */
    struct job *jobs;
    size_t next, printed; /* files taken by workers, files printed entirely */
    unsigned running;     /* workers */
    struct progress progress;
};

/* ---- records ---- */

struct record *record_new(void)
{
    struct record *r = grow(NULL, sizeof *r);
    *r = (struct record){.outcome = -1};
    return r;
}

void record_judged(struct record *r, const struct task *t, long long index, int outcome)
{
    r->file = t->number;
    r->index = index;
    r->outcome = outcome;
}

FILE *record_stream(struct record *r, enum stream s)
{
    if (!r->open[s])
        r->open[s] = memory_stream(&r->text[s], &r->size[s]);
    return r->open[s];
}

static void record_free(struct record *r)
{
    for (int s = 0; s < STREAMS; s++)
        free(r->text[s]);
    free(r->chosen);
    free(r->history);
    free(r);
}

void record_drop(struct record *r)
{
    for (int s = 0; s < STREAMS; s++)
        if (r->open[s])
            fclose(r->open[s]);
    record_free(r);
}

void task_emit(struct task *t, struct record *r)
{
    for (int s = 0; s < STREAMS; s++)
        if (r->open[s])
            memory_close(r->open[s], &r->text[s]);
    struct pool *p = t->pool;
    struct job *job = &p->jobs[t->number];
    pthread_mutex_lock(&p->lock);
    *job->last = r;
    job->last = &r->next;
    pthread_cond_signal(&p->news);
    pthread_mutex_unlock(&p->lock);
}

void task_shrinking(struct task *t, uint32_t operations)
{
    pthread_mutex_lock(&t->pool->lock);
    t->pool->jobs[t->number].shrinking = operations;
    pthread_mutex_unlock(&t->pool->lock);
}

/* ---- workers ---- */

static bool take(struct pool *p, struct task *t)
{
    pthread_mutex_lock(&p->lock);
    bool some = p->next < p->files->n && !stopping();
    if (some) {
        *t = (struct task){p, p->files->at[p->next], p->files->only[p->next], p->next, paths_named(p->files, p->next)};
        p->next++;
    }
    pthread_mutex_unlock(&p->lock);
    return some;
}

static void *worker(void *arg)
{
    struct pool *p = arg;
    struct task t;
    while (take(p, &t)) {
        p->calls.work(p->calls.context, &t);
        pthread_mutex_lock(&p->lock);
        p->jobs[t.number].done = true;
        pthread_cond_signal(&p->news);
        pthread_mutex_unlock(&p->lock);
    }
    pthread_mutex_lock(&p->lock);
    p->running--;
    pthread_cond_signal(&p->news);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* Signals must reach the main thread, whose waiting they may disturb; workers are left alone. */
static void start(struct pool *p, pthread_t *threads, unsigned workers)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    for (unsigned i = 0; i < workers; i++) {
        if (pthread_create(&threads[i], NULL, worker, p) != 0)
            break; /* fewer workers do the same work */
        p->running++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (workers && !p->running) {
        complain("cannot start a thread");
        fflush(stdout);
        _exit(EXIT_FAULT);
    }
}

/* ---- the main thread ---- */

static void wait_for_news(struct pool *p)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += MOMENT;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_cond_timedwait(&p->news, &p->lock, &until);
}

/* Called with the lock held; printing happens without it. */
static void print_one(struct pool *p, struct job *job)
{
    struct record *r = job->first;
    job->first = r->next;
    if (!job->first)
        job->last = &job->first;
    pthread_mutex_unlock(&p->lock);
    progress_hide(&p->progress);
    if (atomic_load(&stop_flag) != STOP_ENOUGH && !p->calls.print(p->calls.context, r)) {
        int not_yet = STOP_NOT; /* a signal that came first keeps its meaning */
        atomic_compare_exchange_strong(&stop_flag, &not_yet, STOP_ENOUGH);
    }
    record_free(r);
    pthread_mutex_lock(&p->lock);
}

/* Prints the ready records; true when every file is finished. */
static bool print_ready(struct pool *p)
{
    while (p->printed < p->files->n) {
        struct job *job = &p->jobs[p->printed];
        if (job->first)
            print_one(p, job);
        else if (job->done)
            p->printed++;
        else
            return false;
    }
    return true;
}

/* Prints the records of later files, past one that does not finish. */
static void print_rest(struct pool *p)
{
    for (; p->printed < p->files->n; p->printed++)
        while (p->jobs[p->printed].first)
            print_one(p, &p->jobs[p->printed]);
}

static void show_progress(struct pool *p)
{
    enum { ROOM = 512 };
    char text[ROOM];
    uint32_t left = p->jobs[p->printed].shrinking;
    const char *file = spoken(p->files->at[p->printed]);
    if (p->calls.quiet)
        return;
    if (left)
        snprintf(text, sizeof text, "shrinking, %" PRIu32 " operation%s left", left, plural(left));
    progress_show(&p->progress, p->printed, p->files->n, left ? text : file);
}

/* True when all workers have left. */
static bool attend(struct pool *p)
{
    double stopped_at = 0;
    while (p->running) {
        bool all = print_ready(p);
        if (stopping() && !stopped_at)
            stopped_at = progress_now();
        if (stopped_at && progress_now() - stopped_at > PATIENCE) {
            print_rest(p);
            return false;
        }
        if (!all)
            show_progress(p);
        if (p->running)
            wait_for_news(p);
    }
    print_ready(p); /* records emitted just before the last worker left */
    return true;
}

static void pool_free(struct pool *p)
{
    for (size_t i = 0; i < p->files->n; i++)
        for (struct record *r = p->jobs[i].first, *next; r; r = next) {
            next = r->next;
            record_free(r);
        }
    free(p->jobs);
    free(p);
}

bool pool_run(const struct paths *files, unsigned workers, const struct pool_calls *calls)
{
    struct pool *p = grow(NULL, sizeof *p);
    *p = (struct pool){.files = files, .calls = *calls, .jobs = grow(NULL, files->n * sizeof *p->jobs)};
    for (size_t i = 0; i < files->n; i++)
        p->jobs[i] = (struct job){.last = &p->jobs[i].first};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->news, NULL);
    progress_start(&p->progress, "files");
    if (workers > files->n)
        workers = (unsigned)files->n;
    pthread_t *threads = grow(NULL, workers * sizeof *threads);
    pthread_mutex_lock(&p->lock);
    start(p, threads, workers);
    unsigned started = p->running;
    bool finished = attend(p);
    pthread_mutex_unlock(&p->lock);
    progress_hide(&p->progress);
    if (finished) {
        for (unsigned i = 0; i < started; i++)
            pthread_join(threads[i], NULL);
        pool_free(p);
    }
    free(threads);
    return finished;
}
