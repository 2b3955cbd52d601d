/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts that follow from others, along the ladder of models: a model holds if a stronger one does, and is violated
 * if a weaker one is. So `check` of one model and `grade` of all give the same answers. */
#ifndef ASSAY_CHECK_INFER_H
#define ASSAY_CHECK_INFER_H

#include "check/check.h"

/* One model, as checker_run. Where no engine decides it, the models that it implies, or that imply it, are checked.
 * NULL with the error of its own check: it follows from none. */
result *infer_run(struct checker *c, const struct model *m, assay_error *e);

/* Does the model apply, but no engine decides it? `e` is the error of its check. */
bool infer_wanted(struct checker *c, const struct model *m, const assay_error *e);

/* The verdict on the model from that on another one, whose result stays as long as this one. NULL: it does not follow,
 * or with an error: no memory. */
result *infer_from(const struct checker *c, const struct model *m, const result *known, assay_error *e);

#endif
