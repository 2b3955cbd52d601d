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

enum stream { TO_OUTPUT, TO_ERRORS, TO_EVIDENCE, TO_HTML, TO_ROW, TO_DOT, TO_SVG, TO_TIKZ, STREAMS };

struct record {
    struct record *next;
    FILE *open[STREAMS];
    char *text[STREAMS]; /* NULL: nothing was written there */
    size_t size[STREAMS];
    int status;    /* the exit status that this alone would give */
    char *chosen;  /* the model, if the user named none; else NULL */
    char *history; /* for an index of pages (pages.h): "FILE#INDEX"; else NULL */
};

struct pool;

struct task {
    struct pool *pool;
    const char *file;
    size_t number; /* of the file */
};

struct record *record_new(void);
FILE *record_stream(struct record *r, enum stream s); /* opened when first asked for */
void record_drop(struct record *r);                   /* instead of handing it over */
void task_emit(struct task *t, struct record *r);     /* hands it over */

struct pool_calls {
    void *context;
    void (*work)(void *context, struct task *t);          /* in a worker: emits the records of a file */
    bool (*print)(void *context, const struct record *r); /* in the main thread; false: stop */
};

bool pool_run(const struct paths *files, unsigned workers, const struct pool_calls *calls);

#endif
