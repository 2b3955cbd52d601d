/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ser_strict = {
    .name = "ser-strict",
    .title = "strict serializability",
    .summary = "ser, and a transaction comes after all that had ended when it began",
    .conditions = COND_SER,
    .base = BASE_REALTIME,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES | NEED_TIME,
    .weaker = (const char *const[]){"ser", "si-strict", NULL},
};
