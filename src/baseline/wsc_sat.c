/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wsc+sat`: the store orders that wsc forces, the others from a SAT solver. */
#include "baseline/gradual.h"

static void run_wsc_sat(struct job *job)
{
    gradual_sat(job, SATURATION_WSC);
}

const struct engine engine_wsc_sat = {
    .name = "wsc+sat",
    .title = "forced store orders, then a SAT solver",
    .conditions = COND_SC,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_wsc_sat,
};
