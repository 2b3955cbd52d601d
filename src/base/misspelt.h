/* SPDX-License-Identifier: Apache-2.0 */
/* Is a word another one with mistakes? */
#ifndef ASSAY_BASE_MISSPELT_H
#define ASSAY_BASE_MISSPELT_H

#include <stddef.h>
#include <stdint.h>

/* How many letters are wrong; 0 also of an abbreviation. SIZE_MAX: more than a third, so that it is another word.
 * Words of one or two letters must match exactly, for nearly every other word is near them. */
size_t misspelt(const char *typed, const char *known);

#endif
