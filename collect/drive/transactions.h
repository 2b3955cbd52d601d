/* SPDX-License-Identifier: Apache-2.0 */
/* The random transactions of a session (Algorithm 2 of the 2021 thesis, for all workloads).
 *
 * Values are unique within a history, as models of memories want them: the i-th write of session s of k writes
 * i * k + s + 1. (The thesis makes them unique for each variable.)
 *
 * Registers are overwritten, and then nobody can tell whether a value was lost before. So some more keys, the kept
 * ones, are written once each, spread over the history: what a store loses at any moment is missed at the end. */
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
    unsigned kept;          /* kept keys, which come behind the others */
};

enum { TRANSACTIONS_MOST_KEPT = 32, TRANSACTIONS_PER_KEPT = 8 };

/* How many kept keys a history of so many operations has; 0: as many as there is time for. */
unsigned transactions_kept(const struct workload *w, uint64_t operations, unsigned read_share);

/* Those of one session. */
struct transactions {
    const struct workload_settings *settings;
    struct rng rng;
    unsigned session;
    int64_t written; /* so many values */
    unsigned kept;   /* of its kept keys it has written so many */
    assay_access accesses[WORKLOAD_MOST_ACCESSES];
    size_t n;
};

void transactions_begin(struct transactions *t, const struct workload_settings *s, unsigned session, uint64_t seed);
void transactions_next(struct transactions *t); /* the next transaction */
/* The next transaction is the write of a kept key, if one is due after this part of the history, from 0 to 1. */
bool transactions_keep(struct transactions *t, double part);
void transactions_end(struct transactions *t);

#endif
