/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ra_strict = {
    .name = "ra-strict",
    .title = "strict read atomic",
    .summary = "ra, and a transaction comes after all that had ended when it began",
    .conditions = COND_RA,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"ra", "rc-strict", NULL},
};
