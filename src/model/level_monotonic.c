/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_monotonic = {
    .name = "level:monotonic",
    .title = "visibility level monotonic",
    .summary = "an operation sees these, and what its thread has seen",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po & vis >= vis;po",
    .weaker = (const char *const[]){"level:self", "monotonic-reads", NULL},
};
