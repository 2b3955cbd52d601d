/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `search`: frontier search over thread positions with a memo (frontier.h), without saturation. */
#include "engine/serial.h"

static void run_search(struct job *job)
{
    if (!serial_thin_air(job))
        serial_search(job, job->model->conditions == COND_TSO ? MEMORY_TSO : MEMORY_SC, false);
}

const struct engine engine_search = {
    .name = "search",
    .title = "frontier search with a memo",
    .conditions = COND_SC | COND_TSO,
    .on_request = true,
    .no_evidence = true,
    .run = run_search,
};
