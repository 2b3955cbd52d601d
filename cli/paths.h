/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the user means: files as named, directories as the history files in them. */
#ifndef ASSAY_CLI_PATHS_H
#define ASSAY_CLI_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct paths {
    char **at;
    size_t n, cap;
};

/* Adds the file (or -), or the files of a directory, in sorted order. A file that is named is taken as it is; of a
 * directory only files whose extension a format knows. Where several do (.log), one must recognise the content, too,
 * unless the user has named the format. Else the file is left out, with a warning. A directory that is one history is
 * taken as such. False, with a message, on a fault. */
bool paths_add(struct paths *p, const char *name, bool format_given);

/* Is one of the files to be read this one, by its name or by being the same file under another? Standard input counts,
 * too; a file that is not regular, such as /dev/null, does not. */
bool paths_hold(const struct paths *p, const char *name);
void paths_free(struct paths *p);

#endif
