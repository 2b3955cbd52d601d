/* SPDX-License-Identifier: Apache-2.0 */
/* The transactions of a history, read off its columns a second time, and the parts of recheck that are about them.
 * Private to this folder.
 *
 * Rechecking must not inherit a mistake of the view that the engines work on, so it reads the history by itself. Its
 * items are operations.
 *
 * Committed transactions count. Of the unknown ones, a witness counts those that its order names. A refutation counts
 * those that must have committed: a transaction that counts has observed a value of theirs. No other unknown one
 * may be leaned on, since it may have aborted.
 *
 * The source of a read is open where several transactions that have not aborted leave its value in its key. The
 * evidence names it then. Two reads of one key with one value in a transaction are one choice, but for rc.
 *
 * A read that returned a value of the transaction's own is no read here, unless that value is the wrong one. Of a list
 * the own appends are taken off first. But such a list shows the version that the transaction makes, too: the list
 * before its own appends, with all of them behind it. Lists are nodes of the history's tree of lists (history/lists.h),
 * so two of them are compared by walking up to a common node. */
#ifndef ASSAY_RECHECK_TRANSACTIONS_H
#define ASSAY_RECHECK_TRANSACTIONS_H

#include "recheck/recheck.h"

enum outcome { OUTCOME_ABORTED, OUTCOME_COMMITTED, OUTCOME_UNKNOWN };

/* Faults of a read that every model forbids: the definitions of the patterns, several of which may fit. */
enum fault {
    FAULT_THIN_AIR = 1 << 0,
    FAULT_ABORTED = 1 << 1,
    FAULT_INTERMEDIATE = 1 << 2,
    FAULT_FUTURE = 1 << 3,
    FAULT_INTERNAL = 1 << 4,
    FAULT_INCOMPATIBLE = 1 << 5,
};

struct txn_read {
    uint32_t key, access;
    uint32_t source;  /* an operation, FROM_INITIAL; FROM_NOBODY: it has a fault; FROM_SEVERAL: it is open */
    uint32_t version; /* of a list: its number among the versions; else ID_NONE */
    uint32_t made;    /* of a list behind own appends: the version that its transaction makes; else ID_NONE */
    uint8_t faults;
};

struct txn_put { /* a write or an append */
    uint32_t op, key;
    uint32_t place; /* among those of the transaction to that key */
    uint32_t again; /* another put of the same value to the key, or ID_NONE: they are linked, the first one first */
};

struct txn_version { /* a list that was read from a key, or that its reader made, or a beginning of one */
    const struct list_value *list;
    uint32_t before;    /* the version without the last element; ID_NONE: the initial list, or no version at all */
    uint32_t put;       /* of the last element, or ID_NONE */
    uint32_t ambiguous; /* the first of its puts whose value is appended twice, or ID_NONE */
    uint32_t branch;    /* length of its longest beginning that the longest list of the key has, too */
    uint8_t faults;     /* of the elements, and of their order within a transaction */
    bool observed;      /* by a transaction that counts */
};

struct transactions {
    const history *h;
    enum base base;
    int64_t skew;           /* of the clocks */
    struct groups sessions; /* the operations of each thread */
    uint32_t *place;        /* of an operation in its session */
    uint32_t *past;         /* recorded knowledge, closed: past[o * k + t] of session t come before o; or NULL */
    uint8_t *outcome;       /* of an operation: enum outcome */
    bool *counts;
    uint32_t count; /* of them */

    uint32_t keys;
    uint32_t *key;     /* of an access: of operation o they begin at history_accesses(h, o) */
    bool *is_list;     /* of a key */
    uint32_t *initial; /* of a key: the version or ID_NONE */

    uint32_t *reads_at; /* n + 1; in program order, none of aborted transactions */
    struct txn_read *reads;
    uint32_t *writes_at;               /* n + 1 */
    uint32_t *write_key, *write_count; /* the keys that an operation writes, ascending; how often */
    uint32_t *shown;                   /* of a write: its place in the longest list of the key, or ID_NONE */

    struct value_ids values;
    struct idmap put_of; /* key and value -> put */
    VEC(struct txn_put) puts;
    struct idmap version_of; /* key and list -> version */
    struct idmap unread;     /* list and value -> the list with both that nobody read: a number beyond the history's */
    VEC(struct list_value *) unread_lists;
    VEC(struct txn_version) versions;
};

/* ---- reading ---- */

/* named: the transactions that a witness names; NULL: a refutation. The sources that the evidence names are those of
 * the reads. False once it has refused. */
bool recheck_read_transactions(struct recheck *x, const bool *named);

