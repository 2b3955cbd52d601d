/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ccv = {
    .name = "ccv",
    .title = "causal convergence",
    .summary = "causal consistency, and all threads agree on one order of the writes of each variable",
    .conditions = COND_CAUSAL | COND_CONVERGENT,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"cc", NULL},
};
