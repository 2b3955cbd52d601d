/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/exchange_slot.h"

static void *create(const assay_adapter_setting *setting)
{
    return slot_create(setting, true, assay_adapter_point);
}

const assay_adapter adapter_slot_exchanger = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "exchanger:slot",
    .object = "exchanger",
    .title = "a lock-free exchanger of one slot, with a bounded wait",
    .methods = exchanger_methods,
    .create = create,
    .destroy = slot_destroy,
    .call = slot_call,
    .point = &assay_adapter_point,
};
