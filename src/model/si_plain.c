/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_si_plain = {
    .name = "si-plain",
    .title = "snapshot isolation without sessions",
    .summary = "si, but the order of a session does not count",
    .conditions = COND_SI,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"pc-plain", "psi-plain", NULL},
};
