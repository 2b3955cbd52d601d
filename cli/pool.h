/* SPDX-License-Identifier: Apache-2.0 */
/* Workers over many files whose output appears in the order of the files, in any order of finishing.
 *
 * Idea: a worker turns a file into records (pieces of output). The main thread alone prints, always from the first file
 * that is not finished. So records of that file appear as they come, and records of later files wait. The caller
 * decides while printing (stop at the first violation, the exit status). So its decisions depend on the order of the
 * files only: they are the same for any number of workers.
 *
 * When the work is stopped, a worker may be stuck in a read that cannot be ended. It gets a moment, then it is left
 * behind: pool_run returns false, its memory is not freed, and the program must end with _exit. */
#ifndef ASSAY_CLI_POOL_H
#define ASSAY_CLI_POOL_H

#include "assay.h"
#include "paths.h"

#include <stdbool.h>
#include <stdio.h>

enum stream { TO_OUTPUT, TO_ERRORS, TO_EVIDENCE, TO_HTML, TO_ROW, TO_DOT, TO_SVG, TO_TIKZ, TO_JUNIT, STREAMS };

struct task;

struct record {
    struct record *next;
    struct task *task; /* of the worker that fills it; may be NULL */
    FILE *open[STREAMS];
    char *text[STREAMS]; /* NULL: nothing was written there */
    size_t size[STREAMS];
    int status;          /* the exit status that this alone would give */
    bool violates;       /* its page and its pictures are about a violation */
    char *chosen;        /* the model, if the user named none; else NULL */
    const char *pattern; /* of a violation whose report is text (more.h); else NULL. It is the library's */
    char *history;       /* for an index of pages (pages.h): "FILE#INDEX"; else NULL */

    /* To count results by (tally.h, junit.h): */
    int outcome;     /* an exit status, or one of tally.h; -1: this is no result, nor an error in its place */
    size_t file;     /* its number */
    long long index; /* the history in the file; -1: the whole file */
    double seconds;
};

struct pool;

struct task {
    struct pool *pool;
    const char *file;
    long long only;    /* the history that is meant, or -1: all */
    size_t number;     /* of the file */
    const char *named; /* the file's name in evidence, or NULL (paths_named) */
};

struct record *record_new(void);
FILE *record_stream(struct record *r, enum stream s); /* opened when first asked for */
/* It is the result of a history of the task's file. */
void record_judged(struct record *r, const struct task *t, long long index, int outcome);
void record_drop(struct record *r);               /* instead of handing it over */
void task_emit(struct task *t, struct record *r); /* hands it over */
/* The file's history is being shrunk, and so many operations are left; 0: it no longer is. Shown on a terminal. */
void task_shrinking(struct task *t, uint32_t operations);

struct pool_calls {
    void *context;
    void (*work)(void *context, struct task *t);          /* in a worker: emits the records of a file */
    bool (*print)(void *context, const struct record *r); /* in the main thread; false: stop */
    bool quiet;                                           /* no progress on a terminal */
};

bool pool_run(const struct paths *files, unsigned workers, const struct pool_calls *calls);

#endif
