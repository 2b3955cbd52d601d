/* SPDX-License-Identifier: Apache-2.0 */
/* A line of JSON Lines (docs/guides/formats.md), for the reader of histories and for monitors. */
#ifndef ASSAY_FORMAT_JSONL_LINE_H
#define ASSAY_FORMAT_JSONL_LINE_H

#include "format/entry.h"

/* The entry of the line at the cursor. Names and texts go into the history; faults are raised at the cursor's line. */
void jsonl_line(struct cursor *c, history *h, struct entry *e);

#endif
