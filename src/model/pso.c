/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_pso = {
    .name = "pso",
    .title = "partial store order",
    .summary = "as tso, with a store buffer per thread and variable",
    .conditions = COND_PSO,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
};
