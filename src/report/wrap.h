/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are too wide for a terminal, broken between words. A line goes on below, two columns further in. */
#ifndef ASSAY_REPORT_WRAP_H
#define ASSAY_REPORT_WRAP_H

#include "base/text.h"

void wrap(struct text *out, const char *lines, uint32_t columns);

#endif
