/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/treiber_stack.h"

static void *create(const assay_adapter_setting *setting)
{
    return treiber_create(setting, false, assay_adapter_point);
}

const assay_adapter adapter_treiber_aba = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "stack:treiber-aba",
    .object = "stack",
    .title = "Treiber's stack as in Figure 1 of PLDI 2015",
    .flaw = "ABA: a node popped and pushed again is taken for the old one",
    .methods = stack_methods,
    .create = create,
    .destroy = treiber_destroy,
    .call = treiber_call,
    .point = &assay_adapter_point,
};
