/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_return_value = {
    .name = "return-value",
    .title = "return-value consistency",
    .summary = "an operation sees whatever explains its result",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT | NEED_ASKED,
    .axioms = "",
    .weaker = (const char *const[]){NULL},
};
