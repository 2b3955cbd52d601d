/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `ccm+enum`: ccm's store orders, the others by plain enumeration. */
#include "baseline/gradual.h"

static void run_ccm_enum(struct job *job)
{
    gradual_enum(job, SATURATION_CCM);
}

const struct engine engine_ccm_enum = {
    .name = "ccm+enum",
    .title = "store orders from what all threads observe, then enumeration",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = run_ccm_enum,
};
