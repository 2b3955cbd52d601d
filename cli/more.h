/* SPDX-License-Identifier: Apache-2.0 */
/* The line behind the reports of a run that names the patterns in them: what they mean, `assay explain` says. */
#ifndef ASSAY_CLI_MORE_H
#define ASSAY_CLI_MORE_H

#include "assay.h"

#include <stddef.h>

struct more {
    const char **patterns; /* each once, in the order of their appearance; they are the library's */
    size_t n;
};

/* Of a result that is a violation with a pattern the name without what else is part of the cycle; else NULL. */
const char *more_pattern(const assay_result *r);

void more_add(struct more *m, const char *pattern); /* NULL: nothing */
void more_print(const struct more *m);              /* `  more: assay explain WriteSkew`; nothing without patterns */
void more_free(struct more *m);

#endif
