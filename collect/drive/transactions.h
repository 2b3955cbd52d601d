/* SPDX-License-Identifier: Apache-2.0 */
/* The random transactions of a session (Algorithm 2 of the 2021 thesis, for all workloads).
 *
 * Values are unique within a history, as models of memories want them: the i-th write of session s of k writes
 * i * k + s + 1. (The thesis makes them unique for each variable.) */
#ifndef ASSAY_COLLECT_DRIVE_TRANSACTIONS_H
#define ASSAY_COLLECT_DRIVE_TRANSACTIONS_H

#include "base/rng.h"
#include "collect/drive/workload.h"

/* The part of the settings that transactions depend on. */
struct workload_settings {
    const struct workload *workload;
    const assay_driver *driver;
    unsigned sessions, keys;
    unsigned read_share;    /* reads of 100 accesses */
    unsigned most_accesses; /* of a transaction */
    uint64_t first_key;     /* in the store */
};

/* Those of one session. */
struct transactions {
    const struct workload_settings *settings;
    struct rng rng;
    unsigned session;
    int64_t written; /* so many values */
    assay_access accesses[WORKLOAD_MOST_ACCESSES];
    size_t n;
};

void transactions_begin(struct transactions *t, const struct workload_settings *s, unsigned session, uint64_t seed);
void transactions_next(struct transactions *t); /* the next transaction */
void transactions_end(struct transactions *t);

#endif
