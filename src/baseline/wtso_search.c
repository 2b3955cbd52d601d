/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wtso+search`: frontier search (frontier.h) with the saturated store order of wtso as constraints. */
#include "baseline/search.h"

static void run_wtso_search(struct job *job)
{
    search_run(job, MEMORY_TSO, true);
}

const struct engine engine_wtso_search = {
    .name = "wtso+search",
    .title = "frontier search within the forced store orders",
    .conditions = COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = run_wtso_search,
};
