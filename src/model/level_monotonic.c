/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_monotonic = {
    .name = "level:monotonic",
    .title = "sees what its thread did and saw",
    .summary = "level:self, and an operation sees what its thread has seen before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po & vis >= vis;po",
    .weaker = (const char *const[]){"level:self", "monotonic-reads", NULL},
};
