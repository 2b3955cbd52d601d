/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_wccm = {
    .name = "wccm",
    .title = "weak ccm",
    .summary = "ccm for memories with store buffers",
    .conditions = COND_WCCM,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ccv", NULL},
};
