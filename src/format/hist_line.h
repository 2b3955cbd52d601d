/* SPDX-License-Identifier: Apache-2.0 */
/* A line of .hist (docs/guides/formats.md), for the reader of histories and for monitors. */
#ifndef ASSAY_FORMAT_HIST_LINE_H
#define ASSAY_FORMAT_HIST_LINE_H

#include "format/entry.h"

/* The entry of the line at the cursor. Names and texts go into the history; faults are raised at the cursor's line. */
void hist_line(struct cursor *c, history *h, struct entry *e);

/* `key text` behind the @ of a header, where the cursor is; the text has no blanks around it. */
void hist_header_key(struct cursor *c, struct entry *e);
void hist_header_text(struct cursor *c, struct entry *e);

#endif
