/* SPDX-License-Identifier: Apache-2.0 */
/* The accounts of a bank, as they are declared: `@init [10, 10, 10]`, or bank(3,10). */
#ifndef ASSAY_SPEC_ACCOUNTS_H
#define ASSAY_SPEC_ACCOUNTS_H

#include "assay_spec.h"

struct bank_setting {
    uint32_t accounts;
    int64_t each; /* the balance of each of them at first, where no list says so */
    int64_t sum;  /* of all balances, in every state */
};

/* False: the declaration has a fault. */
bool bank_declared(const assay_setting *s, struct bank_setting *out);

#endif
