/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/blocking_buffer.h"

#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 2 };

struct buffer {
    pthread_mutex_t lock;
    pthread_cond_t values_come, room_comes;
    bool careful;
    size_t first, n;
    int64_t values[ROOM];
};

void *blocking_buffer_create(bool careful)
{
    struct buffer *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->careful = careful;
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->values_come, NULL);
    pthread_cond_init(&b->room_comes, NULL);
    return b;
}

void blocking_buffer_destroy(void *object)
{
    struct buffer *b = object;
    pthread_cond_destroy(&b->values_come);
    pthread_cond_destroy(&b->room_comes);
    pthread_mutex_destroy(&b->lock);
    free(b);
}

static assay_answer put(struct buffer *b, int64_t value)
{
    while (b->n == ROOM)
        pthread_cond_wait(&b->room_comes, &b->lock);
    b->values[(b->first + b->n++) % ROOM] = value;
    if (b->careful || b->n == 1)
        pthread_cond_signal(&b->values_come);
    return assay_answer_word("ok");
}

static assay_answer take(struct buffer *b)
{
    while (!b->n)
        pthread_cond_wait(&b->values_come, &b->lock);
    int64_t value = b->values[b->first];
    b->first = (b->first + 1) % ROOM;
    b->n--;
    if (b->careful || b->n == ROOM - 1)
        pthread_cond_signal(&b->room_comes);
    return assay_answer_int(value);
}

assay_answer blocking_buffer_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct buffer *b = object;
    (void)thread;
    ASSAY_POINT();
    pthread_mutex_lock(&b->lock);
    assay_answer answer = method == ENQ ? put(b, args[0]) : take(b);
    pthread_mutex_unlock(&b->lock);
    return answer;
}
