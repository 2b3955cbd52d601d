/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: is there a legal order? A plain search over the downsets of happens-before. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_SEARCH_H
#define ASSAY_TESTS_ORACLE_OBJECTS_SEARCH_H

#include "oracle/objects/history.h"
#include "oracle/objects/object.h"
#include "oracle/objects/order.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum answer { NO, YES, TOO_MUCH };

struct memo {
    size_t *starts, room, count; /* of records in bytes; 0: free */
    int32_t *bytes;
    size_t used, size;
};

struct search {
    const struct history *h;
    const struct order *r;
    const bool *take; /* which operations count */
    struct object state[MAX_OBJECTS];
    bits done;
    struct memo memo;
    int nodes;
};

/* May the operation be the next? */
bool may_come(const struct search *s, int i);
void begin_search(struct search *s, const struct history *h, const struct order *r, const bool *take);
enum answer linearizable_part(const struct history *h, const struct order *r, const bool *take);

/* Where happens-before is an interval order, objects may be judged apart (Herlihy and Wing); else the whole. */
enum answer linearizable(const struct history *h, bool real_time);

#endif
