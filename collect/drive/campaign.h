/* SPDX-License-Identifier: Apache-2.0 */
/* A campaign: histories one after the other, checked beside the driving.
 *
 * A history that was cut short, by Ctrl-C or a crash, is kept as it is; its rest, in operations or seconds, is driven
 * as one more history behind the others.
 *
 * A history goes through the queue of the checkers as the name of a file, so waiting costs no memory. The queue is
 * short: if checking is slower than driving, driving waits. */
#ifndef ASSAY_COLLECT_DRIVE_CAMPAIGN_H
#define ASSAY_COLLECT_DRIVE_CAMPAIGN_H

#include "collect/drive/summary.h"

struct drive_campaign_settings {
    struct drive_settings drive;
    uint64_t histories; /* that the folder has in the end; 0: until the time is over */
    double seconds;     /* for new histories; 0: any */
    char *const *models;
    size_t model_count;  /* 0: nothing is checked */
    const char *promise; /* a model: violations of it are told before others; or NULL */
    unsigned checkers;   /* threads */
    bool keep_all;       /* else violations, undecided ones and a sample */
    assay_options check; /* time and memory of a check */
    /* Now and then while driving; may be NULL. */
    void (*progress)(void *context, uint64_t history, uint64_t operations);
    /* A history was checked, also one of an earlier run of this campaign. One at a time, in any order. */
    void (*finished)(void *context, const struct drive_record *r);
    void *context;
};

/* The path of the file of a history: FOLDER/0001.hist. */
void drive_path(const char *folder, uint64_t number, const char *suffix, char *out, size_t size);

/* The summary is filled in also when it fails. False with an error. */
bool drive_campaign_run(const struct drive_campaign_settings *s, struct drive_summary *out, assay_error *e);

/* Only the histories of earlier runs of this campaign, if there are any; the store is not needed. False with an error:
 * the folder has another campaign. */
bool drive_campaign_read(const struct drive_campaign_settings *s, struct drive_summary *out, assay_error *e);

#endif
