/* SPDX-License-Identifier: Apache-2.0 */
/* Recording a program of one's own: two threads count, and what they did goes to standard output.
 *
 *   cc -O2 -pthread -o record record.c
 *   ./record | assay check -m lin -
 *   ./record broken | assay check -m lin -
 *
 * It is C11 and C++17 at once, which programs need not be. */
#include <assay_record.h>

#include <pthread.h>
#include <sched.h>
#include <string.h>

enum { THREADS = 2, CALLS = 1000 };

static int64_t counter;
static int broken, ready;
static assay_recorder *recorder;

static int64_t increment(void)
{
    if (!broken)
        return __atomic_add_fetch(&counter, 1, __ATOMIC_SEQ_CST);
    int64_t value = __atomic_load_n(&counter, __ATOMIC_SEQ_CST);
    sched_yield(); /* another thread may read the same value */
    __atomic_store_n(&counter, value + 1, __ATOMIC_SEQ_CST);
    return value + 1;
}

static void *count(void *arg)
{
    assay_tape *tape = assay_record_tape(recorder, *(unsigned *)arg);
    __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < THREADS)
        sched_yield();
    for (int i = 0; i < CALLS; i++) {
        assay_record_call0(tape, "inc");
        int64_t value = increment();
        assay_record_return_int(tape, value);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    unsigned numbers[THREADS];
    broken = argc > 1 && strcmp(argv[1], "broken") == 0;
    recorder = assay_record_open(THREADS, ASSAY_RECORD_COUNTERS, CALLS);
    for (unsigned t = 0; t < THREADS; t++) {
        numbers[t] = t;
        pthread_create(&threads[t], NULL, count, &numbers[t]);
    }
    for (unsigned t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    const char *fault = assay_record_write(recorder, "counter", stdout);
    if (fault)
        fprintf(stderr, "record: %s\n", fault);
    assay_record_close(recorder);
    return fault != NULL;
}
