/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_si_strict = {
    .name = "si-strict",
    .title = "strict snapshot isolation",
    .summary = "si, and a transaction comes after all that had ended when it began",
    .conditions = COND_SI,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"si", "pc-strict", "psi-strict", NULL},
};
