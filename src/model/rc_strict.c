/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_rc_strict = {
    .name = "rc-strict",
    .title = "strict read committed",
    .summary = "rc, and a transaction comes after all that had ended when it began",
    .conditions = COND_RC,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"rc", NULL},
};
