/* SPDX-License-Identifier: Apache-2.0 */
/* Folders that are one history, as `assay check` takes them. One kind has logs, one for each session. The other is the
 * folder of a Jepsen test, in which history.edn is the history. No link in such a folder is followed. */
#ifndef ASSAY_CLI_SERVE_WHOLE_H
#define ASSAY_CLI_SERVE_WHOLE_H

#include <stdbool.h>
#include <sys/stat.h>

/* Is this the name of a log? */
bool whole_log(const char *name);
/* Has the folder logs, at least one, and is there no link among them? Then `about`, which is the state of
 * the folder, gets the bytes of all logs and the time of the last change of one. Whether the logs are a history is left
 * to their content. */
bool whole_logs(int folder, struct stat *about);

/* The file with the history of a Jepsen test; NULL: it is no folder of such a test. */
const char *whole_jepsen(int folder);
/* Does this entry of such a folder say the same once more, as history.txt does, and the folder `independent`? Reports
 * that were put there count. */
bool whole_repeats(const char *history, const char *name, bool is_folder);

#endif
