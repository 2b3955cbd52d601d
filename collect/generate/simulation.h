/* SPDX-License-Identifier: Apache-2.0 */
/* A simulated memory, as random clients see it. The result of a read is decided when it is done. The value 0 is the
 * initial one, and each write of a variable writes a value of its own. */
#ifndef ASSAY_COLLECT_GENERATE_SIMULATION_H
#define ASSAY_COLLECT_GENERATE_SIMULATION_H

#include "base/mem.h"
#include "base/rng.h"

#include <stdint.h>

struct world {
    uint32_t threads, variables;
    struct mem *mem;
    struct rng rng;
};

struct simulation {
    void *(*start)(struct world *w);
    void (*write)(void *state, uint32_t thread, uint32_t variable, uint32_t value);
    uint32_t (*read)(void *state, uint32_t thread, uint32_t variable);
    /* Reads and writes as one step. NULL: the read and then the write. */
    uint32_t (*exchange)(void *state, uint32_t thread, uint32_t variable, uint32_t value);
    void (*fence)(void *state, uint32_t thread); /* NULL: orders nothing more */
};

extern const struct simulation shared_memory;     /* one copy: sequentially consistent */
extern const struct simulation lossy_memory;      /* one copy; now and then a write is lost or late */
extern const struct simulation random_memory;     /* a read returns any value written so far */
extern const struct simulation buffered_memory;   /* a store buffer per thread: tso */
extern const struct simulation split_memory;      /* a store buffer per thread and variable: pso */
extern const struct simulation causal_memory;     /* a copy per thread: causal memory */
extern const struct simulation convergent_memory; /* the same, and copies agree in the end */

#endif
