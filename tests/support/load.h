/* SPDX-License-Identifier: Apache-2.0 */
/* Histories from text in memory, the way a file is read but without a file. */
#ifndef ASSAY_TESTS_SUPPORT_LOAD_H
#define ASSAY_TESTS_SUPPORT_LOAD_H

#include "assay.h"

/* The first history of a .hist text. NULL with e filled in on an error, NULL alone when there is
 * none. */
assay_history *load_text(const char *text, assay_error *e);

/* Each history of the bytes, in turn; it is freed when `each` returns. `format` is a name of `assay
 * list formats`. Returns how many there were; e is filled in if reading ended with an error. */
size_t load_each(const char *format, const char *bytes, size_t n, void (*each)(assay_history *h, void *arg), void *arg,
                 assay_error *e);

#endif
