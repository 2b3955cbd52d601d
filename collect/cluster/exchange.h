/* SPDX-License-Identifier: Apache-2.0 */
/* One question to a server and its answer, over TCP. */
#ifndef ASSAY_COLLECT_CLUSTER_EXCHANGE_H
#define ASSAY_COLLECT_CLUSTER_EXCHANGE_H

#include "collect/cluster/site.h"

/* Sends the request to the client port of a node, and reads until the server closes the connection: the request must
 * ask for that. False: no answer. */
bool exchange(const struct site *s, unsigned node, const char *request, char *answer, size_t size);

#endif
