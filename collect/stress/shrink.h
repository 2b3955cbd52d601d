/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest client program that shows a violation, as far as it can be found. */
#ifndef ASSAY_COLLECT_SHRINK_H
#define ASSAY_COLLECT_SHRINK_H

#include "collect/stress/judge.h"
#include "collect/stress/shared_run.h"
#include "collect/stress/workers.h"

/* A smaller program, its history that violates the model, and the seed of the run. */
typedef void shrink_report(void *context, const struct client *p, uint64_t seed, const char *text, size_t length);

/* Leaves out threads and calls as long as the rest still violates the model, with the pattern, in one of many runs:
 * until that time, or until `stop` is set. Every smaller program is reported at once, since the next one may crash, or
 * its calls may wait for ever. Then another process goes on: it passes over the candidates that the first one began in
 * vain. Escapes if memory runs out. */
void shrink_program(const struct stress_settings *s, struct workers *c, struct client p, const char *pattern,
                    double until, struct shared_run *run, shrink_report *report, void *context, struct mem *mem);

#endif
