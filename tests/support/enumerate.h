/* SPDX-License-Identifier: Apache-2.0 */
/* All small memory histories, one of each class of those that differ only in the names of threads,
 * variables and values. */
#ifndef ASSAY_TESTS_SUPPORT_ENUMERATE_H
#define ASSAY_TESTS_SUPPORT_ENUMERATE_H

#include "support/sketch.h"

enum { ENUMERATE_MOST = 8, ENUMERATE_THREADS = 3, ENUMERATE_VARS = 2 };

struct space {
    uint32_t most;  /* operations */
    bool all_kinds; /* rmw and fence, too */
    bool pending;   /* the last operation of a thread may be pending */
    bool nobody;    /* reads may return a value that nobody wrote */
};

/* Calls `each` for every history of 1 to `most` operations in up to 3 threads and 2 variables;
 * returns how many there were. The i-th write to a variable writes i. */
uint64_t enumerate(const struct space *space, void (*each)(const struct sketch *s, void *arg), void *arg);

#endif
