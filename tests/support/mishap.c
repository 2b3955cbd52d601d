/* SPDX-License-Identifier: Apache-2.0 */
/* An adapter for tests: a right queue under a lock, to which a mishap happens when 5 is enqueued. The variable MISHAP
 * of the environment says which one; `fails` and `lies` are about calls that say that they had no effect. Some are about
 * the words that a deq returns, and those named `point-` reach marked points outside of calls, which is no mishap.
 * `twice`: the first value comes twice; in programs of one or two calls a value comes that nobody has put in. */
#include <assay_adapter.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ENQ, DEQ, ROOM = 256, HEAP = 40 };

struct queue {
    pthread_mutex_t lock;
    size_t first, last;
    int64_t values[ROOM];
    char *heap;
    int few, twice; /* few calls; the first value has come twice */
    pthread_t own;  /* a thread of the queue's own, with MISHAP=point-thread */
    int ends;
};

static const assay_adapter_method methods[] = {[ENQ] = {"enq", 1, NULL}, [DEQ] = {"deq", 1, NULL}, {NULL, 0, NULL}};

static int is(const char *name)
{
    const char *mishap = getenv("MISHAP");
    return mishap && strcmp(mishap, name) == 0;
}

static void reach_points(void)
{
    for (int i = 0; i < 100; i++)
        ASSAY_POINT();
}

static void *tend(void *object)
{
    struct queue *q = object;
    do
        reach_points();
    while (!__atomic_load_n(&q->ends, __ATOMIC_RELAXED));
    return NULL;
}

static void *create(const assay_adapter_setting *setting)
{
    struct queue *q = calloc(1, sizeof *q);
    if (!q || !(q->heap = malloc(HEAP)))
        abort();
    q->few = setting->calls < 7; /* for three calls of one thread it is 7 */
    pthread_mutex_init(&q->lock, NULL);
    if (is("point-create"))
        reach_points();
    if (is("point-thread") && pthread_create(&q->own, NULL, tend, q) != 0)
        abort();
    if (is("create"))
        abort();
    return q;
}

static void destroy(void *object)
{
    struct queue *q = object;
    if (is("destroy"))
        abort();
    if (is("point-destroy"))
        reach_points();
    __atomic_store_n(&q->ends, 1, __ATOMIC_RELAXED);
    if (is("point-thread"))
        pthread_join(q->own, NULL);
    pthread_mutex_destroy(&q->lock);
    free(q->heap);
    free(q);
}

static void spin(double seconds)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (seconds < 0 || (double)now.tv_sec + (double)now.tv_nsec * 1e-9 < seconds);
}

/* All memory that this process shares with others. */
static void scribble(void)
{
    char line[512];
    unsigned long from[64], to[64];
    int n = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && n < 64 && fgets(line, sizeof line, maps))
        if (strstr(line, " rw-s ") && sscanf(line, "%lx-%lx", &from[n], &to[n]) == 2)
            n++;
    if (maps)
        fclose(maps);
    while (n-- > 0)
        memset((void *)from[n], 0xa5, to[n] - from[n]);
}

/* A process that stays; its number goes to the file. */
static void leave_a_child(int in_its_own_session)
{
    if (fork() != 0)
        return;
    if (in_its_own_session)
        setsid();
    FILE *to = fopen("child", "a");
    fprintf(to, "%ld\n", (long)getpid());
    fclose(to);
    for (;;)
        pause();
}

/* The files of the harness become another one. */
static void steal_files(void)
{
    int none = open("/dev/null", O_WRONLY);
    for (int i = 3; i < 64; i++)
        dup2(none, i);
}

static void happen(struct queue *q)
{
    static char *volatile nowhere;
    if (is("segv"))
        *nowhere = 1;
    if (is("child") || is("child-abort") || is("children-hang"))
        leave_a_child(0);
    if (is("session") || is("session-abort") || is("children-hang"))
        leave_a_child(1);
    if (is("hang") || is("children-hang"))
        for (;;)
            pause();
    if (is("spin"))
        spin(-1);
    if (is("slow"))
        spin(0.5);
    if (is("heap"))
        for (volatile int i = 0; i < 100 * HEAP; i++)
            q->heap[i] = 'x';
    if (is("exit"))
        exit(0);
    if (is("abort"))
        abort();
    if (is("kill"))
        raise(SIGKILL);
    if (is("kill-group"))
        kill(0, SIGKILL);
    if (is("term-group"))
        kill(0, SIGTERM);
    if (is("kill-parent"))
        kill(getppid(), SIGKILL);
    if (is("stop"))
        raise(SIGSTOP);
    if (is("end-thread"))
        pthread_exit(NULL);
    if (is("scribble") || is("scribble-abort"))
        scribble();
    if (is("scribble-abort"))
        abort();
    if (is("child-abort") || is("session-abort"))
        abort();
    if (is("copy"))
        fork();
    if (is("steal"))
        steal_files();
}

static assay_answer enqueue(struct queue *q, int64_t value)
{
    if (value == 5)
        happen(q);
    if (value % 3 == 0 && is("fails"))
        return assay_answer_failed();
    q->values[q->last++] = value;
    return value % 3 == 0 && is("lies") ? assay_answer_failed() : assay_answer_none();
}

static assay_answer odd_answer(void)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
    static char many[1000][8];
    static int used;
    assay_answer answer = assay_answer_word(letters);
    if (is("kind"))
        answer.kind = 77;
    if (is("longest"))
        answer.word = letters + strlen(letters) - 55;
    if (is("new-words")) {
        char *word = many[used++ % 1000];
        strcpy(word, "empty");
        answer.word = word;
    }
    return answer;
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct queue *q = object;
    assay_answer answer = assay_answer_word("empty");
    (void)thread;
    pthread_mutex_lock(&q->lock);
    if (method == ENQ)
        answer = enqueue(q, args[0]);
    else if (is("twice") && q->few)
        answer = assay_answer_int(77);
    else if (is("twice") && q->first < q->last && !q->twice++)
        answer = assay_answer_int(q->values[q->first]);
    else if (q->first < q->last)
        answer = assay_answer_int(q->values[q->first++]);
    else if (is("long") || is("longest") || is("kind") || is("new-words"))
        answer = odd_answer();
    pthread_mutex_unlock(&q->lock);
    return answer;
}

static const assay_adapter mishap = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:mishap",
    .object = "queue",
    .title = "a queue under a lock, with a mishap",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};

const assay_adapter *const assay_adapters[] = {&mishap, NULL};
