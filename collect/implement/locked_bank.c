/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts with a lock each (banks.h). */
#include "collect/implement/banks.h"

static void *create(const assay_adapter_setting *setting)
{
    return bank_create(setting, BANK_CAREFUL, assay_adapter_point);
}

const assay_adapter adapter_locked_bank = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "bank:locks",
    .object = "bank",
    .title = "accounts with a lock each",
    .methods = bank_methods,
    .create = create,
    .destroy = bank_destroy,
    .call = bank_call,
    .point = &assay_adapter_point,
    .initial = "[5, 5, 5, 5]",
    .invariant = bank_invariant,
};
