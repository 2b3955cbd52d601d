/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a run that goes on for long: JSON Lines, appended as it goes, so that `assay serve` can follow it.
 *
 * It is the format of drive's journal (docs/guides/databases.md): the first line describes the run, the others its
 * history. Here the run is one history, and every line says how far it is: the last one counts. Lines come about every
 * second at first, and later at a tenth of the time that has passed, up to a minute. So the file of a long run stays
 * small. Each line is written at once: a reader meets whole lines, but for the last one after a crash. */
#ifndef ASSAY_CLI_RUN_JOURNAL_H
#define ASSAY_CLI_RUN_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct run_journal {
    char *name; /* NULL: there is no journal, and all calls do nothing */
    int file;
    int fault;          /* errno of the first failure to write, or 0 */
    double begun, last; /* on the monotonic clock */
    char *text;         /* of the line that is being written */
    size_t size;
};

/* Begins a journal, in place of an older file; in the folder, unless that is NULL. NULL name: none. False, with a
 * message, on a fault. */
bool run_journal_open(struct run_journal *j, const char *folder, const char *name);

/* Is it time for a line? */
bool run_journal_due(const struct run_journal *j);
double run_journal_seconds(const struct run_journal *j); /* since the begin */

/* A line: a stream to write a JSON object to, and its end. NULL: there is no journal. */
FILE *run_journal_line(struct run_journal *j);
void run_journal_write(struct run_journal *j, FILE *line);

/* False, with a message, if anything could not be written. */
bool run_journal_close(struct run_journal *j);

#endif
