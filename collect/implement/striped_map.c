/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map with a lock for each bucket. Calls about one key are atomic. contains-value and size walk from bucket to
 * bucket. So they may miss a value that moves from a bucket that is still to come to one that they have left. Both are
 * weakly consistent, as in java.util.concurrent.ConcurrentHashMap: they see the state of each bucket at the time of
 * their visit. */
#include "collect/implement/buckets.h"

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread;
    return buckets_call(object, true, method, args);
}

const assay_adapter adapter_striped_map = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:striped",
    .object = "map",
    .title = "a hash map with a lock for each bucket",
    .satisfies = "level:complete",
    .visibility = "contains-value=weak,size=weak",
    .methods = map_methods,
    .create = buckets_create,
    .destroy = buckets_destroy,
    .call = call,
    .point = &assay_adapter_point,
};
