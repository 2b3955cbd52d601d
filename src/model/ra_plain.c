/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ra_plain = {
    .name = "ra-plain",
    .title = "read atomic without sessions",
    .summary = "ra, but the order of a session does not count",
    .conditions = COND_RA,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"rc-plain", NULL},
};
