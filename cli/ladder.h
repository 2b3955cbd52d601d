/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder of models as a tree: a model hangs under the strongest one that it implies; what else
 * it implies directly is said in words. */
#ifndef ASSAY_CLI_LADDER_H
#define ASSAY_CLI_LADDER_H

#include <stddef.h>
#include <stdio.h>

struct ladder {
    const char *const *models; /* weakest first */
    size_t n;
    void *context;
    void (*mark)(void *context, size_t model,
                 FILE *out); /* what follows the model's name and title */
};

void ladder_draw(const struct ladder *l, FILE *out);

#endif
