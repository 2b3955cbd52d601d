/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a cluster: making it safely, its lock, and removing it. */
#ifndef ASSAY_COLLECT_CLUSTER_FOLDER_H
#define ASSAY_COLLECT_CLUSTER_FOLDER_H

#include "collect/cluster/site.h"

/* Makes the folder, and the default one above it, where they do not exist. Others can guess their paths in /tmp, so
 * they must be ours, and writable for us alone. The folder may hold nothing but a cluster. */
bool folder_make(struct site *s, assay_error *e);

/* The lock says whether a supervisor lives: it holds the lock until it ends, however that happens. */
enum folder_lock { FOLDER_LOCKED, FOLDER_BUSY, FOLDER_ABSENT, FOLDER_FAULT };
/* LOCKED: *lock is ours, to be closed. BUSY: a supervisor lives. ABSENT: there is no folder or,
 * unless it is to be made, no lock. */
enum folder_lock folder_lock(const struct site *s, bool make, int *lock, assay_error *e);

/* Does it hold files of a cluster, besides the lock? */
bool folder_used(const struct site *s);

/* Removes the files of a cluster and, if nothing else is in it, the folder. The caller has the lock. */
void folder_remove(const struct site *s);

/* The socket of the supervisor, by a path that is short enough wherever the folder is. False: no such folder. */
enum { FOLDER_SOCKET = 64 };
bool folder_socket(const struct site *s, int *folder, char out[FOLDER_SOCKET]);

#endif
