/* SPDX-License-Identifier: Apache-2.0 */
/* The different outcomes of a program, and how often each came up. An outcome is a row of values of fixed width
 * (program.h); equal rows are found by their hash and compared value by value. */
#ifndef ASSAY_COLLECT_HARDWARE_OUTCOMES_H
#define ASSAY_COLLECT_HARDWARE_OUTCOMES_H

#include "base/hash.h"
#include "base/vec.h"
#include "collect/collect.h"

struct outcome {
    struct hardware_outcome seen;
    int64_t *row;
};

struct outcomes {
    uint32_t width;
    VEC(struct outcome) all;
    struct idmap by_hash;
};

void outcomes_free(struct outcomes *o, struct mem *mem);
void outcomes_begin_batch(struct outcomes *o); /* nothing has come up in it so far */
void outcomes_count(struct outcomes *o, const int64_t *row, struct mem *mem);

#endif
