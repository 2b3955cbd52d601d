/* SPDX-License-Identifier: Apache-2.0 */
/* What is written can be read again and is the same history. */
#ifndef ASSAY_TESTS_SUPPORT_REWRITE_H
#define ASSAY_TESTS_SUPPORT_REWRITE_H

#include "assay.h"

/* Writes h in this format and reads it. NULL if it came back the same, else what is wrong, in static
 * memory. An empty history that leaves no trace in the text is the same. */
const char *rewrite_fault(const assay_history *h, const char *format);

#endif
