/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_monotonic_reads = {
    .name = "monotonic-reads",
    .title = "monotonic reads",
    .summary = "an operation sees what its thread has seen before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT,
    .axioms = "vis >= vis;po",
    .weaker = (const char *const[]){"level:weak", NULL},
};
