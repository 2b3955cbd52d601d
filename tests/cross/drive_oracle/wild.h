/* SPDX-License-Identifier: Apache-2.0 */
/* What wild_driver.c sends to wild_store.c: a request and its accesses; and back: for each access an answer and its elements,
 * or one byte after the making of keys. */
#ifndef WILD_H
#define WILD_H

#include <stdint.h>

struct request {
    uint64_t prepare, first, n, late; /* late: microseconds until it takes effect; then there is no answer */
    int64_t initial;
};

struct request_access {
    uint64_t action, key, to;
    int64_t value;
};

struct answer {
    uint64_t found;
    int64_t answer;
    uint64_t count;
};

#endif
