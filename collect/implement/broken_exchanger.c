/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/exchange_slot.h"

static void *create(const assay_adapter_setting *setting)
{
    return slot_create(setting, false, assay_adapter_point);
}

const assay_adapter adapter_broken_exchanger = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "exchanger:broken",
    .object = "exchanger",
    .title = "an exchanger of one slot",
    .flaw = "it looks whether an offer waits, and answers it a moment later",
    .methods = exchanger_methods,
    .create = create,
    .destroy = slot_destroy,
    .call = slot_call,
    .point = &assay_adapter_point,
};
