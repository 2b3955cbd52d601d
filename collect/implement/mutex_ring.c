/* SPDX-License-Identifier: Apache-2.0 */
/* A queue with room for 3 values: a ring under one lock. An enq that finds no room says so. */
#include "collect/implement/shared.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROOM = 3 };

static const assay_adapter_method methods[] = {[ENQ] = {"enq", 3, NULL}, [DEQ] = {"deq", 2, NULL}, {0}};

struct ring {
    pthread_mutex_t lock;
    size_t first, n; /* where the front is, and how many values there are */
    int64_t values[ROOM];
};

static void *create(const assay_adapter_setting *setting)
{
    struct ring *r = calloc(1, sizeof *r);
    (void)setting;
    if (r)
        pthread_mutex_init(&r->lock, NULL);
    return r;
}

static void destroy(void *object)
{
    pthread_mutex_destroy(&((struct ring *)object)->lock);
    free(object);
}

static bool push(struct ring *r, int64_t value)
{
    if (r->n == ROOM)
        return false;
    ASSAY_POINT();
    r->values[(r->first + r->n++) % ROOM] = value;
    return true;
}

static assay_answer pop(struct ring *r)
{
    if (!r->n)
        return assay_answer_word("empty");
    int64_t value = r->values[r->first];
    ASSAY_POINT();
    r->first = (r->first + 1) % ROOM;
    r->n--;
    return assay_answer_int(value);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    struct ring *r = object;
    (void)thread;
    pthread_mutex_lock(&r->lock);
    assay_answer answer = method == DEQ ? pop(r) : assay_answer_word(push(r, args[0]) ? "ok" : "full");
    pthread_mutex_unlock(&r->lock);
    return answer;
}

const assay_adapter adapter_mutex_ring = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:ring",
    .object = "queue(3)",
    .title = "a ring of 3 places under one lock",
    .methods = methods,
    .create = create,
    .destroy = destroy,
    .call = call,
    .point = &assay_adapter_point,
};
