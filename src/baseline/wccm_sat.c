/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wccm+sat`: wccm's store orders, the others from a SAT solver. */
#include "baseline/gradual.h"

static void run_wccm_sat(struct job *job)
{
    gradual_sat(job, SATURATION_WCCM);
}

const struct engine engine_wccm_sat = {
    .name = "wccm+sat",
    .title = "store orders from what all threads observe, then a SAT solver",
    .conditions = COND_TSO,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_wccm_sat,
};
