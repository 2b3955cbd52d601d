/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_wtso = {
    .name = "wtso",
    .title = "weak tso",
    .summary = "the store orders that store buffers force step by step run into no cycle",
    .conditions = COND_WTSO,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
    .weaker = (const char *const[]){"wccm", NULL},
};
