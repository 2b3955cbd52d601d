/* SPDX-License-Identifier: Apache-2.0 */
/* Which files are results? A file counts by its name, and a file of JSON Lines by its first line. For histories,
 * journals, evidence and the output of --json all bear the same extension. */
#ifndef ASSAY_CLI_SERVE_KIND_H
#define ASSAY_CLI_SERVE_KIND_H

#include <stdbool.h>
#include <sys/stat.h>

enum kind {
    KIND_NONE, /* no result: it is neither listed nor shown */
    KIND_JOURNAL,
    KIND_EVIDENCE,
    KIND_RESULTS, /* check, grade, stale --json */
    KIND_MONITOR, /* monitor --json */
    KIND_STRESS,  /* stress --json */
    KIND_HISTORY,
    KIND_PAGE,
    KIND_PICTURE,
};

const char *kind_name(enum kind k);
/* Are its lines records, which are listed one by one? */
bool kind_has_records(enum kind k);

/* The kind of the file at `path`, which is open, or of a folder of logs. `root`: the folder of the path; it is asked
 * only where several formats have the extension. */
enum kind kind_of(const char *root, const char *path, int file, const struct stat *about);

#endif
