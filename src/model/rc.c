/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_rc = {
    .name = "rc",
    .title = "read committed",
    .summary = "a transaction reads committed values only, and its reads never go back behind one it read from",
    .conditions = COND_RC,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"rc-plain", NULL},
};
