/* SPDX-License-Identifier: Apache-2.0 */
/* The final reads of a history: all that was written is read at every node, after the sessions have ended and the
 * faults have healed. durability.h judges what they return. */
#ifndef ASSAY_COLLECT_DRIVE_FINAL_H
#define ASSAY_COLLECT_DRIVE_FINAL_H

#include "collect/drive/session.h"

/* Writes them to the run's log. They are repeated until all nodes give the same answers, for `settle` seconds at most;
 * the log says which. No thread but this one is at work. Operations that may be left in a queue: `operations`. */
void drive_final_reads(struct drive_run *r, uint64_t operations, assay_error *e);

#endif
