/* SPDX-License-Identifier: Apache-2.0 */
/* Random memory histories, from several kinds of memories. */
#ifndef ASSAY_TESTS_SUPPORT_GENERATE_H
#define ASSAY_TESTS_SUPPORT_GENERATE_H

#include "support/sketch.h"

enum memory_kind {
    MEMORY_ARBITRARY, /* a read returns anything, a value that is written later included */
    MEMORY_ALLOWED,   /* a read returns any value that causal consistency still allows */
    MEMORY_REPLICAS,  /* each thread applies the others' writes in some causal order: CM */
    MEMORY_LATEST,    /* the same, but the write with the largest time stamp stays: CCv */
    MEMORY_SCENE,     /* as MEMORY_LATEST, and two threads play a scene that is CCv and rarely CM */
    MEMORY_ONE,       /* one store: sequentially consistent */
    MEMORY_BUFFER,    /* one store, behind a buffer for each thread */
    MEMORY_BUFFERS,   /* one store, behind a buffer for each thread and variable */
    MEMORY_KINDS
};

struct recipe {
    enum memory_kind memory;
    uint32_t n, threads, vars;
    uint32_t writes;    /* percent of the operations */
    uint32_t rmws;      /* percent of the writes */
    uint32_t fences;    /* percent of the operations */
    uint32_t changed;   /* reads that are given another value afterwards */
    uint32_t pending;   /* percent of the threads whose last operation never returned */
    uint32_t delivered; /* replicas: before how many percent of its operations a thread hears;
                           buffers: how likely a write leaves one before an operation */
    uint32_t apart;     /* percent of the operations in which a thread writes a variable of its own or
                           reads another */
    uint32_t finals;    /* percent of the variables whose last value is declared */
};

enum { GENERATE_THREADS = 16, GENERATE_VARS = 64 };

/* n between the two, everything else at random; causal memories for the most part. */
struct recipe recipe_any(struct rng *rng, uint32_t least, uint32_t most);

/* The same around sequential consistency and store buffers, with declared last values. */
struct recipe recipe_serial(struct rng *rng, uint32_t least, uint32_t most);

struct sketch generate(const struct recipe *r, struct rng *rng);

#endif
