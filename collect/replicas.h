/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated replicated memory: every thread has its own copy of all variables, and writes reach the
 * other copies late but in causal order. */
#ifndef ASSAY_COLLECT_REPLICAS_H
#define ASSAY_COLLECT_REPLICAS_H

#include "base/mem.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

struct replicas;

/* What a copy keeps of two writes of a variable: converging, the one with the larger time stamp, which
 * is the same in every copy (causal convergence); else the one that arrived last (causal memory). */
struct replicas *replicas_new(struct mem *mem, struct rng *rng, uint32_t threads,
                              uint32_t variables, bool converging);
void replicas_write(struct replicas *r, uint32_t thread, uint32_t variable, uint32_t value);
uint32_t replicas_read(struct replicas *r, uint32_t thread, uint32_t variable);

#endif
