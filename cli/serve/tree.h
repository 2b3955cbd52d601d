/* SPDX-License-Identifier: Apache-2.0 */
/* The folder that is served, and nothing else of the file system.
 *
 * Idea: a path is followed component by component, each opened relative to the one before, and no link is followed. So
 * neither `..` nor a link nor a rename at the wrong moment leads out of the folder. Hidden entries, entries that are
 * neither files nor folders, and names that are not UTF-8 do not exist here. */
#ifndef ASSAY_CLI_SERVE_TREE_H
#define ASSAY_CLI_SERVE_TREE_H

#include <stdbool.h>
#include <sys/stat.h>

enum { TREE_PATH = 4096, TREE_DEPTH = 32 };

struct tree {
    const char *name; /* as the user named it */
    int root;
};

bool tree_open(struct tree *t, const char *folder); /* false: errno says why */
void tree_close(struct tree *t);

/* May there be a file of this name? Components between single slashes, none of them hidden. */
bool tree_path_fine(const char *path);

/* A regular file, or a folder whose files are logs (whole.h), open for reading; -1: there is none that may be seen. */
int tree_file(const struct tree *t, const char *path, struct stat *about);

struct tree_visitor {
    /* A regular file. */
    void (*file)(void *arg, const char *path, const struct stat *about);
    /* A folder whose files are logs. True: it is one history, and its files are not visited. */
    bool (*logs)(void *arg, const char *path, const struct stat *about);
    /* A folder, before its files, "" for the root. */
    void (*folder)(void *arg, const char *path, int descriptor);
    void *arg;
};

/* Visits all files, in no particular order. A folder that cannot be read is passed over. */
void tree_walk(const struct tree *t, const struct tree_visitor *v);

#endif
