/* SPDX-License-Identifier: Apache-2.0 */
/* The catalogue: the result files of the folder, with their records.
 *
 * Idea: a scan compares the folder with the catalogue, and each difference is an event. Files may be written, replaced,
 * cut or deleted at any time.
 *
 * Invariant: entries are sorted by path, and an event is posted after the catalogue has changed. So a page that first
 * listens, and then asks for everything, misses nothing. A file that is no result has an entry, too, which is not
 * shown: so it is not opened again until it changes. */
#ifndef ASSAY_CLI_SERVE_CATALOGUE_H
#define ASSAY_CLI_SERVE_CATALOGUE_H

#include "serve/broadcast.h"
#include "serve/entry.h"
#include "serve/tree.h"

/* Beyond these bounds files and lines are left out, and the listing says so. */
enum { CATALOGUE_FILES = 20000, CATALOGUE_BYTES = 64 << 20 /* of records */ };

struct catalogue {
    const struct tree *tree;
    struct broadcast *broadcast;
    pthread_mutex_t lock; /* of everything below */
    struct entry **at;
    size_t n, cap;
    size_t bytes;     /* of records */
    uint64_t scan;    /* the number of the last one */
    uint64_t version; /* it changes with the catalogue */
    uint64_t left_out;
};

void catalogue_init(struct catalogue *c, const struct tree *tree, struct broadcast *broadcast);
void catalogue_free(struct catalogue *c);

/* One scan at a time. `folder` is told of every folder. */
void catalogue_scan(struct catalogue *c, void (*folder)(void *arg, const char *path, int descriptor), void *arg);

/* A history of the file, which was in this state, was graded: a JSON object of one line. */
void catalogue_grade(struct catalogue *c, const char *path, const struct stat *about, uint32_t index, const char *json);

/* Everything, as a JSON object; returns its version. */
uint64_t catalogue_write(struct catalogue *c, FILE *to);
uint64_t catalogue_version(struct catalogue *c);

/* Do the two describe one state of one file? */
bool same_state(const struct stat *a, const struct stat *b);

#endif
