/* SPDX-License-Identifier: Apache-2.0 */
/* The two ends of a collector: .hist text and a history in memory. */
#ifndef ASSAY_COLLECT_SINK_H
#define ASSAY_COLLECT_SINK_H

#include "base/text.h"
#include "collect/collect.h"

/* Millions of operations pass through here: the text is written in large pieces. */
struct text_sink {
    struct collect_sink sink;
    struct text text;
    FILE *out;
    uint32_t index;
};

struct history_sink {
    struct collect_sink sink;
    assay_history *history;
    assay_error *error;
};

struct text_sink text_sink(struct mem *mem, FILE *out, uint32_t index);
struct history_sink history_sink(assay_history *h, assay_error *e);

#endif
