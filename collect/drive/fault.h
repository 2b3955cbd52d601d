/* SPDX-License-Identifier: Apache-2.0 */
/* Faults while driving: KIND:NODE@START+DURATION, several of them between commas, or random:SEED.
 *
 * Kinds: pause (the server is stopped), kill (and started again), cut (off from the other nodes), and the levers of the
 * driver. The first three need a cluster of `assay cluster`. Times count from the beginning of the campaign. A fault is
 * in the log from before it begins until after it has ended. At the end of the campaign all faults are undone.
 *
 * While they are suspended there is no fault, and their clock stands still: those that were lifted come back for the
 * rest of their time. */
#ifndef ASSAY_COLLECT_DRIVE_FAULT_H
#define ASSAY_COLLECT_DRIVE_FAULT_H

#include "collect/cluster/cluster.h"
#include "collect/drive/drive.h"
#include "collect/drive/log.h"

#include <stdatomic.h>

struct faults;

struct faults_settings {
    const char *text;
    assay_campaign *campaign;
    const assay_driver *driver;
    const struct cluster *kind; /* of the cluster; NULL: there is none */
    const char *folder;
    bool isolated;
};

/* Reads the text; nothing happens yet. NULL with an error. */
struct faults *faults_new(const struct faults_settings *s, assay_error *e);
void faults_start(struct faults *f); /* the campaign begins */
/* Undoes all that is there. False with an error: of this, or of an earlier one. */
bool faults_end(struct faults *f, struct drive_faults *happened, assay_error *e);

/* Undoes what is there, and returns when that is done; and brings it back. */
void faults_suspend(struct faults *f);
void faults_resume(struct faults *f);

/* How many faults are there now. */
const atomic_uint *faults_active(const struct faults *f);

/* A history begins, which knows of the faults that are there; and it ends: zero on the clock of drive_now. */
void faults_log_to(struct faults *f, struct drive_log *log, int64_t zero);
void faults_log_no_more(struct faults *f);

#endif
