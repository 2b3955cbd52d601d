/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a result as a line of text, for recheck. */
#ifndef ASSAY_TESTS_SUPPORT_EVIDENCE_LINE_H
#define ASSAY_TESTS_SUPPORT_EVIDENCE_LINE_H

#include "assay.h"

/* As that of the first history of a file; the caller frees it. NULL: there is none. */
char *evidence_line(const assay_result *r);

#endif
