/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/shared_run.h"

#include <sys/mman.h>

struct shared_run *shared_run_new(void)
{
    return (struct shared_run *)(void *)assay_record_map_shared(sizeof(struct shared_run));
}

void shared_run_free(struct shared_run *run)
{
    if (run)
        munmap(run, sizeof *run);
}
