/* SPDX-License-Identifier: Apache-2.0 */
/* Who may have been read from, in histories whose values are not unique. */
#ifndef ASSAY_HISTORY_CANDIDATES_H
#define ASSAY_HISTORY_CANDIDATES_H

#include "history/rw.h"

struct candidates {
    uint32_t *at, *source; /* of event e: source[at[e]] .. source[at[e+1]-1], events or RW_INIT */
    uint32_t *final_at, *final; /* of a variable: the writes of its declared final value */
    /* A pending operation whose effect is open: its value is read, or declared to be the last,
     * and others write it, too; or ID_NONE. */
    uint32_t pending;
};

struct candidates *candidates_of(const history *h, const struct rw *v, struct mem *m);

#endif
