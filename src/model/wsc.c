/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_wsc = {
    .name = "wsc",
    .title = "weak sequential consistency",
    .summary = "the store orders that are forced step by step run into no cycle",
    .conditions = COND_WSC,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ccm", "wtso", NULL},
};
