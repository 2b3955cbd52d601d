/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest client program that shows a violation, as far as it can be found. */
#ifndef ASSAY_COLLECT_SHRINK_H
#define ASSAY_COLLECT_SHRINK_H

#include "collect/stress/judge.h"
#include "collect/stress/workers.h"

/* A smaller program, and its history that violates the model. */
typedef void shrink_report(void *context, const struct client *p, const char *text, size_t length);

/* Leaves out threads and calls as long as the rest still violates the model in one of many runs, or until `stop` is
 * set. Every smaller program is reported at once, since the next one may crash. Escapes if memory runs out. */
void shrink_program(const struct stress_settings *s, struct workers *c, struct client p, const _Atomic bool *stop,
                    shrink_report *report, void *context, struct mem *mem);

#endif
