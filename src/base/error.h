/* SPDX-License-Identifier: Apache-2.0 */
/* Errors: filling in an assay_error (its fields are documented in assay.h). The first error stays: its consequences
 * would only hide it. */
#ifndef ASSAY_BASE_ERROR_H
#define ASSAY_BASE_ERROR_H

#include "assay.h"
#include "base/escape.h"

void error_set(assay_error *e, assay_error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));
void error_copy(assay_error *e, const assay_error *from); /* from may be no error */
void error_place(assay_error *e, const char *file, uint64_t line, uint64_t column);
void error_remedy(assay_error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds the name to a list for a message, "a, b, c", unless there is no room for it. */
void error_list(char *list, size_t size, const char *name);

/* The error that an escape stands for; an ESCAPE_ERROR has been filled in already. */
void error_from_escape(assay_error *e, enum escape reason);

#endif
