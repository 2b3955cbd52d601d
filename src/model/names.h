/* SPDX-License-Identifier: Apache-2.0 */
/* Other names of models: those of database manuals, of Adya's thesis and of Jepsen. */
#ifndef ASSAY_MODEL_NAMES_H
#define ASSAY_MODEL_NAMES_H

struct model_name {
    const char *name, *model;
    const char *meaning; /* how the model differs from other readings of the name; or NULL */
};

const struct model_name *model_name_find(const char *name); /* in any case; or NULL */

#endif
