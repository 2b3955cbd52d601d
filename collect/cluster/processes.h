/* SPDX-License-Identifier: Apache-2.0 */
/* Processes, as /proc shows them: a server with everything that it has started, and the remains of a cluster whose
 * supervisor was killed. */
#ifndef ASSAY_COLLECT_CLUSTER_PROCESSES_H
#define ASSAY_COLLECT_CLUSTER_PROCESSES_H

#include "collect/cluster/site.h"

#include <sys/types.h>

/* When the process was started, in ticks since the machine was: with the pid it names a process for good. 0: there is
 * no such process, or it has ended. */
unsigned long long process_start(pid_t pid);

/* A server is a process with its descendants, and with the processes of its session. */
void server_stop(pid_t pid);
void server_continue(pid_t pid);
void server_kill(pid_t pid);

/* Kills all descendants of this process, and reaps them. */
void descendants_kill(void);

/* Ends the processes of a cluster without a supervisor. Such a process has the folder in its environment, or it is a
 * server of this kind that runs inside of the folder. */
bool remains_kill(const struct site *s, assay_error *e);

#endif
