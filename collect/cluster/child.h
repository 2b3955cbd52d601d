/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that are started for a cluster: servers, which stay, and helpers, which are waited for.
 *
 * Each leads a session of its own. If we are root, it runs as the user of the kind. Its environment is its own, with
 * ASSAY_CLUSTER=folder in it. The kernel kills it when this process dies. */
#ifndef ASSAY_COLLECT_CLUSTER_CHILD_H
#define ASSAY_COLLECT_CLUSTER_CHILD_H

#include "collect/cluster/command_line.h"
#include "collect/cluster/site.h"

#include <sys/types.h>

#define CHILD_MARK "ASSAY_CLUSTER" /* the environment variable that tells them from strangers */

/* The server of a node, in its folder and network, with its output in its log. -1 on an error. */
pid_t child_start(const struct site *s, unsigned node, const struct command_line *line, assay_error *e);

enum { CHILD_OUTPUT = 4096 };

/* Runs a helper in the folder and network of a node, or (node 0) as ourselves in our own network. Returns its output,
 * or the end of it. An exit status other than 0 is an error, and so is a run of more than so many seconds. */
bool child_run(const struct site *s, unsigned node, const struct command_line *line, double seconds,
               char output[CHILD_OUTPUT], assay_error *e);

/* Makes the folder of a node, for the kind's user. */
bool child_folder(const struct site *s, unsigned node, assay_error *e);

#endif
