/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_peer = {
    .name = "level:peer",
    .title = "sees threads from their start",
    .summary = "level:monotonic, and with an operation one sees what its thread did before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po & vis >= vis;po & vis >= po;vis",
    .weaker = (const char *const[]){"level:monotonic", "peer", NULL},
};
