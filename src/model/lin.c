/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_lin = {
    .name = "lin",
    .title = "linearizability",
    .summary = "each operation takes effect at one moment between its call and its return",
    .conditions = COND_LIN,
    .needs = NEED_TIME | NEED_CALLS,
    .weaker = (const char *const[]){"sc", "sc-object", "level:complete", "ser-strict", NULL},
};
