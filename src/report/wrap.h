/* SPDX-License-Identifier: Apache-2.0 */
/* Lines that are too wide for a terminal, broken between words. A line goes on below, `indent` columns in; 0: two
 * columns further in than it began. */
#ifndef ASSAY_REPORT_WRAP_H
#define ASSAY_REPORT_WRAP_H

#include "base/text.h"

void wrap_in(struct text *out, const char *lines, uint32_t columns, uint32_t indent);
static inline void wrap(struct text *out, const char *lines, uint32_t columns)
{
    wrap_in(out, lines, columns, 0);
}

#endif
