/* SPDX-License-Identifier: Apache-2.0 */
/* The demands of a model on a history, for the rest of src/check. */
#ifndef ASSAY_CHECK_APPLIES_H
#define ASSAY_CHECK_APPLIES_H

#include "check/check.h"

/* False with an error, or, when building the view ran out of a budget, with the reason in *left. The checker then uses
 * the view that the model asks for. */
bool applies_model(struct checker *c, const struct model *m, enum escape *left, assay_error *e);

/* Are values unique, where the model asks for that and the need is not lifted? */
bool applies_values(const struct checker *c, const struct model *m, unsigned lifted);
/* The error that values are not unique, with the operations, for a model or engine of that name. The caller gives the
 * remedy. */
void applies_refuse_values(const struct checker *c, const char *name, assay_error *e);

#endif
