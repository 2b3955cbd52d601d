/* SPDX-License-Identifier: Apache-2.0 */
/* The databases that the suite `databases` drives: a driver, and the cluster on this machine that it needs. */
#ifndef ASSAY_BENCH_STORES_H
#define ASSAY_BENCH_STORES_H

#include "bench/driver.h"
#include "collect/collect.h"

enum { STORE_REASON = 512, STORE_NODES = 512 };

struct store {
    const char *name, *title;
    const char *driver;
    const char *cluster;  /* its kind; NULL: the store needs no server */
    unsigned nodes, port; /* of the cluster */
};

extern const struct store store_table[]; /* up to a NULL name */
const struct store *store_find(const char *name);
const assay_driver *store_driver(const struct store *s);
/* True, with the reason: it cannot be driven on this machine. */
bool store_lacking(const struct store *s, char reason[STORE_REASON]);
/* `host:port,...` of the nodes, whether they are up or not; "" without a cluster. */
void store_nodes(const struct store *s, unsigned port, char out[STORE_NODES]);
/* The first lines of shell that repeat a history: `assay cluster up ...`; nothing without a cluster. */
void store_print_cluster(const struct store *s, FILE *to);

/* A store whose servers are started when they are first needed. */
struct server {
    const struct store *store;
    const struct bench *bench;
    char folder[CLUSTER_FOLDER];
    bool up;
    char reason[STORE_REASON]; /* why it could not be started, or "" */
};

void server_init(struct server *s, const struct bench *b, const struct store *store, const char *work);
bool server_up(struct server *s);
void server_down(struct server *s);

#endif
