/* SPDX-License-Identifier: Apache-2.0 */
/* The site of a cluster: the folder, addresses, ports and programs that follow from its settings. */
#ifndef ASSAY_COLLECT_CLUSTER_SITE_H
#define ASSAY_COLLECT_CLUSTER_SITE_H

#include "collect/cluster/cluster.h"

enum { SITE_PROGRAMS = 8, SITE_PATH = CLUSTER_FOLDER + 64, SITE_PORT_STEP = 20 };

#define SITE_DEFAULT "assay-cluster-" /* and the user's number: the folder with the default folders of clusters */

struct site {
    const struct cluster *kind;
    char folder[CLUSTER_FOLDER]; /* absolute */
    unsigned nodes, port;
    bool isolated;
    char programs[SITE_PROGRAMS][SITE_PATH]; /* paths, in the order of the kind's table */
    bool (*stopped)(void);                   /* asked while waiting: shall everything end? NULL: never */
};

/* Nothing but the kind and the folder is known; false with an error. */
bool site_at(struct site *s, const struct cluster *kind, const char *folder, assay_error *e);
void site_resolve(struct site *s); /* once the folder exists */
/* The whole, programs included. */
bool site_from(struct site *s, const struct cluster_settings *settings, assay_error *e);
bool site_find_programs(struct site *s, assay_error *e);

/* Port `group` of a node: group 0 is for clients. */
unsigned site_port(const struct site *s, unsigned node, unsigned group);
bool site_ports_free(const struct site *s, assay_error *e);
/* The address that clients and the other nodes know, and the one that a server listens at. */
void site_address(const struct site *s, unsigned node, char out[CLUSTER_NAME]);
const char *site_listen(const struct site *s);

/* A path in the folder: "n%u/data". */
void site_path(const struct site *s, char out[SITE_PATH], const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void site_log(const struct site *s, unsigned node, char out[SITE_PATH]);

#endif
