/* SPDX-License-Identifier: Apache-2.0 */
/* The case studies of databases: cells that are planned by the parts, measured store by store, and printed by the
 * parts. A part is a table of settings; the cells of a setting are its sizes, or its workloads. */
#ifndef ASSAY_BENCH_STUDY_H
#define ASSAY_BENCH_STUDY_H

#include "bench/cells.h"

enum { STUDY_CELLS = 320, STUDY_STORES = 8 };

#define NO_PROMISE (-1)

enum study_part { STUDY_SINGLE, STUDY_TRANSACTIONS, STUDY_PARTS };

struct measured {
    enum study_part part;
    unsigned setting, column; /* of the part's tables */
    int promise;              /* the model that the manual promises, as a number of cell_models; NO_PROMISE: none */
    struct cell cell;
    uint64_t histories; /* wanted */
    struct outcome outcome;
};

struct study {
    struct bench *bench;
    uint64_t histories; /* of a setting: of a row of the tables; its cells share them */
    char work[PATH_SPACE];
    struct measured cells[STUDY_CELLS];
    size_t n;
    bool stores[STUDY_STORES];                /* that were chosen, in the order of the table */
    char reasons[STUDY_STORES][STORE_REASON]; /* why a store was not measured, or "" */
};

void study_add(struct study *s, const struct measured *m);
/* The cell, or NULL: it was not planned, or has no history. */
const struct measured *study_find(const struct study *s, enum study_part part, unsigned setting, unsigned column);
bool study_chosen(const struct study *s, const struct store *store);
/* One line for each store that this part would have and that was not measured, and for each cell that failed. */
void study_print_gaps(const struct study *s, enum study_part part);
/* A title within a section. */
void study_heading(const struct study *s, const char *title);
/* Around lines of shell, or an output. */
void study_open_block(const struct study *s, const char *language);
void study_close_block(const struct study *s);

/* ---- the parts ---- */

/* Single operations: the share of histories that violate each model, and how stale reads are. */
void single_plan(struct study *s);
void single_print(const struct study *s);
/* The cells of one setting that times are measured on: the first that was measured; false: none was. */
bool single_first_setting(const struct study *s, unsigned *setting, const char **store, const char **title);

/* The times of checks, as the thesis has them, on these histories. */
void times_print(const struct study *s);

/* Transactions: the strongest level that held, and the anomalies of the others. */
void transactions_plan(struct study *s);
void transactions_print(const struct study *s);

/* One explained violation for each store. */
void violations_print(const struct study *s);

#endif
