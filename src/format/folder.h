/* SPDX-License-Identifier: Apache-2.0 */
/* A directory whose logs are one history, as T0.log, T1.log and so on, one per session. Other files may lie beside
 * them. */
#ifndef ASSAY_FORMAT_FOLDER_H
#define ASSAY_FORMAT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct folder {
    char **paths; /* of its logs, T2.log before T10.log */
    size_t n;
};

enum folder_found {
    FOLDER_LOGS,
    FOLDER_OTHER, /* it cannot be read, or has no log that belongs */
    FOLDER_NO_MEMORY,
};

bool folder_is_log(const char *path); /* by its name */

/* Is the log at this path, which has the name of one, a part of such a history? */
typedef bool folder_belongs(const char *path);

/* Hidden entries, directories and files of other names do not count. The caller frees it in any case. */
enum folder_found folder_open(struct folder *f, const char *path, folder_belongs *belongs);
void folder_free(struct folder *f);

/* The directory of this log, if another log in it belongs to the same history, for the caller to free; NULL: there is
 * none, or no memory. */
char *folder_shared(const char *log, folder_belongs *belongs);

#endif
