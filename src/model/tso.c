/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_tso = {
    .name = "tso",
    .title = "total store order",
    .summary = "one memory order explains every read when each thread has a store buffer",
    .conditions = COND_TSO,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"wtso", "ccv", "pso", NULL},
};
