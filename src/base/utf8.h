/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8: where a text stops being it. */
#ifndef ASSAY_BASE_UTF8_H
#define ASSAY_BASE_UTF8_H

/* The first byte that is not part of a character (overlong forms and surrogates count), or NULL. */
const char *utf8_fault(const char *p, const char *end);

#endif
