/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_causal = {
    .name = "level:causal",
    .title = "sees whole causal pasts",
    .summary = "level:peer, and with an operation one sees what that one saw",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po & vis >= vis;po & vis >= po;vis & vis >= vis;vis",
    .weaker = (const char *const[]){"level:peer", "causal-convergence", NULL},
};
