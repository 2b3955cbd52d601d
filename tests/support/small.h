/* SPDX-License-Identifier: Apache-2.0 */
/* All small plays of an object: every way to lay the operations' intervals, every choice of what they are. */
#ifndef ASSAY_TESTS_SUPPORT_SMALL_H
#define ASSAY_TESTS_SUPPORT_SMALL_H

#include "support/play.h"

/* Values of letters besides 0, 1, 2, ... */
enum { NO_VALUE = -1, EMPTY = -2, TRUE = -3, FALSE = -4, NEW = -5, NULL_WORD = -6 };
#define PAIR(a, b) (100 + 10 * (a) + (b)) /* two arguments, below 10 */

struct letter { /* an operation without its interval */
    const char *method;
    int argument, result;
    bool pending;
    uint8_t object; /* 1: the other one */
};

struct alphabet {
    const char *object, *init;
    uint32_t most[2]; /* operations; in the long tier */
    struct letter letter[16];
    const char *other; /* a second object, or NULL */
};

typedef void small_visit(const struct play *p, void *arg);

/* Those of n operations, or one in so many of them. shared: operations that follow each other are of one thread, too; else each
 * has its own. */
void small_all(const struct alphabet *a, uint32_t n, bool shared, uint32_t one_in, small_visit *visit, void *arg);

/* Those of n operations by two threads, at times from 0 to `last`, which may be equal. */
void small_tied(const struct alphabet *a, uint32_t n, int64_t last, small_visit *visit, void *arg);

const assay_spec *spec_named(const char *object); /* its parameter aside; or NULL */

#endif
