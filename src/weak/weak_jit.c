/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `weak-jit`: weak consistency (weak.h), linearizing the operation that must return first just in time, as
 * Lowe does. */
#include "weak/weak.h"

static void run(struct job *job)
{
    weak_run(job, true);
}

const struct engine engine_weak_jit = {
    .name = "weak-jit",
    .title = "visibility sets along linearizations, by return",
    .conditions = COND_WEAK,
    .most_events = WEAK_MOST,
    .variants = weak_variants,
    .declines = weak_declines,
    .run = run,
};
