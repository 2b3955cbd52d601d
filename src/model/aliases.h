/* SPDX-License-Identifier: Apache-2.0 */
/* Other names of models: those of database manuals, of Adya's thesis and of Jepsen. */
#ifndef ASSAY_MODEL_NAMES_H
#define ASSAY_MODEL_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* A name is another one of a model only if both mean the same, or differ by what the meaning says. Else it is declined:
 * a verdict on the model would be taken for one on the name. */
struct model_name {
    const char *name, *model; /* declined: the nearest model */
    const char *meaning; /* how the model differs from other readings of the name, or NULL; declined: from the name */
    bool declined;
};

const struct model_name *model_name_find(const char *name);     /* of a model here; or NULL */
const struct model_name *model_name_declined(const char *name); /* known, and not checked; or NULL */
const struct model_name *model_name_at(size_t i);               /* NULL past the end */

/* Are these the same in any case, with a dash or a blank between words? */
bool model_name_same(const char *a, const char *b);

#endif
