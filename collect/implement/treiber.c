/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/treiber_stack.h"

static void *create(const assay_adapter_setting *setting)
{
    return treiber_create(setting, true, assay_adapter_point);
}

const assay_adapter adapter_treiber = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "stack:treiber",
    .object = "stack",
    .title = "Treiber's lock-free stack, with tagged pointers",
    .methods = stack_methods,
    .create = create,
    .destroy = treiber_destroy,
    .call = treiber_call,
    .point = &assay_adapter_point,
};
