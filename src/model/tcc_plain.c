/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_tcc_plain = {
    .name = "tcc-plain",
    .title = "transactional causal consistency without sessions",
    .summary = "tcc, but the order of a session does not count",
    .conditions = COND_TCC,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ra-plain", NULL},
};
