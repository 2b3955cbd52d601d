/* SPDX-License-Identifier: Apache-2.0 */
/* Happens-before: program order, and time or knowledge. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_ORDER_H
#define ASSAY_TESTS_ORACLE_OBJECTS_ORDER_H

#include "oracle/objects/history.h"

#include <stdbool.h>
#include <stdint.h>

#define WORDS ((MAX_OPS + 63) / 64)

typedef uint64_t bits[WORDS];

bool has(const uint64_t *b, int i);
void put_bit(uint64_t *b, int i);
void drop_bit(uint64_t *b, int i);

struct order {
    bits before[MAX_OPS]; /* what happens before each operation */
};

void happens_before(const struct history *h, bool real_time, struct order *r);

/* Are the sets of predecessors a chain? */
bool is_interval_order(const struct history *h, const struct order *r);

#endif
