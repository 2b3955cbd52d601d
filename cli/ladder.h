/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder of models as a tree: a model hangs under the strongest one that it implies; other parents are named in
 * words. */
#ifndef ASSAY_CLI_LADDER_H
#define ASSAY_CLI_LADDER_H

#include <stddef.h>
#include <stdio.h>

struct ladder_mark { /* the text about a model */
    const char *verdict;
    const char *paint; /* the verdict's color, as a terminal's code, or NULL */
    char *details;     /* or NULL */
};

struct ladder {
    const char *const *models; /* weakest first */
    const struct ladder_mark *marks;
    size_t n;
    size_t columns; /* of the terminal; 0: lines are as wide as they are */
};

void ladder_draw(const struct ladder *l, FILE *out);

#endif
