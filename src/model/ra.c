/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ra = {
    .name = "ra",
    .title = "read atomic",
    .summary = "a transaction sees all or nothing of each transaction",
    .conditions = COND_RA,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ra-plain", "rc", NULL},
};
