/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of an etcd server. */
#ifndef ASSAY_COLLECT_DRIVE_ETCD_RUN_H
#define ASSAY_COLLECT_DRIVE_ETCD_RUN_H

#include "collect/drive/etcd_link.h"

#include <stdatomic.h>

/* State that all sessions share. */
struct etcd_shared {
    bool serializable;        /* read-only transactions take the state of the server that they ask */
    _Atomic int64_t elements; /* of queues so far: the name of each is a number of its own */
};

assay_outcome etcd_run(struct etcd_link *l, assay_session *s, struct etcd_shared *shared, assay_access *accesses,
                       size_t n);

#endif
