/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_self = {
    .name = "level:self",
    .title = "visibility level self",
    .summary = "an operation sees its thread's operations",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po",
    .weaker = (const char *const[]){"level:weak", "read-my-writes", NULL},
};
