/* SPDX-License-Identifier: Apache-2.0 */
/* The default engine against every other engine that takes the same histories. A user who names no engine should never
 * wait much longer than one who knows them all. */
#ifndef ASSAY_BENCH_STANDING_H
#define ASSAY_BENCH_STANDING_H

#include "bench/driver.h"

struct family {
    struct input input;
    const char *model;
};

/* A table with a row for each family, and the worst ratio against the goal. */
void standing_run(struct bench *b, const struct family *families, size_t n);

#endif