/* The initial value of the key of an access. */
struct value txn_initial_value(const history *h, uint32_t op, uint32_t access);

/* The sources of reads (txn_sources.c). Of a register that the transaction has not written before: */
void txn_find_source(struct transactions *t, uint32_t op, struct txn_read *read, struct value v, bool initial);
/* May the read of op, whose source is open, have this one: an operation, or FROM_INITIAL? */
bool txn_may_read_from(const struct transactions *t, uint32_t op, const struct txn_read *read, uint32_t source);
/* Is it the last of its transaction, which has not aborted? */
bool txn_leaves(const struct transactions *t, const struct txn_put *p);
/* The read at an access, or NULL. */
struct txn_read *txn_read_at(const struct transactions *t, uint32_t op, uint32_t access);
/* The first put of the value that it returns, or ID_NONE. */
uint32_t txn_read_put(const struct transactions *t, uint32_t op, const struct txn_read *read);
/* Do both return the same value of one register? */
bool txn_same_read(const struct transactions *t, uint32_t op, const struct txn_read *a, const struct txn_read *b);
/* The sources that the evidence names. */
bool txn_name_sources(const struct recheck *x, struct transactions *t);

/* Lists (txn_versions.c). The version with its faults, made if it is new. */
uint32_t txn_version(struct transactions *t, uint32_t key, const struct list_value *list, struct mem *m);
/* The list with the value behind it: one of the history, or one that nobody read. */
const struct list_value *txn_longer_list(struct transactions *t, const struct list_value *list, struct value v,
                                         struct mem *m);
/* Compares the lists that transactions that count have read. Finds the places of writers in the longest list of each
 * key, and the lists that do not fit. */
void txn_compare_versions(struct transactions *t, struct mem *m);

/* The put of that value to the key, or ID_NONE. */
uint32_t txn_put_of(const struct transactions *t, uint32_t key, struct value v);
/* The place of the write of the key by the operation, or ID_NONE. */
uint32_t txn_write(const struct transactions *t, uint32_t op, uint32_t key);
/* Do both write some key? */
bool txn_share_key(const struct transactions *t, uint32_t a, uint32_t b);
/* Is the order of the two writers seen in lists? */
bool txn_shown_before(const struct transactions *t, uint32_t a, uint32_t b);

/* Its begin, to be compared with the end of another transaction. Each of the two clocks may be wrong by the record's
 * skew. */
int64_t txn_begin_time(const struct transactions *t, uint32_t op);
/* May it precede others in the base order? One of unknown outcome may have ended later. */
static inline bool txn_precedes(const struct transactions *t, uint32_t op)
{
    return t->counts[op] && t->outcome[op] != OUTCOME_UNKNOWN;
}

struct txn_moment {
    int64_t time;
    uint32_t op;
    bool ends;
};
/* The begins of those that count and the ends of those that may precede others, in time: at one moment begins come
 * first. Returns their number. */
uint32_t txn_moments(const struct transactions *t, struct mem *m, struct txn_moment **out);
/* Is the order of the two part of the model's base order, by sessions or by real time? */
bool txn_session_before(const struct transactions *t, uint32_t a, uint32_t b);
bool txn_time_before(const struct transactions *t, uint32_t a, uint32_t b);

/* ---- verdicts ---- */

/* Places of the transactions that count in the order of a witness. In an order of begins and commits these are two,
 * else one. */
struct txn_order {
    const uint32_t *ops;
    uint32_t count;
    uint32_t *begin, *commit; /* of an operation; ID_NONE: it does not count */
};

/* The witness (txn_witness.c): the order is complete and contains the base order. Each list that was read is a
 * beginning of the list that the order makes. The reads are then checked by executing the order, or: */
bool recheck_txn_witness(struct recheck *x);
/* the axioms of rc, ra, tcc, psi hold for it (txn_axioms.c). */
bool recheck_txn_axioms(struct recheck *x, const struct txn_order *order);

/* The refutation (txn_refutation.c); for NoSources one of each case, and no choice of sources is left (txn_choices.c);
 * its paths, cycles and lemmas (txn_paths.c). named: must its name fit? */
bool recheck_txn_refutation(struct recheck *x, bool named);
bool recheck_txn_choices(struct recheck *x);
bool recheck_txn_reasons(struct recheck *x, bool cases);
bool recheck_txn_cycle(struct recheck *x, uint32_t lemma); /* ID_NONE: the cycle */
/* Is the pattern a name of cycles? Does it name those of the refutation, whose steps hold (txn_names.c)? */
bool txn_names_cycle(enum pattern p);
bool recheck_txn_name(struct recheck *x);

#endif
