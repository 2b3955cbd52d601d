/* SPDX-License-Identifier: Apache-2.0 */
/* A directory whose files are one history: logs, as T0.log, T1.log and so on, one per session. */
#ifndef ASSAY_FORMAT_FOLDER_H
#define ASSAY_FORMAT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

struct folder {
    char **paths; /* of its files, T2.log before T10.log */
    size_t n;
};

enum folder_found {
    FOLDER_LOGS,
    FOLDER_OTHER, /* it cannot be read, has no log, or a file in it is none */
    FOLDER_NO_MEMORY,
};

/* Hidden entries and directories in it do not count. The caller frees it in any case. */
enum folder_found folder_open(struct folder *f, const char *path);
void folder_free(struct folder *f);

#endif
