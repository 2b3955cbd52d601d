/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/mutex_array.h"

static const assay_adapter_method methods[] = {
    [ARRAY_ADD] = {"enq", 2, NULL}, [ARRAY_REMOVE] = {"deq", 2, NULL}, [ARRAY_PEEK] = {"peek", 1, NULL}, {0}};

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    return mutex_array_call(object, true, method, args);
}

const assay_adapter adapter_mutex_queue = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "queue:mutex",
    .object = "queue",
    .title = "an array under one lock",
    .methods = methods,
    .create = mutex_array_create,
    .destroy = mutex_array_destroy,
    .call = call,
    .point = &assay_adapter_point,
};
