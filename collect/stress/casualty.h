/* SPDX-License-Identifier: Apache-2.0 */
/* A casualty is a process of the implementation that crashed, hung or ended itself. The program of its last run and its
 * calls are read from the memory that it shared, unless that is damaged. */
#ifndef ASSAY_COLLECT_CASUALTY_H
#define ASSAY_COLLECT_CASUALTY_H

#include "collect/stress/isolate.h"
#include "collect/stress/runner.h"

/* Is such an end a finding? */
static inline bool casualty_is(struct process_end end)
{
    return end.kind != PROCESS_FINISHED && end.kind != PROCESS_STOPPED && end.kind != PROCESS_WAITED &&
           end.kind != PROCESS_NONE;
}

/* The numbers of the runner are true; `sound`: the shared memory agrees with them. `who`: of a hang, the calls that
 * wait and should have ended, or NULL. Texts are in `mem`; may escape. */
struct stress_casualty casualty_of(const struct runner *r, struct process_end end, bool sound, const char *who,
                                   struct mem *mem);

#endif
