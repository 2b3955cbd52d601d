/* SPDX-License-Identifier: Apache-2.0 */
/* A folder of pages: one for each history, and an index.html that lists the verdicts and links to them.
 *
 * The name of a page is made of the history's: letters, digits, `.`, `_` and `-` stay, all else becomes `_`. A number
 * tells equal names apart. So no name leads out of the folder. */
#ifndef ASSAY_CLI_PAGES_H
#define ASSAY_CLI_PAGES_H

#include "pool.h"

struct page_row { /* a result in the index */
    char *json;   /* an open object: the name of the page follows */
    size_t page;  /* of its history */
};

struct page_file {
    char *history; /* "FILE#INDEX": the results of one history come one after another */
    char *name;
    char *text; /* NULL: it is written, or there is none */
    size_t size;
};

struct pages {
    const char *folder;
    struct page_row *rows;
    struct page_file *files;
    size_t row_n, row_cap, file_n, file_cap;
};

/* Does the name mean a folder: does it end in a slash, or is it one? */
bool pages_folder(const char *name);

/* In a worker: the row of a result. */
void pages_describe(struct record *rec, const assay_history *h, const assay_result *r, const char *file,
                    uint32_t index);
/* The row of an error, which has no page. index < 0: of the whole file; model: NULL if it is about none. */
void pages_describe_error(struct record *rec, const char *file, long long index, const char *model,
                          const assay_error *e);
/* In the main thread: keeps the record's row, and writes its page, unless another file is open: then later. False, with
 * a message. */
bool pages_add(struct pages *p, const struct record *rec, bool later);
/* Writes the pages that wait, and the index. False, with a message. */
bool pages_close(struct pages *p);
void pages_free(struct pages *p);

#endif
