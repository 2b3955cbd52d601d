/* SPDX-License-Identifier: Apache-2.0 */
/* Input: the lines of a file, a pipe or a compressed file, through one buffer of constant size.
 *
 * Only a line that is longer than the buffer makes it grow, up to INPUT_LONGEST_LINE. Beyond that the line is an error,
 * so that a gigabyte without a line end costs no gigabyte of memory. */
#ifndef ASSAY_FORMAT_INPUT_H
#define ASSAY_FORMAT_INPUT_H

#include "assay.h"
#include "base/mem.h"
#include "base/vec.h"
#include "format/folder.h"
#include "history/history.h"

#include <stdbool.h>
#include <stdint.h>

enum { INPUT_BUFFER = 256 * 1024, INPUT_LONGEST_LINE = 16 * 1024 * 1024 };

struct input;

struct line {
    const char *at, *end; /* without LF or CRLF; *end is a NUL that can be read as a sentinel */
    uint64_t number;      /* from 1 */
    bool unended;         /* the file's last line, without a line end: it may be cut. (CR alone is an end) */
    bool carriage;        /* it ended with CRLF */
};

/* "-" is standard input. A directory is opened if it has logs that belong to one history (folder.h): the first of them
 * is read, and then the others; NULL: no directory is opened. NULL with an error when it cannot be opened. Reading may
 * take `memory` bytes, the input's own buffers and those of decompression included; 0: no limit. */
struct input *input_open(const char *path, folder_belongs *belongs, size_t memory, assay_error *e);
/* Bytes in memory, which must outlive the input; `name` stands for the file in messages. */
struct input *input_from_memory(const char *name, const char *bytes, size_t n, assay_error *e);
void input_close(struct input *in);
const char *input_name(const struct input *in); /* as the user named it; "standard input" for - */

const struct folder *input_folder(const struct input *in); /* NULL: it is no directory */
const char *input_path(const struct input *in); /* of the file that is being read, which may be one of a directory */
/* Goes on with the next file of the directory, when all of the last one has been read. False: there is none. */
bool input_next_file(struct input *in, assay_error *e);

/* The variant of the format that was asked for; NULL: none. The text must outlive the input. */
void input_set_variant(struct input *in, const char *variant);
const char *input_variant(const struct input *in);

/* A new history for the operations that are read from here, within the memory that is left for it. Escapes; *out is the
 * caller's even then. */
void input_begin_history(struct input *in, history **out);

/* The first bytes, without consuming them. Faults are raised after filling in e. */
size_t input_peek(struct input *in, const char **bytes, assay_error *e);

/* The next line, valid until the next call; false at the end. Faults are raised after filling in e. */
bool input_line(struct input *in, struct line *line, assay_error *e);

/* The next n bytes, at most INPUT_BUFFER, valid until the next call; NULL: there are not so many, and nothing is taken.
 * Faults are raised after filling in e. For formats that are no text: input_line counts lines, this does not. */
const unsigned char *input_bytes(struct input *in, size_t n, assay_error *e);
/* Is there nothing left? */
bool input_at_end(struct input *in, assay_error *e);

/* The buffered bytes, where lines can be read in place: as many as there are, then INPUT_BEHIND bytes that are NUL.
 * Some whole lines of them are skipped when they have been read, or none. */
enum { INPUT_BEHIND = 64 };
const char *input_window(struct input *in);
void input_skip(struct input *in, size_t bytes, uint64_t lines);
uint64_t input_lines(const struct input *in); /* that were read or skipped */
size_t input_left(const struct input *in);    /* bytes behind these lines, as far as it is known */

/* Warnings about a history, gathered while it is read. */
struct warnings {
    struct mem mem;
    VEC(const char *) all;
    bool number_like; /* the file's first word that begins like a number has been warned of */
};
void warn(struct warnings *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
