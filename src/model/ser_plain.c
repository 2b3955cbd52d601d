/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ser_plain = {
    .name = "ser-plain",
    .title = "serializability without sessions",
    .summary = "ser, but the order of a session does not count",
    .conditions = COND_SER,
    .base = BASE_NONE,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"si-plain", NULL},
};
