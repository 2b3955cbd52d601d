/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses of a memory's clients before they become a history: in the order of execution, to be changed and
 * rearranged. */
#ifndef ASSAY_COLLECT_ACCESS_H
#define ASSAY_COLLECT_ACCESS_H

#include "base/rng.h"
#include "base/vec.h"
#include "collect/collect.h"

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_EXCHANGE, ACCESS_FENCE };

struct access {
    uint32_t thread, variable;
    uint32_t value; /* read or written */
    uint32_t old;   /* of an exchange: the value read */
    enum access_kind kind;
};

struct accesses {
    VEC(struct access) all;
};

static inline bool access_writes(const struct access *a)
{
    return a->kind == ACCESS_WRITE || a->kind == ACCESS_EXCHANGE;
}

/* Gives `count` random reads the value of another write of their variable, at most `distance`
 * accesses away; 0: any distance. The values written to a variable must be 1 to n, each once. Reads without such
 * a write stay. */
void access_mutate(struct accesses *a, uint32_t variables, uint64_t count, uint64_t distance, struct rng *rng,
                   struct mem *mem);

/* Another order, any with equal probability, in which each thread does the same as before. */
void access_shuffle(struct accesses *a, uint32_t threads, struct rng *rng, struct mem *mem);

/* As operations of t0, t1, ... on x0, x1, .... With `values` not 0, only so many different
 * values are written. */
void access_emit(const struct accesses *a, uint32_t threads, uint32_t variables, uint32_t values,
                 const struct collecting *c);

/* The parameters of collectors that change and rearrange their accesses. */
#define ACCESS_MUTATE                                                                                                  \
    {                                                                                                                  \
        .name = "mutate", .value = "M", .help = "afterwards give M reads the value of another write (default: 0)",     \
        .most = 1 << 30                                                                                                \
    }
#define ACCESS_DISTANCE                                                                                                \
    {                                                                                                                  \
        .name = "distance", .value = "D",                                                                              \
        .help = "how far away that write may be, in operations (default: 20; 0: anywhere)", .fallback = 20,            \
        .most = 1 << 30, .needs = "mutate"                                                                             \
    }
#define ACCESS_SHUFFLE                                                                                                 \
    {                                                                                                                  \
        .name = "shuffle", .help = "list the operations in an order other than that of their execution", .most = 1,    \
        .flag = true                                                                                                   \
    }

#endif
