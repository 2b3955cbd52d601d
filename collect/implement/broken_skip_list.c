/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/skip_set.h"

static void *create(const assay_adapter_setting *setting)
{
    return skip_list_create(setting, false, assay_adapter_point);
}

const assay_adapter adapter_broken_skip_list = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "set:broken",
    .object = "set",
    .title = "a lock-free skip list",
    .flaw = "a node is unlinked without a mark, and an add behind it gets lost",
    .methods = set_methods,
    .create = create,
    .destroy = skip_list_destroy,
    .call = skip_set_call,
    .point = &assay_adapter_point,
};
