/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_tcc_strict = {
    .name = "tcc-strict",
    .title = "strict transactional causal consistency",
    .summary = "tcc, and a transaction comes after all that had ended when it began",
    .conditions = COND_TCC,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"tcc", "ra-strict", NULL},
};
