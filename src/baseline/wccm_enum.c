/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wccm+enum`: wccm's store orders, the others by plain enumeration. */
#include "baseline/gradual.h"

static void run_wccm_enum(struct job *job)
{
    gradual_enum(job, SATURATION_WCCM);
}

const struct engine engine_wccm_enum = {
    .name = "wccm+enum",
    .title = "store orders from what all threads observe, then enumeration",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = run_wccm_enum,
};
