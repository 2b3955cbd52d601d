/* SPDX-License-Identifier: Apache-2.0 */
/* A file format: how to recognise, read and write it. Members are listed in format.def. */
#ifndef ASSAY_FORMAT_FORMAT_H
#define ASSAY_FORMAT_FORMAT_H

#include "format/input.h"
#include "history/history.h"

#include <stdio.h>

struct writing {
    const char *variant; /* the text behind the format's name and a colon, or NULL */
    uint32_t index;      /* which history of the output, from 0 */
    struct mem *mem;     /* for working memory; the caller releases it */
    FILE *out;
    assay_error *e; /* faults are raised as escapes after filling it in */
};

struct format {
    const char *name, *title;
    const char *const *extensions; /* ".hist", up to NULL */
    bool shared_extension;         /* other files have it, too: in a directory the content must be recognised */
    const char *const *variants; /* accepted after a colon, up to NULL; or NULL. A reader finds its own in the input */
    /* How sure it is that a file with these first bytes is its own: 0 not at all .. 100. NULL:
     * cannot read. */
    int (*recognise)(const char *bytes, size_t n);
    /* The next history into *h, as soon as it exists, so that it is freed when the reader
     * escapes; false at the end of the file. Faults are raised as escapes after filling in e. */
    bool (*read)(struct input *in, history **h, struct warnings *warnings, assay_error *e);
    /* A directory of its files is one history (input_next_file). Are these the first bytes of one of them, which may be
     * cut or damaged? NULL: each file is a history. */
    bool (*folder)(const char *bytes, size_t n);
    /* NULL: cannot write. */
    void (*write)(const history *h, const struct writing *w);
};

/* For writers: the history must be one of a memory, with calls as its object has them; else an
 * escape. */
void format_needs_memory(const history *h, const struct writing *w, const char *format);

extern const struct format *const format_table[];                         /* up to NULL */
const struct format *format_find(const char *name, const char **variant); /* or NULL */

#endif
