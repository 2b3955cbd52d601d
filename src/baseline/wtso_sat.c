/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wtso+sat`: the store orders that wtso forces, the others from a SAT solver. */
#include "baseline/gradual.h"

static void run_wtso_sat(struct job *job)
{
    gradual_sat(job, SATURATION_WTSO);
}

const struct engine engine_wtso_sat = {
    .name = "wtso+sat",
    .title = "forced store orders, then a SAT solver",
    .conditions = COND_TSO,
    .on_request = true,
    .variants = solver_variants,
    .missing = sat_missing,
    .run = run_wtso_sat,
};
