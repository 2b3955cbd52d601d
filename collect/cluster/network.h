/* SPDX-License-Identifier: Apache-2.0 */
/* Networks of an isolated cluster: each node has a network namespace of its own with one link, eth0. The other ends of
 * the links meet in a bridge, in one more namespace. A node whose end at the bridge is down is cut off, and clients
 * inside its namespace still reach it. */
#ifndef ASSAY_COLLECT_CLUSTER_NETWORK_H
#define ASSAY_COLLECT_CLUSTER_NETWORK_H

#include "collect/cluster/site.h"

/* Are we root, and is there the program ip? */
bool network_possible(assay_error *e);
/* Namespaces are named after the kind and the folder. Node 0 is the bridge. */
void network_name(const struct site *s, unsigned node, char out[CLUSTER_NAME]);
void network_address(unsigned node, char out[CLUSTER_NAME]);

bool networks_make(const struct site *s, assay_error *e);
void networks_remove(const struct site *s); /* as far as they exist */
bool network_link(const struct site *s, unsigned node, bool up, assay_error *e);

/* Sockets are made in the network of the node until network_leave gets the result; -1 on an error. */
int network_visit(const struct site *s, unsigned node);
void network_leave(int back);

#endif
