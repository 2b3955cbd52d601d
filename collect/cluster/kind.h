/* SPDX-License-Identifier: Apache-2.0 */
/* A kind of cluster, as its file describes it: a const descriptor, listed in cluster.def. The rest of this folder asks
 * the descriptor how a node is made and started, and when it is ready. */
#ifndef ASSAY_COLLECT_CLUSTER_KIND_H
#define ASSAY_COLLECT_CLUSTER_KIND_H

#include "collect/cluster/cluster.h"
#include "collect/cluster/command_line.h"
#include "collect/cluster/site.h"

struct cluster_program {
    const char *name;
    const char *places; /* folders between colons, looked at before PATH, with a star for a version; or NULL */
};

struct cluster {
    const char *name, *title;
    const char *user;                       /* of the servers, if we are root */
    const char *packages;                   /* of Debian */
    const struct cluster_program *programs; /* the server first; up to a NULL name */
    unsigned nodes, port;                   /* defaults */
    unsigned port_groups;                   /* ports of a node */
    bool in_turn;                           /* a node is made only when the one before it is ready */

    /* The data of a node, before its first start; or NULL. */
    bool (*make)(const struct site *s, unsigned node, assay_error *e);
    /* Databases and users, once: on node 1, when it is ready and the other nodes are not made yet; or NULL. */
    bool (*settle)(const struct site *s, assay_error *e);
    /* The server. `alone`: no other node runs now. */
    void (*server)(const struct site *s, unsigned node, bool alone, struct command_line *out);
    /* Before a node that died is started again; or NULL. */
    bool (*revive)(const struct site *s, unsigned node, bool alone, assay_error *e);
    /* Does it answer, and has it joined the others? */
    bool (*ready)(const struct site *s, unsigned node);
    /* Product and version, from a node that is ready. */
    void (*version)(const struct site *s, unsigned node, char *out, size_t size);
    /* Removes traces of a dead node outside of its folder; or NULL. */
    void (*forget)(const struct site *s, unsigned node);
};

#endif
