/* SPDX-License-Identifier: Apache-2.0 */
#include "model/model.h"

const struct model model_cc = {
    .name = "cc",
    .title = "causal consistency",
    .summary = "no thread sees an effect without its causes, or an older value after a newer one it depends on",
    .conditions = COND_CAUSAL,
    .needs = NEED_MEMORY | NEED_UNIQUE_VALUES,
};
