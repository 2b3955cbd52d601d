/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run as a file of JUnit, which continuous integration reads: a test case for each history and model.
 * A violation is a failure, with the report as its text; an undecided one is skipped; a fault is an error.
 *
 * Texts come from outside: characters that XML does not have are shown as escapes (\u001b), as on a terminal. */
#ifndef ASSAY_CLI_JUNIT_H
#define ASSAY_CLI_JUNIT_H

#include "pool.h"

struct junit {
    FILE *cases; /* NULL: none yet */
    char *text;
    size_t size, of[4]; /* of: test cases, by exit status */
    double seconds;
};

/* In a worker: the test case of a result, or of an error. index < 0: of the whole file; model: NULL if it is about
 * none. False, with an error. */
bool junit_result(struct record *rec, const assay_result *r, assay_report_options options, assay_error *e);
void junit_error(struct record *rec, const char *file, long long index, const char *model, const assay_error *e);

/* In the main thread. */
void junit_add(struct junit *j, const struct record *rec);
/* Writes the whole to the file of --junit; a file of NULL: not asked for. False, with a message. */
bool junit_write(struct junit *j, const char *file, bool cut);

#endif
