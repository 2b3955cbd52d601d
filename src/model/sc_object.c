/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_sc_object = {
    .name = "sc-object",
    .title = "sequential consistency of an object",
    .summary = "one legal sequence of all operations keeps the order of each thread",
    .conditions = COND_SC_OBJECT,
    .needs = NEED_CALLS | NEED_ONE_OBJECT | NEED_NO_MEMORY,
    .weaker = (const char *const[]){NULL},
};
