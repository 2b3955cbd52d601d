/* SPDX-License-Identifier: Apache-2.0 */
/* A small history of transactions that can be changed: what the generators make, and what is shrunk. */
#ifndef ASSAY_TESTS_TRANSACTIONS_SKETCH_H
#define ASSAY_TESTS_TRANSACTIONS_SKETCH_H

#include "assay.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST_TXNS = 8, MOST_ACCESSES = 6, MOST_KEYS = 6, MOST_LIST = 12, MOST_SESSIONS = 6 };
enum { UNKNOWN_VALUE = -1 };

enum tx_outcome { TX_COMMITTED, TX_ABORTED, TX_UNKNOWN };
enum tx_times { TX_NO_TIMES, TX_INTERVALS, TX_AFTER };

struct tx_access {
    char kind; /* r, w, a: append */
    uint8_t key;
    int value; /* 0: the initial value; of a read of a list only UNKNOWN_VALUE counts */
    uint8_t length, list[MOST_LIST];
};

struct tx {
    uint8_t session, n;
    enum tx_outcome outcome;
    struct tx_access access[MOST_ACCESSES];
    int call, ret;
    uint8_t after[MOST_SESSIONS]; /* so many of each session are known */
};

struct tx_sketch {
    struct tx tx[MOST_TXNS]; /* those of a session in its order */
    uint8_t n;
    bool is_list[MOST_KEYS];
    enum tx_times times;
    uint8_t skew;         /* of clocks, for intervals */
    uint8_t keys, values; /* how they are written: numbers, words, strings */
    bool blocks;          /* begin() ... commit() */
    bool init;            /* @init declares an initial value of the first register */
    bool repeats;         /* values of registers may be written again */
};

/* `rx0 wx1 | ? wy1 ; lx1,2 @3-4`: sessions |, transactions ;, aborted !, unknown ?, lists l, appends a. */
struct tx_sketch sketch_parse(const char *text);
char *sketch_text(const struct tx_sketch *s); /* as .hist; the caller frees it */
/* Has it times, or knowledge? */
bool sketch_timed(const struct tx_sketch *s);
assay_history *sketch_history(const struct tx_sketch *s);

/* Takes transaction t away. Knowledge names a number of transactions, which becomes smaller. */
void sketch_forget(struct tx_sketch *s, uint8_t t);
/* Takes the transaction's i-th access away. */
void sketch_drop_access(struct tx *t, uint8_t i);

/* Does something still go wrong? */
typedef bool sketch_fault(const struct tx_sketch *s, void *arg);
/* Transactions, accesses, elements and times are taken away as long as the fault stays. */
void sketch_shrink(struct tx_sketch *s, sketch_fault *fault, void *arg);

#endif
