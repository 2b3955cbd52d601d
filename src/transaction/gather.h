/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses of transactions in the order of the history: the first half of the view (view.h).
 *
 * An access has a number: accesses are counted through the history, so access a of operation o has its three values at
 * 3a + o of the pool. A write is a pair of an operation and a key, as in the view, but numbered by operation. All
 * operations have their writes here, aborted ones too. External reads are kept of those that may count. Reads of own
 * writes are judged at once. */
#ifndef ASSAY_TRANSACTION_GATHER_H
#define ASSAY_TRANSACTION_GATHER_H

#include "base/vec.h"
#include "transaction/view.h"

enum outcome { OUTCOME_COMMITTED, OUTCOME_ABORTED, OUTCOME_UNKNOWN, OUTCOME_TAKEN /* unknown, and it counts */ };

enum key_kind { KEY_UNSAID, KEY_REGISTER, KEY_LIST };

struct gathered_key {
    uint32_t at;           /* a place in the pool that has it */
    uint32_t said;         /* the access that shows its kind */
    uint32_t said_by;      /* its operation */
    uint32_t op, write;    /* the last operation so far that writes it, and that write */
    uint8_t kind;          /* enum key_kind */
    uint8_t initial_kind;  /* of the initial value */
    int64_t initial;       /* its bits */
    struct idmap accesses; /* of integers that were written first to another key: value -> access */
};

struct gathered_write {
    uint32_t key, op;
    uint32_t last; /* access: of the last value */
};

struct gathered_read {
    uint32_t key;
    uint32_t list;   /* the list without own appends; ID_NONE: the key is a register */
    uint32_t own;    /* of a list: the last own append before it, an access; ID_NONE: there is none */
    uint32_t access; /* within the operation */
    uint32_t source; /* a write, or TXN_INIT */
};

struct anomaly {
    enum pattern pattern;
    uint32_t op, access, opposite;
};

struct gathered {
    const history *h;
    struct mem *m;
    assay_error *e;
    uint32_t word_read, word_write, word_append, word_abort, word_unknown;
    uint8_t *outcome;     /* of an operation */
    struct value_ids ids; /* of keys */
    VEC(struct gathered_key) keys;
    uint32_t *access_key, *access_write; /* of an access that writes */
    uint32_t *access_before;             /* of an append: the operation's append to the key before it, or ID_NONE;
                                          * NULL: there is none */
    uint32_t *writes_at;                 /* of an operation, n + 1 */
    VEC(struct gathered_write) writes;
    uint32_t *reads_at; /* of an operation, n + 1 */
    VEC(struct gathered_read) reads;
    struct value_ids written; /* value -> the first access that writes it, to any key; not numbers */
    struct idmap written_too; /* key and such an access -> the first that writes this value to this key; no integers */
    struct idmap again;       /* of an access: the second that writes its value to its key */
    VEC(struct anomaly) anomalies;
};

/* May escape, with a fault in e if a key is both a register and a list. */
void gather(struct gathered *g);
void gathered_free(struct gathered *g);

/* The first access that writes the value to the key, or ID_NONE. */
uint32_t gathered_find(const struct gathered *g, uint32_t key, struct value value);

static inline void gathered_note(struct gathered *g, enum pattern p, uint32_t op, uint32_t access, uint32_t opposite)
{
    struct anomaly a = {p, op, access, opposite};
    vec_push(g->m, &g->anomalies, a);
}

static inline struct value gathered_initial(const struct gathered_key *k)
{
    return (struct value){.bits = k->initial, .kind = k->initial_kind};
}

#endif
