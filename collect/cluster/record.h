/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a cluster, a small file in its folder: settings, supervisor, and the state of each node. The supervisor
 * writes it whenever something has changed; everybody else reads it. */
#ifndef ASSAY_COLLECT_CLUSTER_RECORD_H
#define ASSAY_COLLECT_CLUSTER_RECORD_H

#include "collect/cluster/site.h"

struct record {
    struct cluster_view view; /* `up`: every node was ready once */
    long supervisor;
    unsigned long long supervisor_start; /* processes.h */
};

/* As the settings say, with dead nodes. */
struct record record_of(const struct site *s);
/* The part of the site that a record knows. */
void record_site(const struct record *r, struct site *out);

bool record_write(const struct record *r, assay_error *e);
/* False: there is none, or it cannot be read. */
bool record_read(const struct site *s, struct record *out);

#endif
