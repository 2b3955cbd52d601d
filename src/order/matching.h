/* SPDX-License-Identifier: Apache-2.0 */
/* Matchings in general graphs: can all vertices that must have a mate get one, with or without the help of the others? */
#ifndef ASSAY_ORDER_MATCHING_H
#define ASSAY_ORDER_MATCHING_H

#include "base/vec.h"

#include <stdbool.h>

struct neighbours { /* a vector */
    uint32_t *at;
    uint32_t n, cap;
};

struct matching {
    uint32_t n;
    const bool *must; /* the vertices that need a mate */
    void (*list)(const void *context, uint32_t v, struct neighbours *out); /* appends; asked for those only */
    const void *context;
    uint32_t *mate; /* a matching to start from, and the result; ID_NONE: none */
    struct mem *mem;
};

/* ID_NONE when all have a mate; else one of those that cannot all have one. */
uint32_t matching_cover(struct matching *g);

#endif
