/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wsc+enum`: the store orders that wsc forces, the others by plain enumeration. */
#include "baseline/gradual.h"

static void run_wsc_enum(struct job *job)
{
    gradual_enum(job, SATURATION_WSC);
}

const struct engine engine_wsc_enum = {
    .name = "wsc+enum",
    .title = "forced store orders, then enumeration",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = run_wsc_enum,
};
