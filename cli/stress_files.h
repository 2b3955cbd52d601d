/* SPDX-License-Identifier: Apache-2.0 */
/* The files of `assay stress`, in the folder of --out or here: the distinct histories of each program, programs that
 * can be run again, the violation as it was found and as it was shrunk, and the journal. */
#ifndef ASSAY_CLI_STRESS_FILES_H
#define ASSAY_CLI_STRESS_FILES_H

#include "outfile.h"
#include "run_journal.h"

#include "assay.h"
#include "collect/collect.h"

#include <stdbool.h>

#define CRASH_CLIENT "crash.client"
#define VIOLATION_CLIENT "violation.client"
#define VIOLATION_HISTORY "violation.hist"
#define VIOLATION_PART "violation-part.hist"
#define FOUND_CLIENT "violation-found.client" /* before it was shrunk */
#define FOUND_HISTORY "violation-found.hist"

struct stress_files {
    const char *folder;                                       /* NULL: here */
    const char *name, *load, *spec, *initial, *roles, *waits; /* of the command that runs a program again */
    char path[256];
    struct outfile file; /* of histories, */
    uint64_t program;    /* those of this program */
    struct run_journal journal;
};

/* A distinct history of that program, and a program that has shown a violation. False, with a message. */
bool stress_files_history(struct stress_files *x, uint64_t program, const char *text, size_t length);
bool stress_files_program(struct stress_files *x, uint64_t program, const char *client);

/* A client program, with a line that says how it came about, and the command that runs it again; NULL: none. */
bool stress_files_client(struct stress_files *x, const char *name, const char *how, const char *client);
/* The smallest program found, its whole history, and the part that is enough; those that were found first. */
bool stress_files_violation(struct stress_files *x, const struct stress_outcome *o);

/* The path of a file, good until the next call; the command that runs the program in it again. */
const char *stress_files_path(struct stress_files *x, const char *name);
void stress_files_replay(FILE *to, struct stress_files *x, const char *name);

void stress_journal_begin(struct run_journal *j, const struct stress_settings *s);
void stress_journal_progress(struct run_journal *j, uint64_t runs);
void stress_journal_end(struct run_journal *j, const struct stress_settings *s, const struct stress_outcome *o);

#endif
