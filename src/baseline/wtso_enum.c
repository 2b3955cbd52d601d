/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wtso+enum`: the store orders that wtso forces, the others by plain enumeration. */
#include "baseline/gradual.h"

static void run_wtso_enum(struct job *job)
{
    gradual_enum(job, SATURATION_WTSO);
}

const struct engine engine_wtso_enum = {
    .name = "wtso+enum",
    .title = "forced store orders, then enumeration",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = run_wtso_enum,
};
