/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_pc = {
    .name = "pc",
    .title = "prefix consistency",
    .summary = "a transaction reads from a prefix of one order of all commits",
    .conditions = COND_PC,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"pc-plain", "tcc", NULL},
};
