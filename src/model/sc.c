/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_sc = {
    .name = "sc",
    .title = "sequential consistency",
    .summary = "one order of all operations explains every read",
    .conditions = COND_SC,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"wsc", "tso", NULL},
};
