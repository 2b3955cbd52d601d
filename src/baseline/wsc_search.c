/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `wsc+search`: frontier search (frontier.h) with the saturated store order of wsc as constraints. */
#include "baseline/search.h"

static void run_wsc_search(struct job *job)
{
    search_run(job, MEMORY_SC, true);
}

const struct engine engine_wsc_search = {
    .name = "wsc+search",
    .title = "frontier search within the forced store orders",
    .conditions = COND_SC,
    .on_request = true,
    .no_evidence = true,
    .run = run_wsc_search,
};
