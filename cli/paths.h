/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the user means: files as named, directories as the history files in them. */
#ifndef ASSAY_CLI_PATHS_H
#define ASSAY_CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

/* Files of a folder that were left out because of their names. */
struct paths_note {
    char *folder, *text;
};

struct paths {
    char **at;
    long long *only; /* of each file: the history that is meant, or -1: all (selected.h) */
    size_t *below;   /* of each file: where in its path the part below the user's directory begins; 0: there is none */
    size_t n, cap;
    struct paths_note *notes;
    size_t note_count;
};

/* Adds the file (or -), FILE#N, or the files of a directory, in sorted order. A file that is named is taken as it is;
 * of a directory only files whose extension a format knows. Where several do (.log), one must recognise the content,
 * too, unless the user has named the format. Else the file is left out, with a warning. A directory whose logs
 * are one history is taken as such, besides the other files in it. Of a directory of a Jepsen test only its history
 * counts. False, with a message, on a fault. */
bool paths_add(struct paths *p, const char *name, bool format_given);

/* Is one of the files to be read this one, by its name or by being the same file under another? Standard input counts,
 * too; a file that is not regular, such as /dev/null, does not. */
bool paths_hold(const struct paths *p, const char *name);

/* The name of a file in evidence: that below the user's directory, else as it was given. NULL: there is but one file,
 * and the user named it. */
const char *paths_named(const struct paths *p, size_t i);

void paths_free(struct paths *p);

#endif
