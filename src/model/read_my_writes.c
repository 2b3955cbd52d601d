/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_read_my_writes = {
    .name = "read-my-writes",
    .title = "read my writes",
    .summary = "an operation sees what its thread did before",
    .conditions = COND_WEAK,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_OTHER_OBJECT | NEED_ASKED,
    .axioms = "vis >= po",
    .weaker = (const char *const[]){"level:weak", NULL},
};
