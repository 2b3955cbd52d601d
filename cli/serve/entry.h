/* SPDX-License-Identifier: Apache-2.0 */
/* A file of the catalogue: its kind, and the records or grades that it has.
 *
 * Files of records only grow while they are written. So the entry remembers how far it has read, and the last bytes
 * before that place. If these are still there, the lines behind them are new; else the file is read anew. A line counts
 * once its end is there. If it is too long, or no JSON object, its number alone is kept. Lines beyond the share of the
 * file are left out. */
#ifndef ASSAY_CLI_SERVE_ENTRY_H
#define ASSAY_CLI_SERVE_ENTRY_H

#include "serve/kind.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

enum {
    ENTRY_LINE = 64 << 10, /* bytes of a line that is shown */
    ENTRY_TAIL = 64,       /* bytes that are remembered to know the file again */
    ENTRY_GRADES = 16,
};

struct record {
    uint64_t line; /* from 1 */
    char *text;    /* a JSON object, or NULL */
};

struct grade {
    uint32_t index; /* of the history in its file */
    char *json;
};

struct entry {
    char *path;
    enum kind kind;
    struct stat about;
    uint64_t scan; /* the last one that has seen it */

    off_t taken; /* bytes of the lines that were read */
    char tail[ENTRY_TAIL];
    size_t tail_n;
    uint64_t lines;
    struct record *records;
    size_t n, cap;
    size_t bytes; /* that the records take */
    bool clipped; /* there are more lines */

    struct grade grades[ENTRY_GRADES];
    size_t graded;
};

struct entry *entry_new(const char *path);
void entry_free(struct entry *e);

/* Without its content. */
void entry_clear(struct entry *e);

/* Is this the file whose lines were read, perhaps with more lines behind them? */
bool entry_continues(const struct entry *e, const struct stat *about, int file);

/* Reads the new lines, as long as the records of the entry take at most `most` bytes. */
void entry_take_lines(struct entry *e, int file, size_t most);

/* Takes the place of an older grade of this history; of too many, the oldest goes. */
void entry_grade(struct entry *e, uint32_t index, const char *json);

/* The file as JSON, without the closing brace; and a record, behind a brace or a comma. */
void entry_put(const struct entry *e, FILE *to);
void entry_put_record(const struct record *r, char before, FILE *to);

#endif
