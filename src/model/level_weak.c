/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_weak = {
    .name = "level:weak",
    .title = "sees any operations before it",
    .summary = "an operation sees whatever explains its result",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "",
    .weaker = (const char *const[]){"return-value", NULL},
};
