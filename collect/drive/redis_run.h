/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of a Redis server. */
#ifndef ASSAY_COLLECT_DRIVE_REDIS_RUN_H
#define ASSAY_COLLECT_DRIVE_REDIS_RUN_H

#include "collect/drive/redis_link.h"

/* Replicas that must acknowledge a transaction that writes; 0 replicas: none is asked. */
struct redis_wait {
    unsigned replicas;
    int64_t milliseconds;
};

bool redis_reads_only(const assay_access *accesses, size_t n);
assay_outcome redis_run(struct redis_link *l, assay_session *s, struct redis_wait wait, assay_access *accesses,
                        size_t n);

#endif
