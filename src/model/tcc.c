/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_tcc = {
    .name = "tcc",
    .title = "transactional causal consistency",
    .summary = "a transaction sees whole transactions, with all that these depend on",
    .conditions = COND_TCC,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"tcc-plain", "ra", NULL},
};
