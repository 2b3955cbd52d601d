/* SPDX-License-Identifier: Apache-2.0 */
/* The history that a line of evidence is about, among those of the command line.
 *
 * A line of a batch names its file as `assay check` saw it: below a directory, or as it was given. A file fits if it is
 * called so. If none is, a file fits if one of the two paths ends in the other: evidence may be rechecked from another
 * folder. Only files of the command line are ever opened, so no name in evidence leads elsewhere. */
#ifndef ASSAY_CLI_BATCH_H
#define ASSAY_CLI_BATCH_H

#include "paths.h"

#include "assay.h"

enum batch_found { BATCH_FOUND, BATCH_LEFT_OUT, BATCH_FAULT };

/* FOUND: *at is the number of the file. LEFT_OUT: FILE#N chose other histories. */
enum batch_found batch_find(const struct paths *files, const assay_claim *claim, size_t *at, assay_error *e);

#endif
