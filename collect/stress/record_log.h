/* SPDX-License-Identifier: Apache-2.0 */
/* The calls in a log of the recorder (assay_record_open_log, assay_record_open_shared), whose program may have been
 * killed.
 *
 * The bytes are laid out as the recorder that wrote them, whose own writer then does the rest. Nothing in them is
 * believed: each size, count, kind and text is checked first. */
#ifndef ASSAY_COLLECT_RECORD_LOG_H
#define ASSAY_COLLECT_RECORD_LOG_H

#include "assay_record.h"

#include <stdbool.h>

struct record_log {
    char *bytes; /* the caller's; texts are found in place */
    size_t size;
    assay_recorder recorder; /* for assay_record_write */
    bool closed;             /* its program closed it */
    unsigned long long returned, pending;
    const char *fault; /* why it cannot be read */
};

/* False: `fault` says why. Either way record_log_release. */
bool record_log_read(struct record_log *l, char *bytes, size_t size);
/* A copy of the log of a recorder that another process may be writing to: at some moment it was so. malloc; NULL: no
 * memory, or it changed again and again. */
char *record_log_copy(const assay_recorder *r, size_t *size);
/* To be called before another process writes to the log. Its own tapes do not know how far the one before has written,
 * so assay_record_clear there would leave calls and texts, which look like those of its first run. */
void record_log_wipe(const assay_recorder *r);

void record_log_release(struct record_log *l); /* not the bytes */

#endif
