/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_cm = {
    .name = "cm",
    .title = "causal memory",
    .summary = "causal consistency, and each thread sees all it knows of in one order that never changes",
    .conditions = COND_CAUSAL | COND_PER_THREAD,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"cc", NULL},
};
