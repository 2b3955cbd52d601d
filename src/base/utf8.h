/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: where a text stops being it, and how wide it is. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The character at p, before end, and how many bytes it takes; 0: there is none. */
size_t utf8_next(const char *p, const char *end, uint32_t *character);

/* The first byte that is not part of a character (overlong forms and surrogates count), or NULL. */
const char *utf8_fault(const char *p, const char *end);

/* The number of columns that a text takes on a terminal, by the blocks of wide characters and combining marks; the same
 * in every locale. */
size_t utf8_width(const char *text, size_t n);

#endif
