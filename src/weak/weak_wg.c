/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `weak-wg`: weak consistency (weak.h), linearizing the operation that was called first, as Wing and Gong
 * do. */
#include "weak/weak.h"

static void run(struct job *job)
{
    weak_run(job, false);
}

const struct engine engine_weak_wg = {
    .name = "weak-wg",
    .title = "visibility sets along linearizations, by call",
    .conditions = COND_WEAK,
    .most_events = WEAK_MOST,
    .on_request = true,
    .variants = weak_variants,
    .declines = weak_declines,
    .run = run,
};
