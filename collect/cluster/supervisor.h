/* SPDX-License-Identifier: Apache-2.0 */
/* The supervisor of a cluster: the process that is the parent of all servers. It starts them, reaps them, keeps the
 * record, answers at a socket in the folder, and ends everything on SIGTERM. */
#ifndef ASSAY_COLLECT_CLUSTER_SUPERVISOR_H
#define ASSAY_COLLECT_CLUSTER_SUPERVISOR_H

#include "collect/cluster/site.h"

/* Messages to the process that starts the cluster, through a socket, whole. The end of the stream without READY or
 * ERROR means that the supervisor died. The other direction has only an end: the cluster is not wanted any more. */
enum supervisor_news { SUPERVISOR_STEP, SUPERVISOR_READY, SUPERVISOR_ERROR };
struct supervisor_message {
    enum supervisor_news news;
    char words[CLUSTER_NAME]; /* of a step */
    assay_error error;
};

/* In a process of its own, forked from the one that starts the cluster; the lock and the starter's socket are open. */
_Noreturn void supervisor_run(const struct site *s, int lock, int starter);

/* Asks the supervisor for an action on a node. False with its error. */
bool supervisor_ask(const struct site *s, const char *action, unsigned node, assay_error *e);

#endif
