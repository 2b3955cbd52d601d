/* SPDX-License-Identifier: Apache-2.0 */
/* How far behind is each read?
 *
 * A write v is newer than the source w of a read r, for certain, if v was called after w returned and returned before r
 * was called. Equal times are neither. Versions behind is the number of newer writes. The time behind goes from the
 * earliest return among them to the call of r. The initial value returned before everything, a pending write never.
 *
 * A value may have been written several times. Then a write of the value is a candidate for the source if it was not
 * called after r returned. The initial value is one, too, if it is that value. The staleness of r is the least that a
 * candidate explains. If all writes of the value were called later, no write is newer. */
#ifndef ASSAY_STALENESS_BEHIND_H
#define ASSAY_STALENESS_BEHIND_H

#include "staleness/measured.h"

struct behind {
    uint32_t read;             /* index of the read */
    uint32_t source;           /* operation; ID_NONE: the initial value */
    uint32_t earliest, newest; /* operations: of the newer writes the one that returned first, and was called last */
    uint32_t versions;
    uint64_t time;
};

struct behind_all {
    VEC(struct behind) stale;
    bool *unexplained; /* of a read: no other operation wrote its value */
};

/* The history has times; clocks are wrong by the skew. Memory from m; may escape. */
void behind_find(struct behind_all *out, const struct accesses_measured *a, const history *h, int64_t skew,
                 struct mem *m, struct budget *b);

#endif
