/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_causal_convergence = {
    .name = "causal-convergence",
    .title = "causal convergence of an object",
    .summary = "an operation sees what its thread did before, and with an operation what that one saw",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT | NEED_ASKED,
    .axioms = "vis >= po & vis >= vis;vis",
    .weaker = (const char *const[]){"read-my-writes", "monotonic-reads", "peer", NULL},
};
