/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of transactions as the oracle and the generators have them. Keys, values and sessions are numbers;
 * spelling.h gives them names. Accesses and lists are kept in rows that belong to the history. */
#ifndef ASSAY_TESTS_ORACLE_TRANSACTIONS_HISTORY_H
#define ASSAY_TESTS_ORACLE_TRANSACTIONS_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

enum { INITIAL = 0 }; /* the initial value of registers; others are numbered from 1 */

enum kind { READ, WRITE, APPEND };

struct access {
    enum kind kind;
    int key;
    int value;        /* of a register, or appended */
    bool unknown;     /* a read without result */
    int list, length; /* of a list that was read: `length` values from h->cells[list] */
};

enum outcome { COMMITTED, ABORTED, MAYBE };

struct txn {
    int session;
    enum outcome outcome;
    int64_t begin, end; /* if the history is timed; the end of MAYBE is infinite */
    int first, count;   /* accesses */
};

struct key {
    bool list;
    int init, init_length; /* a list's initial elements: h->cells[init] and on */
};

/* How real time is recorded */
enum timing { UNTIMED, TIMED, KNOWLEDGE };

struct history {
    struct txn *txns;
    struct access *accesses;
    int *cells;
    struct key *keys;
    int n, access_count, cell_count, key_count, session_count;
    int txn_room, access_room, cell_room, key_room;
    enum timing timing;
    int *knows; /* KNOWLEDGE: knows[t * session_count + s] transactions of s had ended when t began */
};

struct history *new_history(void);
void free_history(struct history *h);
struct history *copy_history(const struct history *h);

int add_key(struct history *h, bool list);
struct txn *add_txn(struct history *h, int session, enum outcome outcome);
/* To the transaction that was added last */
struct access *add_access(struct history *h, enum kind kind, int key, int value);
void add_read_list(struct history *h, int key, const int *values, int length);
int add_cell(struct history *h, int value);

struct access *access_of(const struct history *h, int t, int i);
bool writes_key(const struct history *h, int t, int key);

/* The sub-history of the transactions with keep[t] */
struct history *sub_history(const struct history *h, const bool *keep);

/* Is each value that a read returns written once at most, the initial value included? */
bool differentiated(const struct history *h);
/* The same of lists alone */
bool lists_differentiated(const struct history *h);
bool has_lists(const struct history *h);

#endif
