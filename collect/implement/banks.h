/* SPDX-License-Identifier: Apache-2.0 */
/* Accounts with a lock each. A transfer takes the locks of its two accounts, that of the lower number first. */
#ifndef ASSAY_COLLECT_BANKS_H
#define ASSAY_COLLECT_BANKS_H

#include "assay_adapter.h"

extern const assay_adapter_method bank_methods[];

enum bank_care {
    BANK_CAREFUL, /* who reads all balances takes all locks first */
    BANK_HASTY,   /* he takes one after the other, and a transfer may slip through */
    BANK_UNLOCKED /* and transfers take none */
};

void *bank_create(const assay_adapter_setting *setting, enum bank_care care, void (*point)(void));
void bank_destroy(void *object);
const char *bank_invariant(void *object); /* transfers change no sum */
assay_answer bank_call(void *object, unsigned thread, unsigned method, const int64_t *args);

#endif
