/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay stress` says in the end: a crash, a violation with the program that shows it, or how much of a chance a
 * run that found nothing had. */
#ifndef ASSAY_CLI_STRESS_REPORT_H
#define ASSAY_CLI_STRESS_REPORT_H

#include "stress_files.h"

void stress_text(const struct stress_settings *s, const struct stress_outcome *o, struct stress_files *x);
/* One object of JSON, with the name of the model as it was given; NULL: it was not. */
void stress_object(const struct stress_settings *s, const struct stress_outcome *o, struct stress_files *x,
                   const char *model);

#endif
