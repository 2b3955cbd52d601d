/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_peer = {
    .name = "peer",
    .title = "peer consistency",
    .summary = "with an operation one sees what its thread did before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po;vis",
    .weaker = (const char *const[]){"level:weak", NULL},
};
