/* SPDX-License-Identifier: Apache-2.0 */
/* FILE#N: one history of a file that holds several. They are counted from 0, as reports name them. */
#ifndef ASSAY_CLI_SELECTED_H
#define ASSAY_CLI_SELECTED_H

#include "assay.h"

struct selected {
    char *file;
    long long index; /* -1: all histories of the file */
};

/* A file that is there under the whole name is meant as a whole. The caller frees the file's name. */
struct selected selected_of(const char *name);

/* The next history of the reader, or the only one that is meant; -1: all are. *index has the number of histories before
 * it, and is 0 at first. NULL at the end, or with an error; that there is no such history is one. */
assay_history *selected_next(long long only, assay_reader *reader, uint32_t *index, assay_error *e);

#endif
