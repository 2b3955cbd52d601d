/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a campaign: sums over its histories, and the first that went wrong. */
#ifndef ASSAY_COLLECT_DRIVE_SUMMARY_H
#define ASSAY_COLLECT_DRIVE_SUMMARY_H

#include "collect/drive/journal.h"

struct drive_model_count {
    const char *model;
    uint64_t violations, undecided, errors;
};

enum { DRIVE_CUT_NAMED = 4 };

struct drive_summary {
    uint64_t histories, earlier;           /* earlier: those that the folder had */
    uint64_t cut;                          /* that were cut short: they have no final reads */
    uint64_t cut_numbers[DRIVE_CUT_NAMED]; /* the lowest of these, in order */
    struct drive_counts counts;            /* of all histories */
    struct latency latency;                /* of the new ones */
    double seconds;                        /* of driving the new ones */
    uint64_t driven;                       /* operations of the new ones */
    struct drive_model_count models[DRIVE_MOST_MODELS];
    struct drive_staleness staleness;   /* of all histories */
    struct drive_durability durability; /* of all histories; the examples are of the first that has some */
    uint64_t judged, differ;            /* histories with final reads; those in which nodes did not agree */
    uint64_t first_loss;                /* the lowest number of a history with a loss; 0: none */
    uint64_t first_violation;           /* the lowest number of a history that violates a model; 0: none */
    char first_model[DRIVE_MODEL_NAME]; /* the first model of the list that it violates */
    bool first_breaks;                  /* that one is promised; only such histories count, if there are any */
    assay_error unchecked;              /* why a model could not be checked, if one could not */
    bool stopped;                       /* by the interrupt */
    struct drive_faults faults;         /* of this run */
    char server[ASSAY_DRIVER_MESSAGE];
    char trouble[ASSAY_DRIVER_MESSAGE]; /* why a session gave up, or "" */
};

/* Adds a history, in any order of their numbers, with the verdicts of so many models; one of them may be promised. */
void drive_summary_add(struct drive_summary *s, const struct drive_record *r, size_t models, const char *promise);

#endif
