/* SPDX-License-Identifier: Apache-2.0 */
/* A client program as a text file, so that the program of a crash can be run again. It has the form of a .hist whose
 * operations have no results; so its reader, with its messages, is that of .hist. Two headers say the rest:
 *
 *     # @implementation queue:mine
 *     # @run-seed 1234
 *     t0: enq(1)
 *     t1: deq() */
#ifndef ASSAY_COLLECT_CLIENT_FILE_H
#define ASSAY_COLLECT_CLIENT_FILE_H

#include "collect/stress/client.h"
#include "collect/stress/stress.h"

void client_file_write(struct text *out, const struct client *p, const struct vocabulary *v, uint64_t run_seed);

/* The program in the adapter's methods. Escapes with the fault in e. */
struct client client_file_program(const struct stress_replay *r, const struct vocabulary *v, struct mem *mem,
                                  assay_error *e);

#endif
