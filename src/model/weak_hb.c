/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_weak_hb = {
    .name = "weak-hb",
    .title = "visible happens-before",
    .summary = "it sees all that happened before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= hb",
    .weaker = (const char *const[]){"read-my-writes", NULL},
};
