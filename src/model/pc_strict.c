/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_pc_strict = {
    .name = "pc-strict",
    .title = "strict prefix consistency",
    .summary = "pc, and a transaction comes after all that had ended when it began",
    .conditions = COND_PC,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"pc", "tcc-strict", NULL},
};
