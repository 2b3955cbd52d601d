/* SPDX-License-Identifier: Apache-2.0 */
/* Adapters for tests, of structures whose calls wait. The variable WAITING of the environment makes the queue wrong:
 * `sleeper`: a deq that has to wait once never wakes up, or sleeps although there is a value; `silent`: an enq wakes
 * nobody; `spurious`: a deq answers `empty`, as after a spurious wake-up; `newest`: a deq
 * takes the newest value; `spin`: right, without sleep. */
#include <assay_adapter.h>

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ENQ, DEQ, ROOM = 256 };

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t come;
    size_t first, last;
    int64_t values[ROOM];
};

static int is(const char *name)
{
    const char *waiting = getenv("WAITING");
    return waiting && strcmp(waiting, name) == 0;
}

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    (void)setting;
    if (!q)
        return NULL;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->come, NULL);
    return q;
}

static void destroy(void *object)
{
    struct queue *q = object;
    pthread_cond_destroy(&q->come);
    pthread_mutex_destroy(&q->lock);
    free(q);
}

static void wait_for_more(struct queue *q)
{
    if (!is("spin")) {
        pthread_cond_wait(&q->come, &q->lock);
        return;
    }
    pthread_mutex_unlock(&q->lock);
    pthread_mutex_lock(&q->lock);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    assay_answer answer = assay_answer_none();
    (void)thread;
    pthread_mutex_lock(&q->lock);
    if (method == ENQ) {
        q->values[q->last++] = args[0];
        if (!is("silent"))
            pthread_cond_signal(&q->come);
    } else if (q->first == q->last && is("spurious")) {
        answer = assay_answer_word("empty");
    } else {
        while (q->first == q->last || is("sleeper"))
            wait_for_more(q);
        answer = assay_answer_int(is("newest") ? q->values[--q->last] : q->values[q->first++]);
    }
    pthread_mutex_unlock(&q->lock);
    return answer;
}

static void *create_semaphore(const assay_adapter_setting *setting)
{
    sem_t *s = malloc(sizeof *s);
    (void)setting;
    if (s)
        sem_init(s, 0, 2);
    return s;
}

static void destroy_semaphore(void *object)
{
    sem_destroy(object);
    free(object);
}

static assay_answer call_semaphore(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    (void)method;
    (void)args;
    while (sem_wait(object) != 0)
        continue;
    return assay_answer_none();
}

static const assay_adapter_method queue_methods[] = {
    [ENQ] = {"enq", 1, NULL}, [DEQ] = {"deq", 1, NULL}, {NULL, 0, NULL}};
static const assay_adapter_method semaphore_methods[] = {{"acquire", 1, NULL}, {NULL, 0, NULL}};

#define QUEUE(name_)                                                                                                   \
    .version = ASSAY_ADAPTER_VERSION, .name = name_, .object = "queue", .title = "a list and a condition variable",    \
    .methods = queue_methods, .create = create, .destroy = destroy, .call = call

#ifndef VERSION_1
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int came; /* two: the second one has left its value */
    int64_t first, second;
};

static void *create_meeting(const assay_adapter_setting *setting)
{
    struct meeting *m = calloc(1, sizeof *m);
    (void)setting;
    if (!m)
        return NULL;
    pthread_mutex_init(&m->lock, NULL);
    pthread_cond_init(&m->change, NULL);
    return m;
}

static void destroy_meeting(void *object)
{
    struct meeting *m = object;
    pthread_cond_destroy(&m->change);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

static int64_t exchange(struct meeting *m, int64_t value)
{
    if (m->came == 1) {
        m->came = 2;
        m->second = value;
        if (!is("silent"))
            pthread_cond_broadcast(&m->change);
        return m->first;
    }
    m->came = 1;
    m->first = value;
    while (m->came != 2)
        pthread_cond_wait(&m->change, &m->lock);
    m->came = 0;
    pthread_cond_broadcast(&m->change);
    return m->second;
}

/* With WAITING=sleeper nobody finds a partner. */
static assay_answer call_meeting(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct meeting *m = object;
    (void)thread;
    (void)method;
    pthread_mutex_lock(&m->lock);
    while (m->came == 2 || is("sleeper"))
        pthread_cond_wait(&m->change, &m->lock);
    assay_answer answer = assay_answer_int(exchange(m, args[0]));
    pthread_mutex_unlock(&m->lock);
    return answer;
}

static const assay_adapter_method meeting_methods[] = {{"exchange", 1, NULL}, {NULL, 0, NULL}};
#endif

static const assay_adapter unlisted = {QUEUE("queue:unlisted")};
#ifndef VERSION_1
static const assay_adapter waiting = {QUEUE("queue:waits"), .waits = "deq=empty"};
static const assay_adapter semaphore = {.version = ASSAY_ADAPTER_VERSION,
                                        .name = "semaphore:waits",
                                        .object = "semaphore(2)",
                                        .title = "a semaphore that nobody releases",
                                        .methods = semaphore_methods,
                                        .create = create_semaphore,
                                        .destroy = destroy_semaphore,
                                        .call = call_semaphore};
static const assay_adapter exchanger = {.version = ASSAY_ADAPTER_VERSION,
                                        .name = "exchanger:waits",
                                        .object = "exchanger",
                                        .title = "two threads meet and swap their values",
                                        .methods = meeting_methods,
                                        .create = create_meeting,
                                        .destroy = destroy_meeting,
                                        .call = call_meeting,
                                        .waits = "exchange=null"};
const assay_adapter *const assay_adapters[] = {&unlisted, &waiting, &semaphore, &exchanger, NULL};
#else
const assay_adapter *const assay_adapters[] = {&unlisted, NULL};
void *const unused[] = {(void *)create_semaphore, (void *)destroy_semaphore, (void *)call_semaphore,
                        (void *)semaphore_methods};
#endif
