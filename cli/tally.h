/* SPDX-License-Identifier: Apache-2.0 */
/* The closing line of a batch: the number of histories, and of their results by verdict. */
#ifndef ASSAY_CLI_TALLY_H
#define ASSAY_CLI_TALLY_H

#include "pool.h"

enum { TALLY_NO_VERDICT = 4 }; /* beside the exit statuses: a history without a verdict on any model */

struct tally {
    size_t histories, models;        /* models: of each history, if the user chose them; else 1 */
    size_t of[TALLY_NO_VERDICT + 1]; /* results, by exit status */
    size_t file;                     /* the history counted last; the results of one come one after another */
    long long index;
};

/* Counts the record, if it is a result or an error in the place of one. */
void tally_add(struct tally *t, const struct record *rec);

/* `12 histories: 10 consistent, 2 violations`; nothing for a single history. `consistent` words the first. */
void tally_print(const struct tally *t, const char *consistent, bool color, FILE *out);

#endif
