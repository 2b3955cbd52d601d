/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_psi_strict = {
    .name = "psi-strict",
    .title = "strict parallel snapshot isolation",
    .summary = "psi, and a transaction comes after all that had ended when it began",
    .conditions = COND_PSI,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"psi", "tcc-strict", NULL},
};
