/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts with a lock each (banks.h), whose balances are not read at one moment. */
#include "collect/implement/banks.h"

static void *create(const assay_adapter_setting *setting)
{
    return bank_create(setting, BANK_HASTY, assay_adapter_point);
}

const assay_adapter adapter_hasty_bank = {
    .version = ASSAY_ADAPTER_VERSION,
    .name = "bank:hasty",
    .object = "bank",
    .title = "accounts with a lock each",
    .flaw = "the balances are read one after the other, and a transfer slips through",
    .methods = bank_methods,
    .create = create,
    .destroy = bank_destroy,
    .call = bank_call,
    .point = &assay_adapter_point,
    .initial = "[5, 5, 5, 5]",
    .invariant = bank_invariant,
};
