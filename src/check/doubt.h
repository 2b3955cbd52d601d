/* SPDX-License-Identifier: Apache-2.0 */
/* Verdicts about a file whose last line may be cut (history/last_line.h). */
#ifndef ASSAY_CHECK_DOUBT_H
#define ASSAY_CHECK_DOUBT_H

#include "check/check.h"

/* May the violation be believed? Its refutation must not rest on the last line. And the history must violate the model
 * without what may go on of that line. Else false, with an error. */
bool doubt_allows(const struct checker *c, const result *r, assay_error *e);

/* What is certain of the history: *out, or h itself. False, with an error: that is not known. The caller frees *out if
 * it is another one. */
bool doubt_left_out(const history *h, const struct model *m, int64_t skew, history **out, assay_error *e);

#endif
