/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that are too wide for their place, with an ellipsis in the middle: the method and the result stay as long as
 * they can. Words are never broken, so neither are characters: `txn(r x 1, ... z 3)`. */
#ifndef ASSAY_REPORT_ABBREVIATE_H
#define ASSAY_REPORT_ABBREVIATE_H

#include "base/text.h"

/* Adds the text, abbreviated to so many columns. A text whose first word alone is wider stays wider. */
void abbreviate(struct text *out, const char *text, uint32_t columns);

/* The fewest columns to which the text is abbreviated in a table: fewer would tell nothing. */
uint32_t abbreviate_least(const char *text);

#endif
