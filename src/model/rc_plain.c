/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_rc_plain = {
    .name = "rc-plain",
    .title = "read committed without sessions",
    .summary = "rc, but the order of a session does not count",
    .conditions = COND_RC,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
};
