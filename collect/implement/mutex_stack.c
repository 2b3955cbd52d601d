/* SPDX-License-Identifier: Apache-2.0 */
/* A stack in an array, with one lock around everything. */
#include "assay_adapter.h"

#include <pthread.h>
#include <stdlib.h>

enum { PUSH, POP, PEEK };

static const assay_adapter_method methods[] = {{"push", 2, NULL}, {"pop", 2, NULL}, {"peek", 1, NULL}, {0}};

struct stack {
    pthread_mutex_t lock;
    size_t size; /* a run adds no more than there is room for */
    int64_t values[];
};

static void *create(const assay_adapter_setting *setting)
{
    struct stack *s = calloc(1, sizeof *s + setting->calls * sizeof *s->values);
    if (s)
        pthread_mutex_init(&s->lock, NULL);
    return s;
}

static void destroy(void *object)
{
    pthread_mutex_destroy(&((struct stack *)object)->lock);
    free(object);
}

static assay_answer locked_call(struct stack *s, unsigned method, const int64_t *args)
{
    ASSAY_POINT();
    if (method == PUSH) {
        s->values[s->size++] = args[0];
        return assay_answer_none();
    }
    if (s->size == 0)
        return assay_answer_word("empty");
    int64_t value = s->values[s->size - 1];
    s->size -= method == POP;
    return assay_answer_int(value);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct stack *s = object;
    (void)thread;
    pthread_mutex_lock(&s->lock);
    assay_answer answer = locked_call(s, method, args);
    pthread_mutex_unlock(&s->lock);
    return answer;
}

const assay_adapter adapter_mutex_stack = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "stack:mutex",
    .object = "stack",
    .title = "an array under one lock",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
