/* SPDX-License-Identifier: Apache-2.0 */
/* Which transaction each read sees, by the values alone, and which writers the lists show in which order. */
#ifndef ASSAY_TESTS_TRANSACTIONS_READ_SOURCES_H
#define ASSAY_TESTS_TRANSACTIONS_READ_SOURCES_H

#include "cross/transactions/sketch.h"

enum { INITIAL = MOST_TXNS, MOST_READS = MOST_TXNS * MOST_ACCESSES };

struct read {
    uint8_t reader, key, source;
};

struct read_sources {
    bool counts[MOST_TXNS]; /* it has committed, or someone saw it */
    bool writes[MOST_TXNS][MOST_KEYS];
    struct read reads[MOST_READS];
    uint32_t read_n;
    uint8_t shown[MOST_KEYS][MOST_TXNS], shown_n[MOST_KEYS]; /* writers in the longest list */
};

/* Fills in what is empty. False: some read is one that every model forbids. */
bool read_sources_find(struct read_sources *r, const struct tx_sketch *s);

#endif
