/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `ccm+sat`: ccm's store orders, the others from a SAT solver. */
#include "baseline/gradual.h"

static void run_ccm_sat(struct job *job)
{
    gradual_sat(job, SATURATION_CCM);
}

const struct engine engine_ccm_sat = {
    .name = "ccm+sat",
    .title = "store orders from what all threads observe, then a SAT solver",
    .conditions = COND_SC,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_ccm_sat,
};
