/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_level_complete = {
    .name = "level:complete",
    .title = "sees all operations before it",
    .summary = "an operation sees all operations before it in the linearization",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= lin",
    .weaker = (const char *const[]){"level:causal", "weak-hb", "sc-object", NULL},
};
