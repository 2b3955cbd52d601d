/* SPDX-License-Identifier: Apache-2.0 */
/* The object that Emmi and Enea evaluate (CAV 2018, section 5): a map like Java's ConcurrentSkipListMap. */
#include "collect/implement/shared.h"
#include "collect/implement/skip_list.h"

static void *create(const assay_adapter_setting *setting)
{
    return skip_list_create(setting, true, assay_adapter_point);
}

static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    int64_t old;
    bool found;
    switch (method) {
    case MAP_PUT: found = skip_list_put(object, thread, args[0], args[1], &old); break;
    case MAP_GET: found = skip_list_get(object, args[0], &old); break;
    case MAP_REMOVE: found = skip_list_remove(object, args[0], &old); break;
    case MAP_CONTAINS_KEY: return assay_answer_bool(skip_list_get(object, args[0], &old));
    case MAP_CONTAINS_VALUE: return assay_answer_bool(skip_list_contains_value(object, args[0]));
    default: return assay_answer_int(skip_list_size(object));
    }
    return found ? assay_answer_int(old) : assay_answer_word("null");
}

const assay_adapter adapter_skip_list_map = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "map:skip-list",
    .object = "map",
    .title = "a lock-free skip list, as ConcurrentSkipListMap",
    .satisfies = "level:complete",
    .visibility = "contains-value=weak,size=weak",
    .methods = map_methods,
    .create = create,
    .destroy = skip_list_destroy,
    .call = call,
    .point = &assay_adapter_point,
};
