/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ccm = {
    .name = "ccm",
    .title = "causal convergence and memory",
    .summary = "one partial store order, from what all threads observe, fits everything that was read",
    .conditions = COND_CCM,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ccv", "cm", "wccm", NULL},
};
