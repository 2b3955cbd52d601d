/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_psi_plain = {
    .name = "psi-plain",
    .title = "parallel snapshot isolation without sessions",
    .summary = "psi, but the order of a session does not count",
    .conditions = COND_PSI,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"tcc-plain", NULL},
};
