/* SPDX-License-Identifier: Apache-2.0 */
/* A program that monitors itself: four threads use a queue, and each says before an operation what it calls, and after it what
 * came back. `./monitor` uses a queue with a lock; `./monitor buggy` one that now and then takes the second value
 * instead of the first. docs/guides/monitoring.md explains it.
 *   cc monitor.c -pthread $(pkg-config --cflags --libs assay) && ./a.out */
#include <assay_monitor.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20000, ROOM = THREADS * ROUNDS };

/* ---- the queue under test ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t values[ROOM + 1];
static size_t first, behind;
static bool buggy;

static void enqueue(int64_t v)
{
    pthread_mutex_lock(&lock);
    values[behind++] = v;
    pthread_mutex_unlock(&lock);
}

static bool dequeue(int64_t *v)
{
    pthread_mutex_lock(&lock);
    bool any = first < behind;
    if (buggy && behind - first > 1 && behind % 1000 == 0) { /* overtakes */
        int64_t next = values[first + 1];
        values[first + 1] = values[first];
        values[first] = next;
    }
    if (any)
        *v = values[first++];
    pthread_mutex_unlock(&lock);
    return any;
}

/* ---- its users, who tell the monitor ---- */

static assay_monitor *monitor;
static assay_value nothing; /* the result of an enq */

static void *use(void *arg)
{
    uint64_t self = (uint64_t)(uintptr_t)arg; /* who calls: 0, 1, 2, 3 */
    for (int64_t i = 0; i < ROUNDS; i++) {
        int64_t v = (int64_t)self * ROUNDS + i; /* every value is enqueued once */
        assay_value argument = assay_int(v);
        assay_monitor_call(monitor, self, "enq", &argument, 1);
        enqueue(v);
        assay_monitor_return(monitor, self, nothing);

        assay_monitor_call(monitor, self, "deq", NULL, 0);
        bool any = dequeue(&v);
        assay_monitor_return(monitor, self, any ? assay_int(v) : assay_word("empty"));
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    assay_error e = {ASSAY_OK};
    buggy = argc > 1 && strcmp(argv[1], "buggy") == 0;
    monitor = assay_monitor_open("queue", NULL, &e);
    if (!monitor) {
        printf("error: %s\n", e.message);
        return 2;
    }
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, use, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assay_monitor_end(monitor, &e); /* nothing more will come */

    assay_verdict verdict = assay_monitor_verdict(monitor);
    const char *reason = assay_monitor_undecided(monitor);
    printf("%s%s%s\n", assay_verdict_name(verdict), reason ? ": " : "", reason ? reason : "");
    assay_monitor_print(monitor, stdout);
    assay_monitor_close(monitor);
    return verdict == ASSAY_VIOLATION;
}
