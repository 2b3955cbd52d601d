/* SPDX-License-Identifier: Apache-2.0 */
/* A cluster is a few real servers on this machine, started from the distribution's packages: `assay cluster`.
 *
 * It lives in a folder. A supervisor, a process of its own, is the parent of all servers. When the cluster is taken
 * down, the supervisor ends, and every server with it. The functions below may be called by any process of
 * the same user: they find the cluster by its folder. */
#ifndef ASSAY_COLLECT_CLUSTER_CLUSTER_H
#define ASSAY_COLLECT_CLUSTER_CLUSTER_H

#include "assay.h"

#include <stdbool.h>
#include <stddef.h>

enum { CLUSTER_MOST_NODES = 9, CLUSTER_FOLDER = 200, CLUSTER_NAME = 64 };

/* A kind of cluster: galera, postgres, ... */
struct cluster;
extern const struct cluster *const cluster_table[]; /* up to NULL */
size_t cluster_count(void);
const struct cluster *cluster_find(const char *name); /* NULL: there is none */
const char *cluster_name(const struct cluster *c);
const char *cluster_title(const struct cluster *c);
unsigned cluster_nodes(const struct cluster *c); /* how many there are by default */
unsigned cluster_port(const struct cluster *c);  /* of the first node by default */
/* The first program that this machine lacks, or NULL. */
const char *cluster_missing(const struct cluster *c);

enum cluster_state {
    CLUSTER_UP,
    CLUSTER_PAUSED, /* stopped: it answers nothing, and its connections stay */
    CLUSTER_DEAD,   /* its process has ended */
    CLUSTER_CUT     /* up, and without network to the other nodes */
};
const char *cluster_state_name(enum cluster_state s);

struct cluster_node {
    unsigned number; /* from 1 */
    char host[CLUSTER_NAME];
    unsigned port;
    char network[CLUSTER_NAME]; /* the network namespace that clients enter before they connect; empty: none */
    long pid;                   /* 0: dead */
    enum cluster_state state;
};

struct cluster_view {
    bool up; /* else nothing below is filled in but kind and folder */
    const struct cluster *kind;
    char folder[CLUSTER_FOLDER];
    char version[CLUSTER_NAME]; /* product and version */
    unsigned port;              /* of the first node */
    bool isolated;
    unsigned node_count;
    struct cluster_node nodes[CLUSTER_MOST_NODES]; /* by number - 1 */
};

struct cluster_settings {
    const struct cluster *kind;
    const char *folder; /* NULL: the default one */
    unsigned nodes;     /* 0: the default */
    unsigned port;      /* of the first node; 0: the default */
    bool isolated;      /* every node in a network namespace of its own */
    void *arg;          /* of the functions below, which may be NULL */
    bool (*interrupt)(void *arg);
    void (*step)(void *arg, const char *words); /* the next step of the start */
};

/* Starts a cluster and returns when every node answers. If it is up already, with these settings, only `already`
 * becomes true. On an error nothing is left running; the error's file is the log of the server that failed. */
bool cluster_up(const struct cluster_settings *s, struct cluster_view *out, bool *already, assay_error *e);

/* Ends everything and removes the files, also after the supervisor was killed. `found`: there was something to end or
 * to remove. */
bool cluster_down(const struct cluster *kind, const char *folder, bool *found, assay_error *e);

/* Looks at a cluster; out->up is false if there is none. */
bool cluster_view(const struct cluster *kind, const char *folder, struct cluster_view *out, assay_error *e);

/* Faults: `pause` and `resume` a node, `kill` it and `start` it again, `cut` it off from the others and `heal` that.
 * `start` returns once the server runs; cluster_await waits until it answers and has joined the others. */
bool cluster_act(const struct cluster *kind, const char *folder, const char *action, unsigned node, assay_error *e);
bool cluster_await(const struct cluster_settings *s, unsigned node, double seconds, assay_error *e);

/* Connections of the calling thread are made in this network namespace from now on. */
bool cluster_enter(const char *network, assay_error *e);

#endif
