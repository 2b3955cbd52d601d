/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_peer = {
    .name = "level:peer",
    .title = "visibility level peer",
    .summary = "an operation sees these, and with an operation what that one's thread did before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= po & vis >= vis;po & vis >= po;vis",
    .weaker = (const char *const[]){"level:monotonic", "peer", NULL},
};
