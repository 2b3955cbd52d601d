/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper: a small process between the harness and the process of the implementation, which it makes. It runs no
 * code of the implementation.
 *
 * A socket joins the harness and the keeper. The harness asks on it for the state of the process, and closes it, or is
 * killed. Then the keeper ends the process, its group, and on Linux all its descendants (orphans.h).
 *
 * Invariant: the process is waited for by then only. So until keeper_end its number is no other's, nor is that of its
 * group. */
#ifndef ASSAY_COLLECT_KEEPER_H
#define ASSAY_COLLECT_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

struct keeper {
    int socket;
    pid_t keeper;
    pid_t process; /* of the implementation */
};

struct kept_work {
    void (*work)(void *context); /* in the new process; does not return */
    void *context;
    int pipe[2]; /* from that process to the harness: the keeper closes both ends */
};

bool keeper_start(struct keeper *k, const struct kept_work *w); /* false: there is no process */

struct process_state {
    enum { STATE_RUNNING, STATE_STOPPED, STATE_KILLED, STATE_EXITED, STATE_LOST } kind; /* lost: with its keeper */
    int number;                                                                         /* the signal, or the status */
};
struct process_state keeper_look(const struct keeper *k);

/* Ends all that is left. */
void keeper_end(struct keeper *k);

#endif
