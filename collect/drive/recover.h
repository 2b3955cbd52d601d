/* SPDX-License-Identifier: Apache-2.0 */
/* From the raw log to the history. */
#ifndef ASSAY_COLLECT_DRIVE_RECOVER_H
#define ASSAY_COLLECT_DRIVE_RECOVER_H

#include "assay.h"
#include "collect/drive/durability.h"
#include "collect/drive/log.h"

#include <stdio.h>

struct drive_counts { /* operations of sessions by outcome */
    uint64_t committed, aborted, unknown;
    bool complete;  /* the log has its end */
    int64_t lasted; /* nanoseconds until the last of them */
    struct drive_durability durability;
};

static inline uint64_t drive_operations(const struct drive_counts *c)
{
    return c->committed + c->aborted + c->unknown;
}

/* Counts the operations of a history that was made from a log. */
bool drive_count(FILE *history, struct drive_counts *counts);

/* Is the file such a log? */
bool drive_log_recognised(const char *path);

/* Writes the history of the log as .hist. A call without an outcome is one whose outcome is unknown. False with an
 * error. The caller checks `to` for errors. */
bool drive_recover(const char *path, FILE *to, struct drive_counts *counts, assay_error *e);
/* The same from a stream that can be rewound; `name` is for errors. */
bool drive_recover_from(FILE *from, const char *name, FILE *to, struct drive_counts *counts, assay_error *e);

#endif
