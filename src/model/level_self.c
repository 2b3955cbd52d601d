/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_self = {
    .name = "level:self",
    .title = "sees what its thread did",
    .summary = "an operation sees what its thread did before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po",
    .weaker = (const char *const[]){"level:weak", "read-my-writes", NULL},
};
