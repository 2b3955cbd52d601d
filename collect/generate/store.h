/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated store of registers and lists that runs transactions.
 *
 * Idea: commits are numbered, and each key has its versions in the order of commits. A site knows of each key so many
 * versions, and shows the last of these: the value of a register, the elements of a list. A commit takes effect at its
 * site as a whole, and reaches the other sites later. A level of isolation is a struct store_kind. It says how many
 * sites there are, when a transaction reads, and whether the first of two concurrent writers wins.
 *
 * Invariant: the order of commits explains every level that the store promises. A site knows with a transaction all its
 * writes. If deliveries are causal, it also knows everything that the transaction's site knew. A transaction commits
 * only if it saw the last version of each key that is checked; else it is run again, at once. A list that a transaction
 * reads behind its own append is always checked, since another element would come in between. */
#ifndef ASSAY_COLLECT_GENERATE_STORE_H
#define ASSAY_COLLECT_GENERATE_STORE_H

#include "base/mem.h"
#include "base/rng.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

enum store_reads { STORE_READS_AT_COMMIT, STORE_READS_AT_BEGIN, STORE_READS_ONE_BY_ONE };

struct store_kind {
    enum store_reads reads;
    bool sites;   /* several; else one */
    bool causal;  /* a site learns of a transaction after everything that this one knew of */
    bool checked; /* the first of two concurrent writers of a key wins */
};

enum store_access_kind { STORE_READ, STORE_WRITE, STORE_APPEND };

struct store_access {
    uint32_t key;
    uint32_t value;  /* that it writes, or read from a register; of a list: how many elements were there */
    uint32_t seen;   /* how many versions of the key; of a write that is committed: up to its own */
    uint32_t own;    /* 1 + the index of the transaction's last write of the key before this, or 0 */
    uint32_t before; /* a wrong read: it misses this commit and the later ones; 0: it is right */
    uint32_t dirty;  /* a wrong read: the value of a transaction that has not committed; 0: it is right */
    uint8_t kind;
    bool overwritten; /* by the transaction itself */
};

struct store_transaction {
    struct store_access *at;
    uint32_t n;
    uint32_t site;
};

struct store_version {
    uint32_t value, commit;
};

struct store_key {
    bool list;
    uint32_t written;         /* values are 1, 2, ...: so many were given out */
    uint32_t marked, last_by; /* while a transaction is linked: its mark, and its last write */
    VEC(struct store_version) versions;
};

struct store_commit {
    uint32_t site, index; /* its place in the log of the site */
    uint32_t first, n;    /* its writes in store.writes */
};

struct store_write {
    uint32_t key, versions; /* the key has so many versions then */
};

struct store_log {
    VEC(uint32_t) commits;
    VEC(uint32_t) known; /* [index * sites + site]: so much of each log was known at the commit */
};

struct store_site {
    VEC(uint32_t) versions; /* of each key, so many are known */
    uint32_t *arrived;      /* so much of each log is known */
    struct store_log log;
};

struct store {
    const struct store_kind *kind;
    struct mem *mem;
    struct rng *rng;
    uint32_t site_n;
    struct store_site *sites;
    VEC(struct store_key) keys;
    VEC(struct store_commit) commits; /* commit c is at c - 1 */
    VEC(struct store_write) writes;
    uint32_t mark;
};

struct store store_new(const struct store_kind *kind, uint32_t sessions, struct mem *mem, struct rng *rng);
uint32_t store_add_key(struct store *s, bool list);

/* Fills in `own` and `overwritten`; to be called when the accesses are known, and again when they change. */
void store_link(struct store *s, struct store_transaction *t);

/* News from another site reach this one. */
void store_listen(struct store *s, uint32_t site);
/* The access happens now: it sees the versions that the site knows. */
void store_see(struct store *s, const struct store_transaction *t, struct store_access *a);
void store_see_all(struct store *s, struct store_transaction *t);
/* The transaction commits now, after it was run again if it lost a conflict; `checked`: as the store's kind says. Its
 * number, or 0 if it writes nothing. */
uint32_t store_commit(struct store *s, struct store_transaction *t, bool checked);

#endif
