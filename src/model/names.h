/* SPDX-License-Identifier: Apache-2.0 */
/* Other names of models: those of database manuals, of Adya's thesis and of Jepsen. */
#ifndef ASSAY_MODEL_NAMES_H
#define ASSAY_MODEL_NAMES_H

#include <stdbool.h>

struct model_name {
    const char *name, *model;
    const char *meaning; /* how the model differs from other readings of the name; or NULL */
};

const struct model_name *model_name_find(const char *name); /* or NULL */

/* Are these the same in any case, with a dash or a blank between words? */
bool model_name_same(const char *a, const char *b);

#endif
