/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/skip_set.h"

static void *create(const assay_adapter_setting *setting)
{
    return skip_list_create(setting, true, assay_adapter_point);
}

const assay_adapter adapter_skip_list_set = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "set:skip-list",
    .object = "set",
    .title = "a lock-free skip list, as ConcurrentSkipListSet",
    .methods = set_methods,
    .create = create,
    .destroy = skip_list_destroy,
    .call = skip_set_call,
    .point = &assay_adapter_point,
};
