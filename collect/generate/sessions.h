/* SPDX-License-Identifier: Apache-2.0 */
/* The sessions of a simulated store: their transactions, and the record of these. */
#ifndef ASSAY_COLLECT_GENERATE_SESSIONS_H
#define ASSAY_COLLECT_GENERATE_SESSIONS_H

#include "collect/collect.h"
#include "collect/generate/store.h"

enum outcome { OUTCOME_COMMITTED, OUTCOME_ABORTED, OUTCOME_UNKNOWN };

struct transaction {
    uint32_t session;
    uint32_t first, n;         /* its accesses, in sessions.accesses */
    uint32_t called, returned; /* events, counted from 1 */
    enum outcome outcome;
    bool unchecked; /* a bug: it overwrites versions that it has not seen */
    bool early;     /* a bug: it reads at its begin in any store */
};

enum session_state { SESSION_IDLE, SESSION_CALLED, SESSION_READING, SESSION_READ, SESSION_ENDED };

struct session {
    enum session_state state;
    uint32_t open;     /* its last transaction */
    uint32_t next;     /* the access that it comes to */
    uint32_t commit;   /* the last of its transactions that wrote something: its number, or 0 */
    uint32_t last_key; /* a key that this one wrote */
};

struct sessions {
    const struct collecting *c;
    struct rng rng;
    struct store store;
    struct session *at;
    uint32_t *active, active_n; /* sessions that go on */
    uint32_t *slots;            /* the keys in use */
    VEC(struct transaction) all;
    VEC(struct store_access) accesses;
    VEC(uint32_t) ended; /* transactions, in the order of the record */
    VEC(uint32_t) late;  /* transactions of unknown outcome that may still commit */
    uint32_t events;
};

/* The parameters of the collector, by their place in its table. */
enum {
    STORE,
    DATA,
    SESSIONS,
    TRANSACTIONS,
    ACCESSES,
    KEYS,
    SKEW,
    READS,
    READ_FIRST,
    VALUES,
    APPENDS,
    ABORTS,
    UNKNOWN,
    TIMES,
    BUG,
    OFTEN,
    MUTATE,
    DISTANCE
};

enum { STORE_SER, STORE_SI, STORE_PSI, STORE_PC, STORE_TCC, STORE_RA, STORE_RC, STORES };
enum { BUG_NONE, BUG_LOST_UPDATE, BUG_DIRTY_READ, BUG_STALE_SNAPSHOT, BUG_TORN_WRITE, BUGS };

extern const char *const store_names[]; /* up to NULL, as below */
extern const char *const bug_names[];

struct store_transaction sessions_transaction(const struct sessions *x, uint32_t id);

/* Is this a bug that the store does not have anyway? */
bool bug_fits(unsigned bug, unsigned store);
/* Perhaps spoils a transaction that is about to read. Its keys may change, so that the bug shows. */
void bug_spoil(struct sessions *x, uint32_t id);

/* Gives some reads another version. */
void sessions_mutate(struct sessions *x);
void sessions_emit(const struct sessions *x);

#endif
