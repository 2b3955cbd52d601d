/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_psi = {
    .name = "psi",
    .title = "parallel snapshot isolation",
    .summary = "causal, and of two transactions that write one variable one sees the other",
    .conditions = COND_PSI,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"psi-plain", "tcc", NULL},
};
