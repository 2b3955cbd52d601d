/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_ser = {
    .name = "ser",
    .title = "serializability",
    .summary = "the transactions run one after another, in the order of each session",
    .conditions = COND_SER,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"ser-plain", "si", NULL},
};
