/* SPDX-License-Identifier: Apache-2.0 */
/* Abstract histories of memories, with the spellings of names and values. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_HISTORY_H
#define ASSAY_TESTS_ORACLE_MEMORY_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_OPS = 400, MAX_VARS = 24, MAX_THREADS = 24, SMALL_NODES = 48, SMALL_OPS = 64 };
enum kind { READ, WRITE, RMW, FENCE };
enum { NOTHING = -1, FRESH = 1000 }; /* values from FRESH on are the integers of this number */

struct op {
    enum kind kind;
    int thread, var;
    int old, val; /* read, written */
    bool pending;
    short after[MAX_THREADS]; /* it comes after so many operations of each thread */
};

struct var {
    int name, object;
    int init, final; /* values; final NOTHING: not said */
    bool named_init; /* the header says it, even if it is the default */
};

struct history {
    struct op ops[MAX_OPS];
    int n, threads;
    struct var vars[MAX_VARS];
    int var_count;
    int default_init; /* NOTHING: none is declared */
    bool knows;       /* operations say `@ after` */
    bool po_after;    /* and program order contains it */
};

enum { VALUES = 18, NAMES = 12 };

/* Two spellings each; the values of different rows differ. */
extern const char *const values[VALUES][2];

extern const char *const names[NAMES][2];

bool reads(const struct op *o);
bool writes(const struct op *o);

/* No value twice among the writes of a variable, pending ones and the initial one included */
bool unique_values(const struct history *h);

bool pending_writes(const struct history *h);
/* Takes the operation out. */
void drop(struct history *h, int i);
/* The operations that are kept, with the order that they have in the whole. */
void keep_only(struct history *h, const bool *keep);

/* Program order of at most SMALL_OPS operations, fences and pending ones included: row[a] has the later ones. The
 * operations of a thread stand in their order in h->ops. */
struct order {
    uint64_t row[SMALL_OPS];
};

bool precedes(const struct order *o, int a, int b);
struct order program_order(const struct history *h, bool across);

#endif
