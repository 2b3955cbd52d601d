/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts (banks.h) whose transfers take no lock. */
#include "collect/implement/banks.h"

static void *create(const assay_adapter_setting *setting)
{
    return bank_create(setting, BANK_UNLOCKED, assay_adapter_point);
}

const assay_adapter adapter_unlocked_bank = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "bank:unlocked",
    .object = "bank",
    .title = "accounts without locks",
    .flaw = "two transfers that read the same balance lose an amount",
    .methods = bank_methods,
    .create = create,
    .destroy = bank_destroy,
    .call = bank_call,
    .point = &assay_adapter_point,
    .initial = "[5, 5, 5, 5]",
    .invariant = bank_invariant,
};
