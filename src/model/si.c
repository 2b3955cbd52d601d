/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_si = {
    .name = "si",
    .title = "snapshot isolation",
    .summary = "a transaction reads a snapshot, and its variables are written by no other one until it commits",
    .conditions = COND_SI,
    .base = BASE_SESSION,
    .needs = NEED_TRANSACTIONS | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"si-plain", "pc", "psi", NULL},
};
