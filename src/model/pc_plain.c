/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_pc_plain = {
    .name = "pc-plain",
    .title = "prefix consistency without sessions",
    .summary = "pc, but the order of a session does not count",
    .conditions = COND_PC,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"tcc-plain", NULL},
};
