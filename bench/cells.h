/* SPDX-License-Identifier: Apache-2.0 */
/* A cell of a case study: one store with one setting and one size of histories. It is a campaign in a folder of its
 * own, so a second run of the suite goes on where the first one stopped. */
#ifndef ASSAY_BENCH_CELLS_H
#define ASSAY_BENCH_CELLS_H

#include "bench/stores.h"

enum { CELL_MODELS = 8, CELL_ANOMALIES = 24, CELL_SETTINGS = 3 };

struct cell {
    const struct store *store;
    const char *workload, *isolation; /* isolation NULL: the store's default */
    struct drive_setting set[CELL_SETTINGS];
    bool roam;
    unsigned sessions, operations, keys; /* operations of all sessions together */
};

struct model_outcome {
    uint64_t violations, undecided; /* undecided: also those that could not be checked */
    uint64_t first;                 /* the lowest number of a history that violates it; 0: none */
};

/* Sums over histories. */
struct outcome {
    uint64_t histories, committed, aborted, unknown;
    struct model_outcome models[CELL_MODELS]; /* in the order of the workload's models */
    /* For each history that violates a model, the pattern of the first model that it violates. */
    struct anomaly {
        char name[DRIVE_PATTERN];
        uint64_t histories;
    } anomalies[CELL_ANOMALIES];
    size_t anomaly_count;
    char trouble[STORE_REASON]; /* why histories are missing, or "" */
};

/* The models of a workload, the weakest first: returns how many, with their names. */
size_t cell_models(const char *workload, const char *models[CELL_MODELS]);

/* The model that the driver promises at the cell's level of isolation; NULL: none. */
const char *cell_promise(const struct cell *c);

/* Has the folder so many histories, driving the store for those that are missing. */
void cell_run(struct bench *b, const struct cell *c, struct server *server, const char *work, uint64_t histories,
              struct outcome *out);
void outcome_add(struct outcome *sum, const struct outcome *o);

/* The file of a history. */
void cell_history(const struct cell *c, const char *work, uint64_t number, char out[PATH_SPACE]);
/* `assay drive ...`, which drives as many histories with the same seeds. */
void cell_print_command(const struct cell *c, uint64_t histories, FILE *to);

#endif
