/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger: the figures of a run as JSON, for `assay-bench compare` (bench/compare.h).
 *
 * A figure is a cost: smaller is better. Its name is the command that repeats it, where there is one. It has a value
 * for each round, so that the spread tells how much of a difference is noise. */
#ifndef ASSAY_BENCH_LEDGER_H
#define ASSAY_BENCH_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

enum { LEDGER_ROUNDS = 5 }; /* at least so many, where rounds are cheap */

struct ledger;

/* NULL: there is no memory. */
struct ledger *ledger_new(const char *command);
void ledger_free(struct ledger *l);

/* Seconds, and megabytes. l may be NULL: then nothing is noted. */
void ledger_time(struct ledger *l, const char *name, const char *measure, const double *seconds, size_t n);
void ledger_memory(struct ledger *l, const char *name, const double *megabytes, size_t n);

/* Writes all of it. False, with a message. */
bool ledger_save(struct ledger *l, const char *file);

#endif
