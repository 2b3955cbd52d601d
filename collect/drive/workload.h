/* SPDX-License-Identifier: Apache-2.0 */
/* Workloads: the transactions that sessions run, and the lines that they become in a history.
 *
 * A workload reads by one action and changes the store by another. That, and whether a transaction has one access or
 * several, is all that tells workloads apart: they are rows of a table. */
#ifndef ASSAY_COLLECT_DRIVE_WORKLOAD_H
#define ASSAY_COLLECT_DRIVE_WORKLOAD_H

#include "assay_driver.h"

#include <stdio.h>

enum { WORKLOAD_MOST_ACCESSES = 64, WORKLOAD_MOST_KEYS = 1 << 20, WORKLOAD_ACCOUNTS = 32 };

struct workload {
    const char *name, *title;
    const char *object;          /* of its histories */
    const char *variable;        /* the names of keys begin with it */
    assay_action reads, changes; /* its two actions */
    bool transactions;           /* of several accesses; else each operation is one access */
    bool whole;                  /* a read reads all keys at once */
    unsigned keys;               /* unless the user says otherwise */
    int64_t initial;             /* of registers */
    const char *models;          /* that histories are checked for, unless the user says otherwise */
};

extern const struct workload workload_table[]; /* up to a NULL name */
const struct workload *workload_find(const char *name);
uint32_t workload_actions(const struct workload *w); /* ASSAY_CAN bits */

/* The header lines of a history, and an operation: `write(x3, 17)` or, with its answers, `read(x3) => 17`. Keys count
 * from 0 here. */
void workload_headers(const struct workload *w, unsigned keys, FILE *to);
void workload_operation(const struct workload *w, const assay_access *accesses, size_t n, unsigned keys, bool answered,
                        FILE *to);

#endif
