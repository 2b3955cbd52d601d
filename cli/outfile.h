/* SPDX-License-Identifier: Apache-2.0 */
/* Files that the program writes: whole, or not at all.
 *
 * Idea: a regular file is written beside its place, under a unique name, and takes its place once all of it is written.
 * Until then the old file stays, even after a full disk, a fault or a signal. A reader of the file never meets half a
 * history, which could be a false violation. A run that is cut short leaves its complete records in FILE.part instead.
 * Pipes, devices and standard output are written as they are. */
#ifndef ASSAY_CLI_OUTFILE_H
#define ASSAY_CLI_OUTFILE_H

#include "assay.h"

#include <stdbool.h>
#include <stdio.h>

struct outfile {
    const char *name; /* as the user calls it */
    char *own;        /* the memory of the name, if it was put together */
    FILE *stream;     /* to write to; NULL: not open */
    char *place;      /* where it will stand: links are followed. NULL: it is written directly */
    char *temporary, *part;
    char *kept, *lost;  /* messages if it is cut short: some records are complete; none is */
    long long complete; /* so many bytes are complete records */
    int fault;          /* why the stream has an error, if it is known */
};

/* False, with a message. NULL and - are standard output. One file at a time is open. */
bool outfile_open(struct outfile *f, const char *name);

/* Makes the folder, if it is not there; NULL is fine. False, with a message. */
bool outfile_folder(const char *name);
/* The file of this name in the folder. */
bool outfile_open_in(struct outfile *f, const char *folder, const char *name);
/* Writes the history as .hist and closes the file. False, with a message. */
bool outfile_history(struct outfile *f, const assay_history *h);

/* All that was written so far is complete. The stream has an error if it cannot be written. */
void outfile_record(struct outfile *f);

/* How the writing ended. CUT: before everything was written; complete records go to FILE.part, and a message says
 * so. */
enum outfile_end { OUTFILE_WHOLE, OUTFILE_CUT, OUTFILE_FAILED };

/* False, with a message, if something could not be written; not for OUTFILE_CUT and OUTFILE_FAILED, whose reason the
 * caller knows. A file that is not open is fine. */
bool outfile_close(struct outfile *f, enum outfile_end end);

/* The whole file at once. False, with a message. */
bool outfile_write(const char *name, const char *text, size_t size);

/* For ways out in the middle, signal handlers among them: as OUTFILE_CUT, for the file that is open. */
void outfile_abandon(void);

/* Is this standard output: - or NULL, or the file that standard output goes to? */
bool outfile_standard(const char *name);

/* Would one of these two outputs overwrite the other? They are names of one file, or would become one file. */
bool outfile_same(const char *a, const char *b);

struct outfile_option {
    const char *option, *name; /* NULL: no file */
};
/* Does no output overwrite another one? Else it complains. */
bool outfile_apart(const char *command, const struct outfile_option *outputs, size_t n);

#endif
