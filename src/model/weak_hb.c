/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_weak_hb = {
    .name = "weak-hb",
    .title = "sees all that happened before it",
    .summary = "an operation sees all that happened before it",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= hb",
    .weaker = (const char *const[]){"level:self", NULL},
};
