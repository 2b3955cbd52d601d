/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map with one lock around everything: the right counterpart of map:striped. */
#include "collect/implement/buckets.h"

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    buckets_lock(object, true, 0);
    assay_answer answer = buckets_call(object, false, method, args);
    buckets_unlock(object, true, 0);
    return answer;
}

const assay_adapter adapter_mutex_map = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:mutex",
    .object = "map",
    .title = "a hash map under one lock",
    .methods = map_methods,
    .create = buckets_create,
    .destroy = buckets_destroy,
    .call = call,
    .point = &assay_adapter_point,
};
